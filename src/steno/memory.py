"""The front desk: one short method per verb. Every door translates, calls this, translates back, and nothing else."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from steno.clock import moment
from steno.pipeline.derived import after_seconds
from steno.pipeline.leave_out import whole_path
from steno.pipeline.rooms import Rooms
from steno.pipeline.told import field_of, hold_against
from steno.recall import How, Recall, Within, check
from steno.settings import home_of
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
    Hit,
    Imported,
    JournalTurn,
    Learnt,
    Loss,
    Outcome,
    Recallable,
    Receipt,
    Review,
    Scope,
    Status,
    Verdict,
)
from steno.vocabulary.backtests import Backtest
from steno.vocabulary.beliefs import Belief
from steno.vocabulary.briefings import Why
from steno.vocabulary.errors import StenoError, UnknownSession, UnknownTurn, WrongUse

# What only some verbs need is imported there: recall sits in the path of every prompt and must not wait for it.
if TYPE_CHECKING:
    from steno.fleet.fleet import Fleet
    from steno.pipeline.capture import Progress
    from steno.pipeline.flowbook import Flowbook
    from steno.pipeline.moving import Ask
    from steno.pipeline.rulebook import Rulebook
    from steno.pipeline.workbook import Workbook
    from steno.upkeep.run import Upkeep


def open(home: str | os.PathLike[str] | None = None) -> "Memory":
    """Open a memory: the home STENO_HOME names (else ~/.steno), or another folder."""
    if home is not None and "://" in str(home):
        raise WrongUse(f"cannot open {home}: only folders can be opened so far", hint="give the path of a folder")
    return Memory(Path(home) if home is not None else home_of(os.environ))


class Memory(Rooms):
    """Everything Steno can do with one home. Close it, or use it in a `with` statement."""

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
        self, *paths: str | os.PathLike[str], source: str | None = None, progress: "Progress | None" = None,
        dry_run: bool = False,
    ) -> Captured:  # fmt: skip
        """Read everything new at or below the paths; without paths, from the hosts' own places. `dry_run`: only say
        what there is, and write nothing."""
        sources = self._sources(source, everywhere=bool(paths))
        captured = self._capture_on_record(dry=dry_run).run(
            [os.path.abspath(path) for path in paths]
            or [place for place in self._places(sources) if os.path.exists(place)],
            sources,
            forced=source is not None and bool(paths),
            busy_seconds=self.settings["busy_seconds"],
            progress=progress,
        )
        if captured.turns and not dry_run:
            self._captured(captured)
        return captured

    def watch(
        self, *paths: str | os.PathLike[str], source: str | None = None,
        told: Callable[[Captured], None] = lambda _: None, stop: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """Go on capturing as transcripts grow, until `stop` says so. Tells what each capture brought."""
        sources = self._sources(source, everywhere=bool(paths))
        places = [os.path.abspath(path) for path in paths] or self._places(sources)

        def capture(changed: list[str]) -> None:
            forced = source is not None and bool(paths)
            there = [path for path in changed if paths or os.path.exists(path)]
            captured = self._capture().run(there, sources, forced=forced, named=False)
            if captured.turns:
                self._captured(captured)
            told(captured)

        from steno.pipeline.watch import watch

        watch(places, capture, rescan_seconds=self.settings["rescan_seconds"], stop=stop)

    def pause(self) -> None:
        """Go off the record: what is said from now on is not captured, not even later."""
        # What was said until now is on record. Whatever is in the way of reading it is not in the way of the pause.
        with suppress(StenoError):
            captured = self._capture().read_on(busy_seconds=self.settings["busy_seconds"])
            if captured.turns:
                self._captured(captured)
        self._store.control.pause(self._clock())

    def resume(self) -> None:
        """Go on record again; what was said meanwhile is read and dropped before."""
        if self._store.control.paused():
            self._capture().read_on(busy_seconds=self.settings["busy_seconds"])
        self._store.control.resume(self._clock())

    def exclude(self, pattern: str) -> None:
        """Leave out a project, a folder or transcripts whose path matches a pattern."""
        path = whole_path(pattern)
        if self._scrub(path) != path:
            raise WrongUse("this path holds what looks like a secret", hint="put * there: `steno exclude '/x/*'`")
        self._store.control.exclude(path, self._clock())

    def include(self, pattern: str) -> None:
        """Take in again what was excluded."""
        self._store.control.include(whole_path(pattern))

    # -- learning: from turns to entries -----------------------------------------------------------------------------

    def entries(
        self, *, category: str | None = None, status: str | None = None, session: str | None = None,
        project: str | None = None, domain: str | None = None,
    ) -> list[Entry]:  # fmt: skip
        """What is remembered, the oldest first."""
        self._catch_up()
        chosen = {"category": category, "status": status, "project": project, "domain": domain}
        return self._store.entries.all(session_id=None if session is None else self._session_id(session), **chosen)

    def entry(self, id_: str) -> Entry:
        """One entry, by its id or the beginning of it."""
        self._catch_up()
        return self._store.entries.one(id_)

    def checkpoint(self, session: str = "latest") -> Checkpoint:
        """Where the work of a session stands, and the trail of what was done."""
        self._catch_up()
        return self._store.entries.checkpoint(self._session_id(session)) or Checkpoint()

    @property
    def works(self) -> "Workbook":
        """Pieces of work, and how people end them."""
        self._catch_up()
        return self._workbook

    def remember(
        self, summary: str, *, category: str, project: str | None = None, agent: str | None = None,
        by_agent: bool = False, domain: str | None = None,
    ) -> Entry:  # fmt: skip
        """A person tells us something to remember; or an agent, whose word cannot become a rule or a refusal."""
        if category not in CATEGORIES:
            raise WrongUse(f"no category is called {category!r}", hint=f"the categories are {', '.join(CATEGORIES)}")
        if not summary.strip():
            raise WrongUse("there is nothing to remember", hint='steno remember "…" --category fact')
        if by_agent and category in ("rule", "rejected"):
            raise WrongUse(f"only a person's words become a {category} entry", hint="remember it as a learning")
        words = self._scrub(summary.strip())
        origin: Literal["edit", "agent"] = "agent" if by_agent else "edit"
        where = {"project": project, "agent": agent, "domain": field_of(domain)}
        id_ = self._store.entries.remember(words, category, **where, now=self._clock(), origin=origin)
        if not by_agent:
            hold_against(self._store, id_, project)
        return self._told(id_)

    def revise(
        self, id_: str, *, summary: str | None = None, category: str | None = None, status: str | None = None
    ) -> Entry:
        """A person corrects an entry: from now on it is theirs."""
        if category not in (None, *CATEGORIES) or status not in (None, *STATUSES):
            choices = ", ".join((*CATEGORIES, *STATUSES))
            raise WrongUse("no such category or status", hint=f"the choices are {choices}")
        if summary is not None and not summary.strip():
            raise WrongUse("the new summary is empty", hint="`steno archive` lays an entry aside")
        words = None if summary is None else self._scrub(summary.strip())
        value = {"summary": words, "category": category, "status": status}
        return self._told(self._store.entries.revise(id_, value, self._clock()))

    def archive(self, id_: str) -> Entry:
        """A person lays an entry aside."""
        return self._told(self._store.entries.archive(id_, self._clock()))

    def reviews(self) -> list[Review]:
        """What waits for a person's word: contradictions, and rules and refusals we are not sure of."""
        self._catch_up()
        return self._store.reviews.open()

    def resolve(self, review: str, keep: Answer, words: str | None = None) -> Review:
        """A person's word on what waits (`work`: it holds for the work at hand only); what that is now."""
        if (keep == "reword") != bool(words and words.strip()):
            raise WrongUse("words go with `reword`, and only with that", hint='steno review ID reword "…"')
        said = self._scrub(words.strip()) if words else None
        settled = self._store.reviews.answer(review, keep, said, self._clock())
        self._rulebook.settle()
        return settled

    def unresolve(self) -> Review:
        """Take the last answer to a review back; what waits again."""
        again = self._store.reviews.undo()
        self._rulebook.settle()
        return again

    def rebuild(self, progress: Callable[[int], None] = lambda _: None) -> Learnt:
        """Drop everything derived and learn it again from the journal; what people told us is applied again."""
        self._begin_again()
        return self.scribe(progress=progress)

    def backtest(self, *paths: str | os.PathLike[str], source: str | None = None, apply: bool = False) -> Backtest:
        """What would have been learnt from old sessions, in a store that is thrown away; `apply`: then here, too."""
        import tempfile

        with (
            tempfile.TemporaryDirectory(prefix="steno-backtest-") as folder,
            Memory(Path(folder), environment=self._environment, clock=self._clock) as scratch,
        ):
            scratch._choose_like(self)
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

        return coverage(self._store, self._clock(), self._derived.recallable(), self._flags, self.spending.state())

    def sessions(self) -> list[Found]:
        """All sessions, the latest first."""
        return self._store.journal.sessions()

    def turns(self, session: str) -> Iterator[JournalTurn]:
        """Turns of a session (its id or the beginning of it), in order."""
        return self._store.journal.turns(self._named(session))

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
            self._catch_up()
        hits = Recall(self._store, *self._derived.ready()).answer(
            query, k=k, within=within, scope=Scope(project=project, agent=agent, until=at),
            now=now or at or self._clock(), past=past, budget=budget_tokens, how=how,
        )  # fmt: skip
        self._uses.note(hits, at=self._clock(), session=self._kept_name(session))
        self._behind.nudge()
        return hits

    def unsaid(self, query: str, scope: Scope | None = None) -> list[str]:
        """What a question calls by its name and nobody in scope ever said: a reason to mistrust what was found."""
        return Recall(self._store, self._derived.ready_words(), None).unsaid(query, scope or Scope(), self._clock())

    def believes(
        self, topic: str, *, k: int = 10, project: str | None = None, agent: str | None = None
    ) -> list[Belief]:
        """What is believed on a topic: what holds since when, what it replaced and why, whose words, who was told."""
        from steno.pipeline.believes import about, beliefs

        hits = self.recall(topic, k=k, within="entries", project=project, agent=agent, past=True)
        return beliefs(self._store, about(topic, hits, self._clock()), Scope(project=project, agent=agent))

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

    def unread(self, session: str | None = None) -> int:
        """How many turns the scribe has not read, of all sessions or of one."""
        session_id = None if session is None else self._session_id(session)
        return self._store.journal.unread(session_id)

    def doctor(self) -> list[Check]:
        """Prove that the store is sound."""
        return self._store.proofs.all()

    @property
    def upkeep(self) -> "Upkeep":
        """What the memory does to take care of itself: every night and in idle time."""
        from steno.upkeep.run import Upkeep

        self._catch_up()
        return Upkeep(self)

    # -- acting: rules, flows, gates, briefings ----------------------------------------------------------------------

    @property
    def rules(self) -> "Rulebook":
        """How to behave: scored instructions, and what people do with them."""
        self._catch_up()
        return self._rulebook

    @property
    def flows(self) -> "Flowbook":
        """How to do it: named procedures, and their record."""
        self._catch_up()
        return self._flowbook

    @property
    def fleet(self) -> "Fleet":
        """Many agents: who they are, what they can do, what they write to each other."""
        from steno.fleet.fleet import Fleet

        return Fleet(self)

    def before(
        self, action: Action, *, may_remind: Callable[[str, float], bool] = lambda *_: True, given: bool = True
    ) -> Verdict:
        """What stands in the way of an action; `may_remind`: whether to warn of an id, as likely as that."""
        self._catch_up()
        return self._gate.before(action, may_remind, given=given)

    def warm(self) -> None:
        """Make ready what the gate needs. Called again and again, so that no answer has to wait for it."""
        self._gate.warm()

    def after(self, outcome: Outcome) -> Graded:
        """How an action went: rules and flows learn from it."""
        self._catch_up()
        return self._gate.after(outcome)

    def brief(
        self, tier: int = 0, session: str = "latest", *, at: str | None = None, pushed: bool = False,
        given: bool = True, project: str | None = None,
    ) -> Briefing:  # fmt: skip
        """What an agent is told after its context was lost; `at` asks as of that time; `pushed`: it did not ask."""
        self._catch_up(session)
        return self._briefer.brief(tier, self._named(session, project), at=moment(at), pushed=pushed, given=given)

    def project_of(self, directory: str) -> str:
        """The project a directory belongs to."""
        return project_of(os.path.abspath(directory))

    def boot(
        self, *, project: str | None = None, agent: str | None = None, session: str | None = None,
        at: str | None = None, small: bool = False, given: bool = True,
    ) -> Briefing:  # fmt: skip
        """What an agent is told when it starts; `small`: a subagent. Not `given` to anybody yet, it has no receipt."""
        self._catch_up()
        return self._briefer.boot(
            project=project, agent=agent, session=self._kept_name(session), at=moment(at), small=small, given=given
        )

    def state_line(self, session: str = "latest", *, at: str | None = None, given: bool = True) -> str:
        """Where a session's work stands, on one line: for agents without files."""
        self._catch_up(session)
        return self._briefer.state_line(self._named(session), at=moment(at), given=given)

    def loss(self, session: str = "latest") -> Loss:
        """What a session's last compaction took, and what is left of it."""
        self._catch_up(session)
        return self._loss(self._session_id(session))

    def handoff(self) -> str:
        """Work in hand, open commitments, what is new, flags: for whoever goes on."""
        self._catch_up()
        return self._identity.handoff()

    def capsule(self, agent: str | None = None) -> str:
        """Who, priorities, critical facts, the last three sessions."""
        self._catch_up()
        return self._identity.capsule(agent)

    def remind(
        self, prompt: str, *, project: str | None = None, agent: str = "", session: str | None = None,
        told: Collection[str] = (),
    ) -> list[Entry]:  # fmt: skip
        """What a prompt calls to mind so strongly that it may be said unasked; none that was told or said there."""
        from steno.pipeline.reminders import reminders, unasked

        shares, kept = self._store.shares, self._kept_name(session)
        may_be_told = unasked(shares, project=project, agent=agent, session=kept, told=told)
        match self.settings["auto_recall"]:
            case "off":
                return []
            case "top_k":
                most = self.settings["recall_top_k"]
                hits = self.recall(prompt, k=most, within="entries", project=project, session=session)
                return [entry for entry in (self.entry(str(hit.id)) for hit in hits) if may_be_told(entry)]
            case _:
                self._catch_up()
                return reminders(self._gate.index, self._rulebook, prompt, agent=agent, may_be_told=may_be_told)

    def given(self, briefing: Briefing, why: Why = "asked") -> None:
        """Keep the receipt of something an agent really has; what cannot be written was given anyway."""
        self._briefer.given(briefing, why, session=self._kept_name(briefing.session))

    def receipts(self, session: str | None = None) -> list[Receipt]:
        """What was given to whom, the oldest first."""
        with suppress(UnknownSession):
            session = session and self._store.briefed.session(self._session_id(session))[0].session
        return self._store.receipts.of(self._kept_name(session))

    # -- forgetting --------------------------------------------------------------------------------------------------

    def forget(
        self, *, session: str | None = None, turn: int | None = None, text: str | None = None,
        since: str | None = None, until: str | None = None, only_count: bool = False,
    ) -> Forgotten:  # fmt: skip
        """Erase a session, a turn, a text or a stretch of time, so that no byte is left and it does not come back."""
        from steno.pipeline.forgetting import meant

        try:
            name = None if session is None else self._named(session)
            turns = meant(self._store, session=name, turn=turn, text=text, since=since, until=until)
        except (UnknownSession, UnknownTurn):
            # It may be a second try, after another process kept the bytes of the first one from going.
            self._store.eraser.erase_traces()
            raise
        if only_count:
            return Forgotten(turns=len(turns), sessions=0)
        eraser, secret, now = self._store.eraser, self._store.secret, self._clock()
        with self._edits_in():
            gone = eraser.forget(turns, now=now) if text is None else eraser.forget_text(text, secret=secret, now=now)
            self._words_left(text)
        return gone

    def redact(self, progress: "Progress | None" = None) -> dict[str, int]:
        """Apply today's patterns to everything already stored; what was taken out, by kind."""
        from steno.pipeline.rewrite import redact_again

        with self._edits_in():
            if counts := redact_again(self._store, self._scrubber, progress=progress):
                self._store.vectors.look_again()
                self._words_left()
        return counts

    # -- moving ------------------------------------------------------------------------------------------------------

    def export(self) -> Iterator[bytes]:
        """Everything canonical as JSON lines."""
        from steno.pipeline.moving import export_lines

        return export_lines(self._store)

    def import_(self, lines: Iterable[bytes], *, trust: bool = False, ask: "Ask" = lambda: False) -> Imported:
        """Take in an export. Taking it in twice changes nothing.

        What this home did not write, or what was changed since, is hearsay: nothing in it takes effect. Unless a person
        vouches for all of it: with `trust`, or by answering `ask`.
        """
        from steno.pipeline.moving import Import

        take = Import(self._store, lambda: self._scrubber, scribe=self.scribe, adopt=self._adopt_secret)
        try:
            return take.run(lines, trust=trust, ask=ask)
        finally:
            self._rulebook.settle()
            self._follow()
