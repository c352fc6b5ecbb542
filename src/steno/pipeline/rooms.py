"""What one home is made of, put together from its settings. Each room is opened when it is needed first: recall, gates
and hooks sit in the path of every prompt and must not wait for the rest."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import structs

from steno.clock import Clock, before, utc_now
from steno.embedding import Choice
from steno.pipeline.backups import drop_backups
from steno.pipeline.behind import Behind
from steno.pipeline.derived import Derived
from steno.pipeline.leave_out import MODEL_FOLDER, LeaveOut
from steno.pipeline.uses import Uses
from steno.settings import Settings
from steno.sources import TRANSCRIPTS, source_named
from steno.sources.base import Source
from steno.sources.bootstrap import limits
from steno.store import open_store
from steno.vocabulary import Captured, Entry, Learnt, Loss
from steno.vocabulary.accesses import Fading
from steno.vocabulary.errors import BadSetting, StenoError, StoreError, UnknownSession
from steno.vocabulary.notebooks import Limit
from steno.vocabulary.readings import ReadByModel

if TYPE_CHECKING:
    from steno.llm.base import Question, Reply
    from steno.pipeline.brief import Briefer
    from steno.pipeline.capture import Capture
    from steno.pipeline.fill import Fill
    from steno.pipeline.flags import Flags
    from steno.pipeline.flowbook import Flowbook
    from steno.pipeline.gate import Gate
    from steno.pipeline.identity import Identity
    from steno.pipeline.model_pass import Ask
    from steno.pipeline.organise import Organiser
    from steno.pipeline.owning import Owning
    from steno.pipeline.pages import Pages
    from steno.pipeline.rulebook import Rulebook
    from steno.pipeline.scrub import Scrubber
    from steno.pipeline.sharing import Sharing
    from steno.pipeline.spending import Spending
    from steno.pipeline.workbook import Workbook
    from steno.store.accesses import Accesses
    from steno.store.readings import ToRead
    from steno.vocabulary.notebooks import Synced

_GOES_ON: Final = timedelta(hours=1)
# Old history needs no warnings.
_LATELY: Final = timedelta(days=7)


class Rooms:
    """The rooms of one home, and what happens behind the user's back."""

    def __init__(
        self, home: Path, *, environment: Mapping[str, str] = os.environ, clock: Clock = utc_now, reads_on: bool = True
    ) -> None:
        self.home = home
        # Whether who asks what was learnt waits until all that was captured is. The daemon has a thread for that.
        self._reads_on = reads_on
        # The newest turn there was when nothing was left to learn; nobody has looked yet.
        self._read_to = -1
        self.settings = Settings(home, environment)
        self._environment = environment
        self._clock = clock
        self._store = open_store(home, busy_seconds=self.settings["busy_seconds"])
        if self.settings["redact_patterns"]:
            try:
                _ = self._scrubber
            except BadSetting:
                self._store.close()
                raise
        choice = Choice(*(self.settings[name] for name in ("embedding", "embedding_url", "embedding_key")))
        self._derived = Derived(self._store, home / "derived", choice)
        self._uses = Uses(self._store.searched)
        if self.settings["session_reflection"]:
            half, slope = self.settings["reflection_half_days"], self.settings["reflection_slope"]
            self._store.searched.fading = Fading(half, slope)
        self._behind = Behind(self._work_behind)
        # Something came that has no vectors yet.
        self._unembedded = False

    def scribe(
        self, session: str | None = None, progress: Callable[[int], None] = lambda _: None,
        saved: Callable[[], None] = lambda: None,
    ) -> Learnt:  # fmt: skip
        """Read what is new in the journal and write down what is worth keeping, each with its quote; `saved` is called
        as soon as that is in the store."""
        # The scribe's cues take a third of a second to compile; who only recalls must not wait for them.
        from steno.pipeline.curating import put_again
        from steno.pipeline.learn import Learn
        from steno.scribe.weigh import trouble

        session_id = None if session is None else self._session_id(session)
        learn, entries = Learn(self._store, told=progress), self._store.entries
        if session_id is None and entries.is_outdated() and not trouble(opened=True):
            entries.clear(if_outdated=True)
        learnt = learn.run(session_id)
        if session_id is None and entries.is_rebuilding():
            put_again(self._store)
            entries.apply_records()
            learn.told(entries.told())
        self._rulebook.settle()
        # Whoever waits for what must not be lost need not wait for the rest.
        saved()
        self._store.entries.archive_done(before(self._clock(), timedelta(days=self.settings["done_days"])))
        self._rulebook.settle()
        # The files say nothing the store does not: what cannot be written now is when the work goes on.
        with suppress(StoreError):
            if any(map(self._goes_on, learn.sessions)):
                self._identity.save()
            if learn.works:
                self._workbook.write(learn.works)
            self._organiser.follow()
        self._flowbook.settle()
        self._count_losses(learn.sessions)
        return learnt

    def read_with_model(
        self, session: str | None = None, *, at_once: bool = False, ask: "Ask | None" = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> ReadByModel:  # fmt: skip
        """Let the user's model read what is due, of one session or of the latest ones; `at_once`: also what would wait
        for more to be said. `ask` puts the question; without it the configured model is asked, within its budget."""
        from steno.pipeline.model_pass import ModelPass

        spending = self.spending

        def spend(question: "Question", about: "ToRead") -> "Reply":
            return spending.ask(question, session_id=about.id, project=about.project, agent=about.agent, stop=stop)

        if ask is None and (why_not := spending.state().why_not):
            return ReadByModel(why_not=why_not)
        self._catch_up(session)
        session_id = None if session is None else self._session_id(session)
        model = ModelPass(
            self._store, ask or spend, clock=self._clock, scrub=self._scrub,
            may_ask=spending.may_ask if ask is None else lambda _: "",
        )  # fmt: skip
        done = model.run(session_id, at_once=at_once, stop=stop)
        if done.portions:
            self._rulebook.settle()
        return done

    def save(self, session: str | None = None) -> None:
        """Write down as files where everything stands, and this session, however full its context is."""
        with suppress(UnknownSession):
            self._identity.save(None if session is None else self._session_id(session))

    @property
    def notebook(self) -> "Organiser":
        """What is known as pages that people read and edit."""
        self._catch_up()
        return self._organiser

    def keep_notebook(self, told: "Callable[[Synced], None]", stop: Callable[[], bool]) -> None:
        """Take in what people save as they save it, until `stop` says so."""
        from steno.pipeline.watch import watch

        def sync(changed: list[str]) -> None:
            if changed == places:
                # Everything is looked at again, and with it what was taken in from elsewhere.
                self.follow_notes()
            told(self._organiser.sync())

        places = [str(self.home / "notebook")]
        watch(places, sync, rescan_seconds=self.settings["rescan_seconds"], stop=stop)

    @contextmanager
    def _edits_in(self) -> Iterator[None]:
        """While words go: what people changed on pages is taken in before, and nobody takes in what is to go."""
        with self._organiser.alone():
            if self._organiser.is_begun():
                self._organiser.sync()
            yield

    @cached_property
    def pages(self) -> "Pages":
        """Files of the notebook, read by name."""
        from steno.pipeline.pages import Pages

        return Pages(self._store, self.home / "notebook", self._scrub, self._clock)

    @cached_property
    def sharing(self) -> "Sharing":
        """What people let others see."""
        from steno.pipeline.sharing import Sharing

        return Sharing(self._store, self._flowbook, lambda: self.pages, clock=self._clock, scrub=self._scrub)

    def _goes_on(self, session_id: int) -> bool:
        """Whether a session was heard of lately: old history that is read needs no files."""
        return (self._store.briefed.last_at(session_id) or "") >= before(self._clock(), _GOES_ON)

    def _loss(self, session_id: int) -> Loss:
        """What the last compaction took; whoever starts is warned of one that took too much, as it is counted here."""
        from steno.pipeline.loss import counted

        facts, _ = self._store.briefed.session(session_id)
        name = f"{facts.source}:{facts.session}"
        return counted(self._store, session_id, lambda at: self._briefer.brief(0, name, at=at))

    def _count_losses(self, sessions: set[int]) -> None:
        """Once for each compaction and what was given since, when it can be."""
        for session_id in sessions:
            if self._store.fills.loss_due(session_id, before(self._clock(), _LATELY)):
                self._loss(session_id)

    def _begin_again(self) -> None:
        """Drop what was learnt, unless it could not be learnt again."""
        from steno.scribe.weigh import must_hear

        must_hear()
        self._store.entries.clear()

    def _catch_up(self, session: str | None = None) -> None:
        """Learn what was captured, by anybody, before it is asked for; if others see to that, only of this session."""
        if not self._reads_on:
            if session is not None and self._store.entries.unread(self._session_id(session)):
                self.scribe(session)
        elif (last := self._store.searched.last_turn()) != self._read_to:
            # What cannot be written now is no reason not to answer from what is known; the next verb tries again.
            with suppress(StoreError):
                entries = self._store.entries
                if entries.unread() or entries.is_rebuilding() or entries.is_outdated():
                    self.scribe()
                self._read_to = last

    def _words_left(self, words: str | None = None) -> None:
        """Words left the journal: whatever was made from it is made again without them."""
        self._derived.drop()
        self.spending.words_left()
        self._organiser.drop(words)
        drop_backups(self.home)
        self.scribe()
        if self._identity.again(words):
            self._workbook.write()
        self._organiser.history.begin_again()
        self._follow()

    def _told(self, id_: str) -> Entry:
        """The entry a person told us about; its rule follows it."""
        self._rulebook.settle()
        return self._store.entries.one(id_)

    def _kept_name(self, session: str | None) -> str | None:
        """A session's id as it may be kept: hosts and hooks may put anything into it."""
        return None if session is None else self._scrub(session)

    def _named(self, session: str, project: str | None = None) -> str:
        """A session by the name the journal has for it: what was told us may hold what was taken out of that. Asked
        from a project, where no session of another one is known."""
        if project is not None:
            return self._named_in(session, project)
        with suppress(UnknownSession):
            self._store.journal.session_id(session)
            return session
        return self._scrub(session)

    def _named_in(self, session: str, project: str) -> str:
        found = self._store.journal.latest_in(project or None) if session == "latest" else self._session_id(session)
        facts = None if found is None else self._store.briefed.session(found)[0]
        if facts is None or facts.project != (project or None):
            raise UnknownSession(f"no session {session!r} here", hint=f"asked from {project or 'no project'}")
        return f"{facts.source}:{facts.session}"

    def _session_id(self, session: str) -> int:
        """The session called so, or the only one whose id begins so."""
        return self._store.journal.session_id(self._named(session))

    def excluded(self) -> list[str]:
        """What is left out."""
        return [pattern for pattern, _ in self._store.control.excluded()]

    @cached_property
    def _rulebook(self) -> "Rulebook":
        from steno.pipeline.rulebook import Rulebook

        return Rulebook(self._store, self._clock, self._scrub)

    @cached_property
    def _flowbook(self) -> "Flowbook":
        from steno.pipeline.flowbook import Flowbook

        return Flowbook(self._store, self._clock, self._scrub)

    @cached_property
    def _briefer(self) -> "Briefer":
        from steno.pipeline.brief import Briefer

        return Briefer(self._store, self._rulebook, self._flowbook, clock=self._clock, flags=self._flags.for_agents)

    @cached_property
    def _gate(self) -> "Gate":
        from steno.pipeline.gate import Gate

        return Gate(self._store, self._rulebook, self._flowbook, clock=self._clock, scrub=self._scrub)

    @cached_property
    def _identity(self) -> "Identity":
        from steno.pipeline.identity import Identity

        folder = self.home / "notebook"
        return Identity(self._store, lambda: self._rulebook.all(), self._flags, clock=self._clock, folder=folder)

    @cached_property
    def _organiser(self) -> "Organiser":
        from steno.pipeline.organise import Organiser

        return Organiser(
            self._store, self._rulebook, self._flowbook, clock=self._clock, scrub=self._scrub,
            root=self.home / "notebook", memory_bytes=self.settings["memory_bytes"],
        )  # fmt: skip

    @cached_property
    def _flags(self) -> "Flags":
        from steno.pipeline.flags import Flags

        return Flags(
            self._store, self._clock, lambda: limits(self._environment),
            home=self.home if self.settings["auto_capture"] else None,
        )  # fmt: skip

    def limits(self) -> list[Limit]:
        """Files hosts load when a session starts: how full they are, and what would be cut from them."""
        scrub = self._scrubber.text
        return [
            structs.replace(
                one, cut=one.cut and structs.replace(one.cut, begins=scrub(one.cut.begins), ends=scrub(one.cut.ends))
            )
            for one in limits(self._environment)
        ]

    @property
    def owning(self) -> "Owning":
        """What is proposed for files of hosts that own a kind of fact."""
        from steno.pipeline.owning import Owning

        self._catch_up()
        return Owning(self._store, self._environment)

    def follow_notes(self) -> None:
        """Read memory files and repositories again that were captured before and changed since."""
        if self._store.control.paused():
            return
        for source, path in self._store.control.followed():
            if os.path.exists(path):
                captured = self._capture().run([path], [source_named(source)], forced=True, named=False)
                if captured.turns:
                    self._captured(captured)

    @cached_property
    def _workbook(self) -> "Workbook":
        from steno.pipeline.workbook import Workbook

        return Workbook(self._store, self._clock, self.home / "notebook")

    @cached_property
    def spending(self) -> "Spending":
        """The way to a model that makes better notes: whether it may be asked, what it took, what it was told."""
        from steno.pipeline.spending import Spending

        return Spending(self._store, self.settings, home=self.home, clock=self._clock, scrub=self._scrub)

    def freshness(self, id_: str) -> float:
        """What an entry has left of its weight in recall, from 1 to 0: what a session taught loses it without use."""
        return self._store.searched.freshness(id_, self._clock())

    def unembedded(self) -> int:
        """How many turns and entries have no vectors."""
        return self._store.vectors.missing()

    def sketch(self, progress: Callable[[int], None]) -> int:
        """Index words and, where many turns wait for their vectors, sketch them. How many turns."""
        return self._derived.sketch(progress)

    def unused(self) -> list[str]:
        """What holds for long and nobody recalled or used lately: ids."""
        days = timedelta(days=self.settings["unused_days"])
        return self._store.accesses.unused(before(self._clock(), days))

    @property
    def accesses(self) -> "Accesses":
        """How often entries are used, and what they have to do with each other."""
        return self._store.accesses

    @cached_property
    def _fill(self) -> "Fill":
        from steno.pipeline.fill import Fill

        return Fill(self._store, self._identity, scribe=self.scribe, clock=self._clock, folder=self.home / "notebook")

    def _captured(self, captured: Captured) -> None:
        """The journal has grown: contexts may be filling up, and what is new wants its vectors."""
        self._fill.check(captured.sessions)
        self._follow()

    def _follow(self) -> None:
        """The journal has grown: index its words and make its vectors behind."""
        self._unembedded = True
        self._behind.nudge()

    def _work_behind(self, stop: Callable[[], bool]) -> None:
        """Write down what was recalled, then make vectors, until there is nothing left or somebody closes us."""
        # On an error the next nudge tries again; what is missing stands in `recallable` and in `status`.
        with suppress(StenoError):
            self._uses.write()
            if self._unembedded:
                self._unembedded = False
                self._derived.index(stop=stop)
                self._derived.embed(stop=stop)

    def _scrub(self, text: str) -> str:
        """A text without secrets."""
        return self._scrubber.text(text)

    @cached_property
    def _scrubber(self) -> "Scrubber":
        """The redactor in force: the store's key and the user's own patterns. Compiled when it is needed first."""
        from steno.pipeline.scrub import Scrubber
        from steno.redact import BadPattern, Redactor

        try:
            return Scrubber(Redactor(secret=self._store.secret, extra=self.settings["redact_patterns"]))
        except BadPattern as error:
            raise BadSetting(f"redact_patterns: {error}", hint="patterns follow RE2's syntax") from error

    def _adopt_secret(self, secret: bytes) -> None:
        """A memory moves into this home with its key; markers are made with it from now on."""
        if self._store.is_new():
            self._store.adopt_secret(secret)
            self.__dict__.pop("_scrubber", None)

    def _choose_like(self, other: "Rooms") -> None:
        """What the user leaves out of the other memory is left out of this one, too."""
        self.settings, self._scrubber = other.settings, other._scrubber
        control, now = self._store.control, self._clock()
        for pattern in other.excluded():
            control.exclude(pattern, now)
        for since, until in other._store.control.pauses():
            control.pause(since)
            if until is not None:
                control.resume(until)

    def _capture(self, *, dry: bool = False) -> "Capture":
        from steno.pipeline.capture import Capture

        return Capture(self._store, self._scrubber, self._leave_out, clock=self._clock, dry=dry)

    def _leave_out(self) -> LeaveOut:
        """The user's say as it is now: they may pause while a long capture runs."""
        return LeaveOut(
            # What a program that is our model says there is not heard.
            excluded=[*self.excluded(), str(self.home / MODEL_FOLDER)],
            pauses=self._store.control.pauses(),
            capture_assistant=self.settings["capture_assistant"],
            own=[str(self.home)],
        )

    def _sources(self, name: str | None, *, everywhere: bool) -> list[Source]:
        """The source the user named; else all we know for a path, or the configured ones for the hosts' places."""
        if name is not None:
            return [source_named(name)]
        return [source_named(chosen) for chosen in (TRANSCRIPTS if everywhere else self.settings["sources"])]

    def _capture_on_record(self, *, dry: bool) -> "Capture":
        if since := self._store.control.paused():
            raise StenoError(f"capture is paused since {since}", hint="`steno resume` goes on")
        return self._capture(dry=dry)

    def _places(self, sources: list[Source]) -> list[str]:
        return [str(place) for source in sources for place in source.places(self._environment)]
