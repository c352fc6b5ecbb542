"""The front desk: one short method per verb. Every door translates, calls this, translates back, and nothing else."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, get_args

from steno.clock import Clock, utc_now, written
from steno.embedding import Choice
from steno.pipeline.behind import Behind
from steno.pipeline.derived import Derived, after_seconds
from steno.pipeline.leave_out import LeaveOut
from steno.pipeline.uses import Uses
from steno.recall import Recall, Within
from steno.settings import Settings, home_of
from steno.sources import NAMES, source_named
from steno.sources.base import Source
from steno.store import open_store
from steno.vocabulary import (
    CATEGORIES,
    STATUSES,
    Captured,
    Check,
    Checkpoint,
    Entry,
    Forgotten,
    Found,
    Hit,
    JournalTurn,
    Learnt,
    Recallable,
    Review,
    Scope,
    Status,
)
from steno.vocabulary.errors import BadSetting, StenoError, UnknownSession, WrongUse

# What only some verbs need is imported there: recall sits in the path of every prompt and must not wait for it.
if TYPE_CHECKING:
    from steno.pipeline.capture import Capture, Progress
    from steno.pipeline.scrub import Scrubber

Keep = Literal["one", "other", "both"]


def open(home: str | os.PathLike[str] | None = None) -> "Memory":
    """Open a memory: the home STENO_HOME names (else ~/.steno), or another folder."""
    if home is not None and "://" in str(home):
        raise WrongUse(f"cannot open {home}: only folders can be opened so far", hint="give the path of a folder")
    return Memory(Path(home) if home is not None else home_of(os.environ))


class Memory:
    """Everything Steno can do with one home. Close it, or use it in a `with` statement."""

    def __init__(self, home: Path, *, environment: Mapping[str, str] = os.environ, clock: Clock = utc_now) -> None:
        self.home = home
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
        self._behind = Behind(self._work_behind)
        # Something came that has no vectors yet.
        self._unembedded = False

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store."""
        self._behind.close()
        with suppress(StenoError):
            self._uses.write()
        self._store.close()

    # -- capture: what was said, copied ------------------------------------------------------------------------------

    def capture(
        self, *paths: str | os.PathLike[str], source: str | None = None, progress: "Progress | None" = None
    ) -> Captured:
        """Read everything new at or below the paths; without paths, from the hosts' own places."""
        sources = self._sources(source, everywhere=bool(paths))
        if since := self._store.control.paused():
            raise StenoError(f"capture is paused since {since}", hint="`steno resume` goes on")
        captured = self._capture().run(
            [os.path.abspath(path) for path in paths]
            or [place for place in self._places(sources) if os.path.exists(place)],
            sources,
            forced=source is not None and bool(paths),
            busy_seconds=self.settings["busy_seconds"],
            progress=progress,
        )
        if captured.turns:
            self._follow()
        return captured

    def watch(
        self, *paths: str | os.PathLike[str], source: str | None = None,
        told: Callable[[Captured], None] = lambda _: None, stop: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """Go on capturing as transcripts grow, until `stop` says so. Tells what each capture brought."""
        sources = self._sources(source, everywhere=bool(paths))
        places = [os.path.abspath(path) for path in paths] or self._places(sources)

        def capture(changed: list[str]) -> None:
            if not self._store.control.paused():
                forced = source is not None and bool(paths)
                there = [path for path in changed if paths or os.path.exists(path)]
                captured = self._capture().run(there, sources, forced=forced, named=False)
                if captured.turns:
                    self._follow()
                told(captured)

        from steno.pipeline.watch import watch

        watch(places, capture, rescan_seconds=self.settings["rescan_seconds"], stop=stop)

    def pause(self) -> None:
        """Go off the record: what is said from now on is not captured, not even later."""
        self._store.control.pause(self._clock())

    def resume(self) -> None:
        """Go on record again."""
        self._store.control.resume(self._clock())

    def exclude(self, pattern: str) -> None:
        """Leave out a project, a folder or transcripts whose path matches a pattern."""
        self._store.control.exclude(_full(pattern), self._clock())

    def include(self, pattern: str) -> None:
        """Take in again what was excluded."""
        self._store.control.include(_full(pattern))

    def excluded(self) -> list[str]:
        """What is left out."""
        return [pattern for pattern, _ in self._store.control.excluded()]

    # -- learning: from turns to entries -----------------------------------------------------------------------------

    def scribe(self, session: str | None = None, progress: Callable[[int], None] = lambda _: None) -> Learnt:
        """Read what is new in the journal and write down what is worth keeping, each with its quote."""
        # The scribe's cues take a third of a second to compile; who only recalls must not wait for them.
        from steno.pipeline.learn import Learn

        session_id = None if session is None else self._store.journal.session_id(session)
        learnt = Learn(self._store, told=progress).run(session_id)
        if session_id is None and self._store.entries.is_rebuilding():
            self._store.entries.apply_records()
        return learnt

    def entries(
        self, *, category: str | None = None, status: str | None = None, session: str | None = None,
        project: str | None = None,
    ) -> list[Entry]:  # fmt: skip
        """What is remembered, the oldest first."""
        session_id = None if session is None else self._store.journal.session_id(session)
        return self._store.entries.all(category=category, status=status, session_id=session_id, project=project)

    def entry(self, id_: str) -> Entry:
        """One entry, by its id or the beginning of it."""
        return self._store.entries.one(id_)

    def checkpoint(self, session: str = "latest") -> Checkpoint:
        """Where the work of a session stands, and the trail of what was done."""
        return self._store.entries.checkpoint(self._store.journal.session_id(session)) or Checkpoint()

    def remember(self, summary: str, *, category: str, project: str | None = None, agent: str | None = None) -> Entry:
        """A person tells us something to remember."""
        if category not in CATEGORIES:
            raise WrongUse(f"no category is called {category!r}", hint=f"the categories are {', '.join(CATEGORIES)}")
        if not summary.strip():
            raise WrongUse("there is nothing to remember", hint='steno remember "…" --category fact')
        words = self._scrubber.text(summary.strip())
        entries = self._store.entries
        return entries.one(entries.remember(words, category, project=project, agent=agent, now=self._clock()))

    def revise(
        self, id_: str, *, summary: str | None = None, category: str | None = None, status: str | None = None
    ) -> Entry:
        """A person corrects an entry: from now on it is theirs."""
        if category not in (None, *CATEGORIES) or status not in (None, *STATUSES):
            choices = ", ".join((*CATEGORIES, *STATUSES))
            raise WrongUse("no such category or status", hint=f"the choices are {choices}")
        if summary is not None and not summary.strip():
            raise WrongUse("the new summary is empty", hint="`steno archive` lays an entry aside")
        words = None if summary is None else self._scrubber.text(summary.strip())
        value = {"summary": words, "category": category, "status": status}
        return self.entry(self._store.entries.revise(id_, value, self._clock()))

    def archive(self, id_: str) -> Entry:
        """A person lays an entry aside."""
        return self.entry(self._store.entries.archive(id_, self._clock()))

    def reviews(self) -> list[Review]:
        """Contradictions that wait for a person's word."""
        return self._store.entries.reviews()

    def resolve(self, review: int, keep: Keep) -> None:
        """Settle a contradiction: keep `one`, `other` or `both`."""
        self._store.entries.answer(review, keep, self._clock())

    def rebuild(self, progress: Callable[[int], None] = lambda _: None) -> Learnt:
        """Drop everything derived and learn it again from the journal; what people told us is applied again."""
        self._store.entries.clear()
        return self.scribe(progress=progress)

    def backtest(
        self, *paths: str | os.PathLike[str], source: str | None = None, apply: bool = False
    ) -> tuple[Learnt, list[Entry]]:
        """What would have been learnt from old sessions, found out in a store that is thrown away.

        With `apply`, the same is then done to this one.
        """
        import tempfile

        with (
            tempfile.TemporaryDirectory(prefix="steno-backtest-") as folder,
            Memory(Path(folder), environment=self._environment, clock=self._clock) as scratch,
        ):
            scratch._choose_like(self)
            scratch.capture(*paths, source=source)
            learnt, found = scratch.scribe(), scratch.entries()
        if apply:
            self.capture(*paths, source=source)
            learnt = self.scribe()
        return learnt, found

    # -- looking -----------------------------------------------------------------------------------------------------

    def status(self) -> Status:
        """How much is in the journal, and how much of each session."""
        from steno.pipeline.coverage import coverage

        return coverage(self._store, self._clock(), self._derived.recallable())

    def sessions(self) -> list[Found]:
        """All sessions, the latest first."""
        return self._store.journal.sessions()

    def turns(self, session: str) -> Iterator[JournalTurn]:
        """Turns of a session (its id or the beginning of it), in order."""
        return self._store.journal.turns(session)

    def recall(
        self, query: str, *, k: int = 10, within: Within = "all", project: str | None = None, agent: str | None = None,
        at: str | None = None, now: str | None = None, past: bool = False, budget_tokens: int | None = None,
        session: str | None = None,
    ) -> list[Hit]:  # fmt: skip
        """What fits a question best: entries, turns, sessions, or entries and turns together.

        `at` asks as of that time; `past` brings up what was superseded or archived, too; `now` is when the question is
        asked ("last week"); `session` is the one that asks. Recalling counts as use.
        """
        if within not in get_args(Within):
            raise WrongUse(
                f"recall cannot look through {within!r}", hint=f"the choices are {', '.join(get_args(Within))}"
            )
        if k < 0:
            raise WrongUse(f"cannot give {k} answers", hint="ask for none or more")
        at, now = _moment(at), _moment(now)
        scope = Scope(project=project, agent=agent, until=at)
        recall = Recall(self._store, self._derived.ready_words(), self._derived.meaning())
        asked_at = now or at or self._clock()
        hits = recall.answer(query, k=k, within=within, scope=scope, now=asked_at, past=past, budget=budget_tokens)
        self._uses.note(hits, at=self._clock(), session=session)
        self._behind.nudge()
        return hits

    def recallable(self) -> Recallable:
        """How well recall can answer now."""
        return self._derived.recallable()

    def embed(self, progress: Callable[[int], None] = lambda _: None, seconds: float | None = None) -> int:
        """Make what recall needs besides the store: words indexed, vectors of what was said. How many got theirs."""
        self._derived.index()
        return self._derived.embed(progress, *([after_seconds(seconds)] if seconds is not None else []))

    def rebuild_vectors(self, progress: Callable[[int], None] = lambda _: None) -> int:
        """Drop the vectors and the index of words and make them anew, with the model chosen now."""
        return self._derived.again(progress)

    def doctor(self) -> list[Check]:
        """Prove that the store is sound."""
        return self._store.proofs.all()

    # -- forgetting --------------------------------------------------------------------------------------------------

    def forget(
        self, *, session: str | None = None, turn: int | None = None, text: str | None = None,
        since: str | None = None, until: str | None = None, only_count: bool = False,
    ) -> Forgotten:  # fmt: skip
        """Erase a session, a turn, a text or a stretch of time, so that no byte is left and it does not come back."""
        try:
            turns = self._chosen(session=session, turn=turn, text=text, since=since, until=until)
        except UnknownSession:
            # It may be a second try, after another process kept the bytes of the first one from going.
            self._store.eraser.erase_traces()
            raise
        if only_count:
            return Forgotten(turns=len(turns), sessions=0)
        if text is not None:
            forgotten = self._store.eraser.forget_text(text, secret=self._store.secret, now=self._clock())
        else:
            forgotten = self._store.eraser.forget(turns, now=self._clock())
        self._derived.drop()
        self.scribe()
        self._follow()
        return forgotten

    def redact(self, progress: "Progress | None" = None) -> dict[str, int]:
        """Apply today's patterns to everything already stored; what was taken out, by kind."""
        from steno.pipeline.rewrite import redact_again

        counts = redact_again(self._store, self._scrubber, progress=progress)
        if counts:
            self._derived.drop()
            self._store.vectors.look_again()
            self.scribe()
            self._follow()
        return counts

    # -- moving ------------------------------------------------------------------------------------------------------

    def export(self) -> Iterator[bytes]:
        """Everything canonical as JSON lines."""
        from steno.pipeline.moving import export_lines

        return export_lines(self._store)

    def import_(self, lines: Iterable[bytes]) -> int:
        """Take in an export; how many turns were new. Taking it in twice changes nothing."""
        from steno.pipeline.moving import import_lines

        try:
            return import_lines(self._store, self._scrubber, lines)
        finally:
            # An import may bring the key of the store it comes from.
            self.__dict__.pop("_scrubber", None)
            self._follow()

    # ----------------------------------------------------------------------------------------------------------------

    def _chosen(
        self, *, session: str | None, turn: int | None, text: str | None, since: str | None, until: str | None
    ) -> list[int]:
        """Numbers of the turns meant by exactly one of the ways to say it."""
        eraser = self._store.eraser
        ways = [session is not None, turn is not None, text is not None, since is not None or until is not None]
        if sum(ways) != 1:
            raise WrongUse("say one thing to forget: a session, a turn, a text, or a time", hint="steno forget --help")
        if text is not None:
            if not text.strip():
                raise WrongUse("an empty text is in every turn", hint="name the text to forget")
            return eraser.of_text(text)
        if session is not None:
            return eraser.of_session(self._store.journal.session_id(session))
        if turn is not None:
            return eraser.of_turn(turn)
        return eraser.of_time(since or "", until or "9999")

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

    @cached_property
    def _scrubber(self) -> "Scrubber":
        """The redactor in force: the store's key and the user's own patterns. Compiled when it is needed first."""
        from steno.pipeline.scrub import Scrubber
        from steno.redact import BadPattern, Redactor

        try:
            return Scrubber(Redactor(secret=self._store.secret, extra=self.settings["redact_patterns"]))
        except BadPattern as error:
            raise BadSetting(f"redact_patterns: {error}", hint="patterns follow RE2's syntax") from error

    def _choose_like(self, other: "Memory") -> None:
        """What the user leaves out of the other memory is left out of this one, too."""
        self.settings, self._scrubber = other.settings, other._scrubber
        control, now = self._store.control, self._clock()
        for pattern in other.excluded():
            control.exclude(pattern, now)
        for since, until in other._store.control.pauses():
            control.pause(since)
            if until is not None:
                control.resume(until)

    def _capture(self) -> "Capture":
        from steno.pipeline.capture import Capture

        return Capture(self._store, self._scrubber, self._leave_out, clock=self._clock)

    def _leave_out(self) -> LeaveOut:
        """The user's say as it is now: they may pause while a long capture runs."""
        return LeaveOut(
            excluded=self.excluded(),
            pauses=self._store.control.pauses(),
            capture_assistant=self.settings["capture_assistant"],
        )

    def _sources(self, name: str | None, *, everywhere: bool) -> list[Source]:
        """The source the user named; else all we know for a path, or the configured ones for the hosts' places."""
        if name is not None:
            return [source_named(name)]
        return [source_named(chosen) for chosen in (NAMES if everywhere else self.settings["sources"])]

    def _places(self, sources: list[Source]) -> list[str]:
        places = [place for source in sources for place in source.places(self._environment)]
        return [str(place) for place in places]


def _full(pattern: str) -> str:
    """A path or pattern as the machine knows it: whole, with links followed as far as there is no wild card."""
    head, *rest = re.split(r"(?=[*?\[])", os.path.expanduser(pattern), maxsplit=1)
    if not head:
        return pattern
    if not rest:
        return os.path.realpath(head)
    folder, name = os.path.split(head)
    return f"{os.path.realpath(folder)}/{name}{rest[0]}"


def _moment(text: str | None) -> str | None:
    """A time as the journal writes it; without a zone it is the time of this machine."""
    if text is None:
        return None
    try:
        return written(text)
    except ValueError as error:
        raise WrongUse(f"{text!r} is no time", hint="write 2026-03-31 or 2026-03-31T18:00") from error
