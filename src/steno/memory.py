"""The front desk: one short method per verb. Every door translates, calls this, translates back, and nothing else."""

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec import structs

from steno.authority import Authority
from steno.clock import Clock, before, moment, utc_now
from steno.home import Home
from steno.pipeline.behind import Behind
from steno.pipeline.derived import Derived, after_seconds
from steno.pipeline.leave_out import whole_path
from steno.pipeline.named import kept_name, named, session_id, session_or_all
from steno.pipeline.told import field_of, hold_against, topic_of
from steno.pipeline.uses import Uses, unused
from steno.recall import How, Recall, Within, check
from steno.settings import Settings, home_of
from steno.sources import source_named
from steno.sources.common import project_of
from steno.vocabulary import (
    CATEGORIES,
    STATUSES,
    Action,
    Answer,
    Briefing,
    Captured,
    Check,
    Checkpoint,
    Entry,
    Forgotten,
    Found,
    Graded,
    HeldPage,
    Hit,
    Imported,
    JournalTurn,
    Learnt,
    Loss,
    Offer,
    Outcome,
    Recallable,
    Receipt,
    Review,
    Scope,
    Status,
    Verdict,
)
from steno.vocabulary.acts import STENO, Act, Who
from steno.vocabulary.backtests import Backtest
from steno.vocabulary.beliefs import Belief
from steno.vocabulary.briefings import Why
from steno.vocabulary.errors import StenoError, StoreError, UnknownEntry, UnknownSession, UnknownTurn, WrongUse
from steno.vocabulary.notebooks import Limit
from steno.vocabulary.readings import ReadByModel

# What only some verbs need is imported there: recall sits in the path of every prompt and must not wait for it.
if TYPE_CHECKING:
    from steno.fleet.fleet import Fleet
    from steno.llm.base import Question, Reply
    from steno.pipeline.boot import Starts
    from steno.pipeline.brief import Briefer
    from steno.pipeline.capture import Capture, Progress
    from steno.pipeline.flowbook import Flowbook
    from steno.pipeline.gate import Gate
    from steno.pipeline.identity import Identity
    from steno.pipeline.model_pass import Ask
    from steno.pipeline.organise import Organiser
    from steno.pipeline.owning import Owning
    from steno.pipeline.pages import Pages
    from steno.pipeline.rulebook import Rulebook
    from steno.pipeline.sharing import Sharing
    from steno.pipeline.spending import Spending
    from steno.pipeline.waiting import Waiting
    from steno.pipeline.why import Explainer
    from steno.pipeline.workbook import Workbook
    from steno.store.accesses import Accesses
    from steno.store.readings import ToRead
    from steno.upkeep.run import Upkeep
    from steno.vocabulary.notebooks import Synced

# Transcripts that may tell of a call that goes on, those an agent is writing now, and how late it may be with that.
_LATELY_NS: Final = 24 * 3600 * 10**9
_AT_WORK_NS: Final = 10 * 10**9
_WRITTEN_DOWN_SECONDS: Final = 0.25
# A session nobody was heard in for so long does not go on.
_GOES_ON: Final = timedelta(hours=1)


def open(home: str | os.PathLike[str] | None = None) -> "Memory":
    """Open a memory: the home STENO_HOME names (else ~/.steno), or another folder."""
    if home is not None and "://" in str(home):
        raise WrongUse(f"cannot open {home}: only folders can be opened so far", hint="give the path of a folder")
    return Memory(Path(home) if home is not None else home_of(os.environ))


class Memory:
    """Everything Steno can do with one home. Close it, or use it in a `with` statement.

    A room is made when it is needed first: recall, gates and hooks sit in the path of every prompt and must not wait
    for the rest. Looking at a room learns nothing: whoever wants what was just captured calls `learn` first.
    """

    def __init__(
        self, root: Path, *, environment: Mapping[str, str] = os.environ, clock: Clock = utc_now, reads_on: bool = True,
        most_unread: int | None = None, who: Who | None = None,
    ) -> None:  # fmt: skip
        self.home = Home(root, environment=environment, clock=clock)
        # On whose behalf this works; None: of whoever runs this process.
        self.authority = Authority(self.home, who, self.read_on, self._would_forget)
        self.derived = Derived(self.home)
        self.uses = Uses(self.home.store.searched)
        # Whether who asks what was learnt waits until all that was captured is. The daemon has a thread for that.
        self._reads_on = reads_on
        # Nobody waits for more turns than this where somebody else reads them, too.
        self._most_unread = most_unread
        # The newest turn there was when nothing was left to learn; nobody has looked yet.
        self._read_to = -1
        self._behind = Behind(self.uses, self.derived)

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store."""
        self._behind.close()
        with suppress(StenoError):
            self.uses.write()
        self.home.store.close()

    # -- rooms ---------------------------------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """What the user chose."""
        return self.home.settings

    @cached_property
    def rules(self) -> "Rulebook":
        """How to behave: scored instructions, and what people do with them."""
        from steno.pipeline.rulebook import Rulebook

        return Rulebook(self.home)

    @cached_property
    def flows(self) -> "Flowbook":
        """How to do it: named procedures, and their record."""
        from steno.pipeline.flowbook import Flowbook

        return Flowbook(self.home)

    @cached_property
    def works(self) -> "Workbook":
        """Pieces of work, and how people end them."""
        from steno.pipeline.workbook import Workbook

        return Workbook(self.home)

    @cached_property
    def waiting(self) -> "Waiting":
        """What a person may decide."""
        from steno.pipeline.waiting import Waiting

        return Waiting(self.home, self.rules, self.authority)

    @cached_property
    def gate(self) -> "Gate":
        """What stands before and after an action."""
        from steno.pipeline.gate import Gate

        return Gate(self.home, self.rules)

    @cached_property
    def briefer(self) -> "Briefer":
        """What agents are told, with its receipts."""
        from steno.pipeline.brief import Briefer

        return Briefer(self.home, self.rules)

    @cached_property
    def starts(self) -> "Starts":
        """What agents are told when they start."""
        from steno.pipeline.boot import Starts

        return Starts(self.home, self.rules, self.briefer)

    @cached_property
    def identity(self) -> "Identity":
        """Where everything stands, for who knows nothing yet."""
        from steno.pipeline.identity import Identity

        return Identity(self.home, self.rules)

    @cached_property
    def notebook(self) -> "Organiser":
        """What is known as pages that people read and edit."""
        from steno.pipeline.organise import Organiser

        return Organiser(self.home, self.rules, self._look_at_agents)

    def _look_at_agents(self) -> None:
        """Capture what agents did lately: the journal is to know of it before a file is taken for a person's."""
        from steno.pipeline.capture import meant

        if not self.settings["auto_capture"] or self.home.store.control.paused():
            return
        places, sources = meant(self.home, (), None)
        there, now = [place for place in places if os.path.exists(place)], time.time_ns()
        capture = self._capture()
        with suppress(StenoError):
            capture.run(there, sources, named=False, since_ns=now - _LATELY_NS)
            if now - capture.newest_ns < _AT_WORK_NS:
                # A host writes down a call a moment after it ran it.
                time.sleep(_WRITTEN_DOWN_SECONDS)
                self._capture().run(there, sources, named=False, since_ns=now - _AT_WORK_NS)

    @cached_property
    def pages(self) -> "Pages":
        """Files of the notebook, read by name."""
        from steno.pipeline.pages import Pages

        return Pages(self.home)

    @cached_property
    def sharing(self) -> "Sharing":
        """What people let others see."""
        from steno.pipeline.sharing import Sharing

        return Sharing(self.home)

    @cached_property
    def spending(self) -> "Spending":
        """The way to a model that makes better notes: whether it may be asked, what it took, what it was told."""
        from steno.pipeline.spending import Spending

        return Spending(self.home)

    @cached_property
    def fleet(self) -> "Fleet":
        """Many agents: who they are, what they can do, what they write to each other."""
        from steno.fleet.fleet import Fleet

        return Fleet(self.home)

    @cached_property
    def upkeep(self) -> "Upkeep":
        """What the memory does to take care of itself: every night and in idle time."""
        from steno.upkeep.run import Upkeep

        return Upkeep(self.home)

    @cached_property
    def owning(self) -> "Owning":
        """What is proposed for files of hosts that own a kind of fact."""
        from steno.pipeline.owning import Owning

        return Owning(self.home)

    @cached_property
    def why(self) -> "Explainer":
        """Why something was asked, told or found, as it was noted then."""
        from steno.pipeline.why import Explainer

        return Explainer(self.home)

    @property
    def accesses(self) -> "Accesses":
        """How often entries are used, and what they have to do with each other."""
        return self.home.store.accesses

    # -- capture: what was said, copied ------------------------------------------------------------------------------

    def capture(
        self, *paths: str | os.PathLike[str], source: str | None = None, progress: "Progress | None" = None,
        dry_run: bool = False,
    ) -> Captured:  # fmt: skip
        """Read everything new at or below the paths; without paths, from the hosts' own places. `dry_run`: only say
        what there is, and write nothing."""
        from steno.pipeline.capture import elsewhere, meant

        if not dry_run and elsewhere(self.home, paths):
            self.home.only_people("capture")
        if since := self.home.store.control.paused():
            raise StenoError(f"capture is paused since {since}", hint="`steno pause off` goes on")
        places, sources = meant(self.home, paths, source)
        places = places if paths or dry_run else self._own_places(places)
        captured = self._capture(dry=dry_run).run(
            [place for place in places if paths or os.path.exists(place)],
            sources,
            forced=source is not None and bool(paths),
            busy_seconds=self.settings["busy_seconds"],
            progress=progress,
        )
        return captured if dry_run else self._captured(captured)

    def watch(
        self, *paths: str | os.PathLike[str], source: str | None = None,
        told: Callable[[Captured], None] = lambda _: None, stop: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """Go on capturing as transcripts grow, until `stop` says so. Tells what each capture brought."""
        from steno.pipeline.capture import elsewhere, meant
        from steno.pipeline.watch import watch

        if elsewhere(self.home, paths):
            self.home.only_people("capture")
        places, sources = meant(self.home, paths, source)
        places = places if paths else self._own_places(places)

        def capture(changed: list[str]) -> None:
            there = [path for path in changed if paths or os.path.exists(path)]
            forced = source is not None and bool(paths)
            told(self._captured(self._capture().run(there, sources, forced=forced, named=False)))

        watch(places, capture, rescan_seconds=self.settings["rescan_seconds"], stop=stop)

    def _own_places(self, places: list[str]) -> list[str]:
        """Where hosts write. An agent that starts us sets our environment, and names no place that we do not know."""
        control = self.home.store.control
        if (known := control.places()) and self.authority.is_below_agent:
            return [place for place in places if os.path.realpath(place) in known]
        with suppress(StoreError):  # they are kept the next time
            control.keep_places(map(os.path.realpath, places))
        return places

    def pause(self) -> None:
        """Go off the record: what is said from now on is not captured, not even later."""
        self.home.only_people("pause")
        # What was said until now is on record. Whatever is in the way of reading it is not in the way of the pause.
        with suppress(StenoError):
            self._captured(self._capture().read_on(busy_seconds=self.settings["busy_seconds"]))
        self.home.store.control.pause(self.home.clock())

    def resume(self) -> None:
        """Go on record again; what was said meanwhile is read and dropped before."""
        self.home.only_people("pause off")
        if self.home.store.control.paused():
            self._capture().read_on(busy_seconds=self.settings["busy_seconds"])
        self.home.store.control.resume(self.home.clock())

    def exclude(self, pattern: str) -> None:
        """Leave out a project, a folder or transcripts whose path matches a pattern."""
        self.authority.only_people("capture exclude", said=pattern)
        path = whole_path(pattern)
        if self.home.clean(path) != path:
            raise WrongUse("this path holds what looks like a secret", hint="put * there, as in '/x/*'")
        self.home.store.control.exclude(path, self.home.clock())

    def include(self, pattern: str) -> None:
        """Take in again what was excluded."""
        self.authority.only_people("capture include", said=pattern)
        self.home.store.control.include(whole_path(pattern))

    def follow_notes(self) -> None:
        """Read memory files and repositories again that were captured before and changed since."""
        control = self.home.store.control
        for source, path in [] if control.paused() else control.followed():
            if os.path.exists(path):
                self._captured(self._capture().run([path], [source_named(source)], forced=True, named=False))

    def excluded(self) -> list[str]:
        """What is left out."""
        return [pattern for pattern, _ in self.home.store.control.excluded()]

    def read_on(self) -> None:
        """Capture what is new in transcripts of the hosts' own places that were captured before."""
        from steno.pipeline.capture import meant

        if self.settings["auto_capture"] and not self.home.store.control.paused():
            self._captured(self._capture().read_on(busy_seconds=0, below=meant(self.home, (), None)[0]))

    def _capture(self, *, dry: bool = False) -> "Capture":
        from steno.pipeline.capture import Capture

        return Capture(self.home, dry=dry)

    def _captured(self, captured: Captured) -> Captured:
        """If the journal has grown, contexts may be filling up, and what is new wants its vectors."""
        if captured.turns:
            from steno.pipeline.fill import Fill

            Fill(self.home, self.identity, self.scribe).check(captured.sessions)
            self._behind.follow()
        return captured

    # -- learning: from turns to entries -----------------------------------------------------------------------------

    def learn(self, session: str | None = None) -> None:
        """Learn what was captured, by anybody, before it is asked for; if others see to that, only of this session."""
        store = self.home.store
        if not self._reads_on:
            if session is not None and store.entries.unread(session_id(self.home, session)):
                self.scribe(session)
        elif (last := store.searched.last_turn()) != self._read_to:
            # What cannot be written now is no reason not to answer from what is known; the next verb tries again.
            with suppress(StoreError):
                if self._most_unread is not None and self.unread() > self._most_unread:
                    return
                due = store.entries.unread() or store.entries.is_rebuilding() or store.entries.is_outdated()
                if due or store.works.quiet(self.home.clock()):
                    self.scribe()
                self._read_to = last

    def scribe(
        self, session: str | None = None, progress: Callable[[int], None] = lambda _: None,
        saved: Callable[[], None] = lambda: None,
    ) -> Learnt:  # fmt: skip
        """Read what is new in the journal and write down what is worth keeping, each with its quote; `saved` is called
        as soon as that is in the store."""
        # The scribe's patterns take a third of a second to compile; who only recalls must not wait for them.
        from steno.pipeline.learn import Learn
        from steno.pipeline.loss import count_due
        from steno.pipeline.weighing import weigh_lately

        store, now = self.home.store, self.home.clock()
        learn = Learn(store, told=progress)
        learnt = learn.run(now, session_or_all(self.home, session))
        self.rules.settle()
        # Whoever waits for what must not be lost need not wait for the rest.
        saved()
        weigh_lately(store, learn.sessions)
        store.entries.archive_done(before(now, timedelta(days=self.settings["done_days"])))
        self.rules.settle()
        # The files say nothing the store does not: what cannot be written now is when the work goes on.
        with suppress(StoreError):
            # Old history that is read needs no files.
            if any((store.briefed.last_at(one) or "") >= before(now, _GOES_ON) for one in learn.sessions):
                self.identity.save()
            if learn.works:
                self.works.write(learn.works)
            self.notebook.follow()
        self.flows.settle()
        count_due(self.home, learn.sessions, self.briefer)
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
        self.learn(session)
        model = ModelPass(self.home, ask or spend, spending.may_ask if ask is None else lambda _: "")
        done = model.run(session_or_all(self.home, session), at_once=at_once, stop=stop)
        if done.portions:
            self.rules.settle()
        return done

    def save(self, session: str | None = None) -> None:
        """Write down as files where everything stands, and this session, however full its context is."""
        with suppress(UnknownSession):
            self.identity.save(session_or_all(self.home, session))

    def keep_notebook(self, told: "Callable[[Synced], None]", stop: Callable[[], bool]) -> None:
        """Take in what people save as they save it, until `stop` says so; and what changed of memory files."""
        from steno.pipeline.watch import watch

        def sync(changed: list[str]) -> None:
            if changed == places:
                # Everything is looked at again, and with it what was taken in from elsewhere.
                self.follow_notes()
            told(self.notebook.sync())

        places = [str(self.home.notebook)]
        watch(places, sync, rescan_seconds=self.settings["rescan_seconds"], stop=stop)

    def entries(
        self, *, category: str | None = None, status: str | None = None, session: str | None = None,
        project: str | None = None, domain: str | None = None,
    ) -> list[Entry]:  # fmt: skip
        """What is remembered, the oldest first; of a project, what is seen there, or of its session."""
        self.learn()
        id_ = session_or_all(self.home, session, project)
        chosen = {"category": category, "status": status, "domain": domain}
        return self.home.store.entries.all(session_id=id_, project=None if id_ else project, **chosen)

    def entry(self, id_: str) -> Entry:
        """One entry, by its id or the beginning of it."""
        self.learn()
        return self.home.store.entries.one(id_)

    def checkpoint(self, session: str = "latest", project: str | None = None) -> Checkpoint:
        """Where the work of a session stands, and the trail of what was done; `project`: the session must be of it."""
        self.learn()
        return self.home.store.entries.checkpoint(session_id(self.home, session, project)) or Checkpoint()

    def remember(
        self, summary: str, *, category: str, project: str | None = None, agent: str | None = None,
        by_agent: bool = False, domain: str | None = None,
    ) -> Entry:  # fmt: skip
        """A person tells us something to remember; or an agent, whose word cannot become a rule or a refusal."""
        if category not in CATEGORIES:
            raise WrongUse(f"no category is called {category!r}", hint=f"the categories are {', '.join(CATEGORIES)}")
        if not summary.strip():
            raise WrongUse("there is nothing to remember", hint='steno entries remember "…" --category fact')
        if by_agent and category in ("rule", "rejected"):
            raise WrongUse(f"only a person's words become a {category} entry", hint="remember it as a learning")
        words = self.home.clean(summary.strip())
        origin: Literal["edit", "agent"] = "agent" if by_agent else "edit"
        field = field_of(domain)
        where = {"project": project, "agent": agent, "domain": field, "topic": topic_of(category, words, field)}
        id_ = self.home.store.entries.remember(words, category, **where, now=self.home.clock(), origin=origin)
        if not by_agent:
            hold_against(self.home.store, id_, project)
        return self._told(id_)

    def revise(
        self, id_: str, *, summary: str | None = None, category: str | None = None, status: str | None = None
    ) -> Entry:
        """A person corrects an entry: from now on it is theirs."""
        if category not in (None, *CATEGORIES) or status not in (None, *STATUSES):
            choices = ", ".join((*CATEGORIES, *STATUSES))
            raise WrongUse("no such category or status", hint=f"the choices are {choices}")
        if summary is not None and not summary.strip():
            raise WrongUse("the new summary is empty", hint="`steno entries archive` archives an entry")
        words = None if summary is None else self.home.clean(summary.strip())
        value = {"summary": words, "category": category, "status": status}
        return self._told(self.home.store.entries.revise(id_, value, self.home.clock()))

    def archive(self, id_: str) -> Entry:
        """A person lays an entry aside."""
        return self._told(self.home.store.entries.archive(id_, self.home.clock()))

    def _told(self, id_: str) -> Entry:
        """The entry a person told us about; its rule follows it."""
        self.rules.settle()
        return self.home.store.entries.one(id_)

    def reviews(self, id_: str | None = None, *, project: str | None = None) -> list[Review]:
        """What waits for a person's word: what agents asked for, pages, contradictions, rules that may end, and what is
        offered, of a project or of all; or the one."""
        self.learn()
        if id_ is None:
            return self.waiting.now(project)
        found = [one for one in self.waiting.all() if id_ and one.id.startswith(id_)]
        if len(found) != 1:
            problem = f"several reviews begin with {id_!r}" if found else f"no open review {id_!r}"
            raise UnknownEntry(problem, hint="`steno review` lists them")
        return found

    def resolve(self, review: str, keep: Answer, words: str | None = None) -> Review:
        """A person's word on what waits; what that is now."""
        if (keep == "reword") != bool(words and words.strip()):
            raise WrongUse("words go with `reword`, and only with that", hint='steno review answer ID reword "…"')
        said = self.home.clean(words.strip()) if words else None
        [found] = self.reviews(review)
        if isinstance(found, Act):
            raise WrongUse(f"{found.id} is what an agent asked for", hint="`steno review answer ID yes`, or no")
        if isinstance(found, HeldPage):
            return self.notebook.answer(found, keep)
        settled = self.home.store.reviews.answer(found, keep, said, self.home.clock())
        self.rules.settle()
        return settled

    def unresolve(self) -> Review:
        """Take the last answer to a review back; what it was about, as it is now."""
        self.learn()
        id_ = self.home.store.reviews.undo()
        self.rules.settle()
        again = (one for one in self.waiting.all() if one.id == id_)
        return next(again, None) or Offer(id=id_, entry=self.entry(id_))

    def rebuild(self, progress: Callable[[int], None] = lambda _: None) -> Learnt:
        """Drop everything derived and learn it again from the journal; what people told us is applied again."""
        self.home.only_people("store rebuild")
        self.home.store.entries.clear()
        return self.scribe(progress=progress)

    def backtest(self, *paths: str | os.PathLike[str], source: str | None = None, apply: bool = False) -> Backtest:
        """What would have been learnt from old sessions, in a store that is thrown away; `apply`: then here, too."""
        import tempfile

        with (
            tempfile.TemporaryDirectory(prefix="steno-backtest-") as folder,
            Memory(Path(folder), environment=self.home.environment, clock=self.home.clock, who=STENO) as scratch,
        ):
            scratch.home.choose_like(self.home)
            scratch.capture(*paths, source=source)
            learnt, ended = scratch.scribe(), max((one.last_at or "" for one in scratch.sessions()), default="")
            rules, flows = scratch.rules.all(at=ended or None), scratch.flows.all()
            entries, reviews = scratch.entries(), scratch.reviews()
        if apply:
            self.capture(*paths, source=source)
            learnt = self.scribe()
        return Backtest(learnt=learnt, entries=entries, rules=rules, flows=flows, reviews=reviews)

    # -- looking -----------------------------------------------------------------------------------------------------

    def status(self) -> Status:
        """How much is in the journal, and how much of each session."""
        from steno.pipeline.coverage import coverage

        return coverage(self.home, self.derived.recallable(), self.spending.state())

    def sessions(self) -> list[Found]:
        """All sessions, the latest first."""
        return self.home.store.journal.sessions()

    def projects(self) -> list[str]:
        """Projects somebody worked in, the latest first."""
        return self.home.store.journal.projects()

    def turns(self, session: str, project: str | None = None) -> Iterator[JournalTurn]:
        """Turns of a session (its id or the beginning of it), in order."""
        return self.home.store.journal.turns(named(self.home, session, project))

    def recall(
        self, query: str, *, k: int = 10, within: Within = "all", project: str | None = None, agent: str | None = None,
        at: str | None = None, now: str | None = None, past: bool = False, budget_tokens: int | None = None,
        session: str | None = None, how: How = "likely",
    ) -> list[Hit]:  # fmt: skip
        """What fits a question best: entries, turns, sessions, or entries and turns together. Recalling counts as use.
        `at` asks as of that time; `past` also brings up what was superseded or archived; `now` is when it is asked, by
        `session`; `how`: the `nearest` also where nothing likely fits, or only what holds it word for word."""
        check(query, k, within, how)
        at, now = moment(at), moment(now)
        if within in ("all", "entries"):
            self.learn()
        hits = Recall(self.home.store, *self.derived.ready()).answer(
            query, k=k, within=within, scope=Scope(project=project, agent=agent, until=at),
            now=now or at or self.home.clock(), past=past, budget=budget_tokens, how=how,
        )  # fmt: skip
        self.uses.note(hits, at=self.home.clock(), session=kept_name(self.home, session))
        self._behind.nudge()
        return hits

    def unsaid(self, query: str, scope: Scope | None = None) -> list[str]:
        """What a question calls by its name and nobody in scope ever said: a reason to mistrust what was found."""
        return Recall(self.home.store, self.derived.ready_words(), None).unsaid(
            query, scope or Scope(), self.home.clock()
        )

    def believes(
        self, topic: str, *, k: int = 10, project: str | None = None, agent: str | None = None
    ) -> list[Belief]:
        """What is believed on a topic: what holds since when, what it replaced and why, whose words, who was told."""
        from steno.pipeline.believes import about, beliefs

        hits = self.recall(topic, k=k, within="entries", project=project, agent=agent, past=True)
        return beliefs(self.home.store, about(topic, hits, self.home.clock()), Scope(project=project, agent=agent))

    def recallable(self) -> Recallable:
        """How well recall can answer now."""
        return self.derived.recallable()

    def embed(self, progress: Callable[[int], None] = lambda _: None, seconds: float | None = None) -> int:
        """Make what recall needs besides the store: words indexed, vectors of what was said. How many got theirs."""
        self.derived.index()
        return self.derived.embed(progress, *([after_seconds(seconds)] if seconds is not None else []))

    def rebuild_vectors(self, progress: Callable[[int], None] = lambda _: None) -> int:
        """Drop the vectors and the index of words and make them anew, with the model chosen now."""
        return self.derived.again(progress)

    def unread(self, session: str | None = None) -> int:
        """How many turns the scribe has not read, of all sessions or of one."""
        return self.home.store.journal.unread(session_or_all(self.home, session))

    def freshness(self, id_: str) -> float:
        """What an entry has left of its weight in recall, from 1 to 0: what a session taught loses it without use."""
        return self.home.store.searched.freshness(id_, self.home.clock())

    def unused(self) -> list[str]:
        """What holds for long and nobody recalled or used lately: ids."""
        return unused(self.home)

    def unembedded(self) -> int:
        """How many turns and entries have no vectors."""
        return self.home.store.vectors.missing()

    def sketch(self, progress: Callable[[int], None]) -> int:
        """Index words and, where many turns wait for their vectors, sketch them. How many turns."""
        return self.derived.sketch(progress)

    def limits(self) -> list[Limit]:
        """Files hosts load when a session starts: how full they are, and what would be cut from them."""
        from steno.sources.bootstrap import limits

        clean = self.home.clean
        return [
            structs.replace(
                one, cut=one.cut and structs.replace(one.cut, begins=clean(one.cut.begins), ends=clean(one.cut.ends))
            )
            for one in limits(self.home.environment)
        ]

    def doctor(self) -> list[Check]:
        """Prove that the store is sound."""
        changed = self.rules.differing()
        names = ", ".join(changed[:20])
        rules = f"not what people said and did makes of them: {names}" if changed else "are what people said and did"
        return [*self.home.store.proofs.all(), Check(name="rules", ok=not changed, detail=rules)]

    # -- acting: rules, flows, gates, briefings ----------------------------------------------------------------------

    def before(
        self, action: Action, *, keeps_back: Callable[[str, float], str] = lambda *_: "", given: bool = True
    ) -> Verdict:
        """What stands in the way of an action; `keeps_back`: why not to warn of an id, as likely as that."""
        self.learn()
        return self.gate.before(action, keeps_back, given=given)

    def warm(self) -> None:
        """Make ready what the gate needs. Called again and again, so that no answer has to wait for it."""
        self.gate.warm()

    def after(self, outcome: Outcome) -> Graded:
        """How an action went: rules and flows learn from it."""
        self.learn()
        return self.gate.after(outcome)

    def brief(
        self, tier: int = 0, session: str = "latest", *, at: str | None = None, pushed: bool = False,
        given: bool = True, project: str | None = None,
    ) -> Briefing:  # fmt: skip
        """What an agent is told after its context was lost; `at` asks as of that time; `pushed`: it did not ask."""
        name = named(self.home, session, project, moment(at))
        self.learn(name)
        return self.briefer.brief(tier, name, at=moment(at), pushed=pushed, given=given)

    def project_of(self, directory: str) -> str:
        """The project a directory belongs to."""
        return project_of(os.path.abspath(directory))

    def boot(
        self, *, project: str | None = None, agent: str | None = None, session: str | None = None,
        at: str | None = None, small: bool = False, given: bool = True,
    ) -> Briefing:  # fmt: skip
        """What an agent is told when it starts; `small`: a subagent. Not `given` to anybody yet, it has no receipt."""
        self.learn()
        return self.starts.boot(
            project=project, agent=agent, session=kept_name(self.home, session), at=moment(at), small=small, given=given
        )

    def state_line(
        self, session: str = "latest", *, at: str | None = None, given: bool = True, project: str | None = None
    ) -> Briefing:
        """Where a session's work stands, on one line: for agents without files."""
        name = named(self.home, session, project, moment(at))
        self.learn(name)
        return self.starts.state_line(name, at=moment(at), given=given)

    def loss(self, session: str = "latest", project: str | None = None) -> Loss:
        """What a session's last compaction took, and what is left of it."""
        name = named(self.home, session, project)
        self.learn(name)
        from steno.pipeline.loss import counted

        return counted(self.home.store, session_id(self.home, name), self.briefer)

    def handoff(self, project: str | None = None) -> str:
        """Work in hand, open commitments, what is new, flags: for whoever goes on, in one project or anywhere."""
        self.learn()
        return self.identity.handoff(project)

    def capsule(self, agent: str | None = None) -> str:
        """Who, priorities, critical facts, the last three sessions."""
        self.learn()
        return self.identity.capsule(agent)

    def remind(
        self, prompt: str, *, project: str | None = None, agent: str = "", session: str | None = None,
        told: Collection[str] = (),
    ) -> list[Entry]:  # fmt: skip
        """What a prompt calls to mind so strongly that it may be said unasked; none that was told or said there."""
        from steno.pipeline.reminders import reminders, unasked

        shares, kept = self.home.store.shares, kept_name(self.home, session)
        may_be_told = unasked(shares, project=project, agent=agent, session=kept, told=told)
        match self.settings["auto_recall"]:
            case "off":
                return []
            case "top_k":
                most = self.settings["recall_top_k"]
                hits = self.recall(prompt, k=most, within="entries", project=project, session=session)
                return [entry for entry in (self.entry(str(hit.id)) for hit in hits) if may_be_told(entry)]
            case _:
                self.learn()
                return reminders(self.gate.index, self.rules, prompt, agent=agent, may_be_told=may_be_told)

    def given(self, briefing: Briefing, why: Why = "asked") -> None:
        """Keep the receipt of something an agent really has; what cannot be written was given anyway."""
        self.briefer.given(briefing, why, session=kept_name(self.home, briefing.session))

    def receipts(self, session: str | None = None) -> list[Receipt]:
        """What was given to whom, the oldest first."""
        with suppress(UnknownSession):
            session = session and self.home.store.briefed.session(session_id(self.home, session))[0].session
        return self.home.store.receipts.of(kept_name(self.home, session))

    # -- forgetting --------------------------------------------------------------------------------------------------

    def forget(
        self, *, session: str | None = None, turn: int | None = None, text: str | None = None,
        since: str | None = None, until: str | None = None, only_count: bool = False,
    ) -> Forgotten:  # fmt: skip
        """Erase a session, a turn, a text or a stretch of time, so that no byte is left and it does not come back."""
        from steno.pipeline.forgetting import meant

        try:
            name = None if session is None else named(self.home, session)
            turns = meant(self.home.store, session=name, turn=turn, text=text, since=since, until=until)
        except (UnknownSession, UnknownTurn):
            # It may be a second try, after another process kept the bytes of the first one from going.
            self.home.store.eraser.erase_traces()
            raise
        if only_count:
            return Forgotten(turns=len(turns), sessions=0)
        about = {"session": session, "turn": turn, "text": text, "since": since, "until": until}
        told = ", ".join(f"{name} {value}" for name, value in about.items() if value is not None)
        self.authority.only_people("forget", said=told)
        eraser, secret, now = self.home.store.eraser, self.home.store.secret, self.home.clock()
        with self.notebook.edits_in():
            gone = eraser.forget(turns, now=now) if text is None else eraser.forget_text(text, secret=secret, now=now)
            self._words_left(text)
        return gone

    def _would_forget(self, given: Mapping[str, Any]) -> str:
        """What would be erased, in words."""
        names = ("session", "turn", "text", "since", "until")
        turns = 0
        with suppress(StenoError):
            turns = self.forget(**{name: given[name] for name in names if name in given}, only_count=True).turns
        words = f", and “{given['text']}” wherever it stands" if given.get("text") else ""
        return f"{turns:,} {'turn' if turns == 1 else 'turns'}, erased for good{words}"

    def redact(self, progress: "Progress | None" = None) -> dict[str, int]:
        """Apply today's patterns to everything already stored; what was taken out, by kind."""
        from steno.pipeline.rewrite import redact_again

        self.home.only_people("store redact")
        with self.notebook.edits_in():
            if counts := redact_again(self.home, progress):
                self.home.store.vectors.look_again()
                self._words_left()
        return counts

    def _words_left(self, words: str | None = None) -> None:
        """Words left the journal: whatever was made from it is made again without them."""
        import shutil

        from steno.pipeline.backups import drop_backups

        # Earlier versions kept briefings there.
        shutil.rmtree(self.home.root / "ready", ignore_errors=True)
        self.derived.drop()
        self.spending.words_left()
        self.notebook.drop(words)
        drop_backups(self.home.root)
        self.scribe()
        if self.identity.again(words):
            self.works.write()
        self.notebook.history.begin_again()
        self._behind.follow()

    # -- moving ------------------------------------------------------------------------------------------------------

    def export(self) -> Iterator[bytes]:
        """Everything canonical as JSON lines."""
        from steno.pipeline.moving import export_lines

        self.learn()  # what people answered about may wait for the end of a rebuild
        return export_lines(self.home.store)

    def import_(
        self, lines: Iterable[bytes], *, trust: bool = False, ask: Callable[[], bool] = lambda: False
    ) -> Imported:
        """Take in an export. Taking it in twice changes nothing.

        What this home did not write, or what was changed since, is hearsay: nothing in it takes effect. Unless a person
        vouches for all of it: with `trust`, or by answering `ask`.
        """
        from steno.pipeline.moving import Import

        self.home.only_people("store import")
        try:
            return Import(self.home, self.scribe).run(lines, trust=trust, ask=ask)
        finally:
            self.rules.settle()
            self._behind.follow()
