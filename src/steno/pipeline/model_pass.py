"""The model pass: behind the scribe a model reads a portion of a session; its answer is checked, kept and applied."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

import msgspec

from steno.clock import before
from steno.home import Home
from steno.llm.base import Question, Reply
from steno.pipeline.applying import Applying
from steno.pipeline.keeping import Keeping
from steno.readings.answer import Answer, parsed
from steno.readings.ask import question
from steno.readings.check import CUE
from steno.readings.note import cited, kept
from steno.readings.portion import Portion, portion
from steno.store.entries import Unread
from steno.store.readings import ToRead
from steno.vocabulary import PEOPLE, Entry, Learnt
from steno.vocabulary.errors import ModelFailed, NoModel, Overtaken
from steno.vocabulary.readings import NoteLine, ReadByModel, Reading

Ask = Callable[[Question, ToRead], Reply]
# A session of which nobody heard for so long is read to its end; else a portion waits until it is full.
_QUIET: Final = timedelta(minutes=10)
# Older sessions are read only if somebody names them.
_LATELY: Final = timedelta(days=7)
# No answer to the question is longer, in bytes.
_LONGEST: Final = 256 << 10


class ModelPass:
    """Reads on in sessions with a model. What fails leaves everything as it was: the next run takes it up."""

    def __init__(self, home: Home, ask: Ask, may_ask: Callable[[str | None], str] = lambda _: "") -> None:
        self._store, self._clock, self._clean = home.store, home.clock, home.clean
        self._ask = ask
        # Why nobody may be asked about a project; empty: somebody may.
        self._may_ask = may_ask
        self._learnt = Learnt()
        self._keeping = Keeping(home.store, self._learnt)
        self.done = ReadByModel()

    def run(
        self, session_id: int | None = None, *, at_once: bool = False, stop: Callable[[], bool] = lambda: False
    ) -> ReadByModel:
        """Read what is due, the latest session first; `at_once`: also what would wait for more."""
        since = None if session_id is not None else before(self._clock(), _LATELY)
        for session in self._store.readings.to_read(session_id, since):
            if why_not := self._may_ask(session.project):
                self.done.why_not = why_not
                continue
            try:
                while not stop() and self._read(session, at_once=at_once):
                    session = next(iter(self._store.readings.to_read(session.id)), session)
            except Overtaken:
                continue
            except (NoModel, ModelFailed) as error:
                self.done.why_not = error.message
                break
        self._keeping.count_reviews()
        self.done.entries, self.done.reviews = self._learnt.entries, self._learnt.reviews
        self.done.refused = self._learnt.refused
        return self.done

    def _read(self, session: ToRead, *, at_once: bool) -> bool:
        """Whether a portion was read, and another one may be due."""
        epoch = self._store.entries.epoch()
        part = portion(self._store.readings.turns(session.id, session.done + 1, session.mark))
        quiet = (session.last_at or "") <= before(self._clock(), _QUIET)
        if part is None or not (part.is_full or quiet or at_once):
            return False
        last = self._store.readings.last(session.id)
        note = last.note if last else ()
        asked = question(part, heard=self._heard(session, part), rules=self._rules(session), note=note)
        reply = self._ask(asked, session)
        answer, value = self._answer(reply)
        lines = self._note(answer, session, part, note)
        with self._store.entries.write():
            if self._store.entries.epoch() != epoch:
                raise Overtaken("something was forgotten meanwhile")
            mark, work = self._store.readings.stands(session.id)
            if mark < part.last:
                raise Overtaken("the scribe begins again with this session")
            reading = Reading(
                session_id=session.id, work=work, first=part.first, last=part.last, mark=mark, at=self._clock(),
                model=reply.used.model, answer=value, note=lines,
            )  # fmt: skip
            self._store.readings.put(reading)
            Applying(self._store, self._keeping).apply(reading, self._facts(session))
        self.done.portions += 1
        return part.is_full or session.mark > part.last

    def _answer(self, reply: Reply) -> tuple[Answer, object]:
        """What was answered, as it may be kept."""
        raw = msgspec.json.encode(reply.value)
        if len(raw) > _LONGEST:
            raise ModelFailed(f"the model answered {len(raw) >> 10} KB, which is no answer to what it was asked")
        try:
            value = msgspec.json.decode(self._clean(raw.decode()))
        except msgspec.DecodeError:
            value = None
        answer = parsed(value)
        if answer is None:
            raise ModelFailed("the model answered something else than it was asked")
        return answer, value

    def _note(
        self, answer: Answer, session: ToRead, part: Portion, before: tuple[NoteLine, ...]
    ) -> tuple[NoteLine, ...]:
        """The new note; the old one where nothing of the new one stands."""
        turns = self._store.readings.cited(session.id, (turn for turn in cited(answer.note) if turn <= part.last))
        return kept(answer.note, part, turns, before) or before

    def _heard(self, session: ToRead, part: Portion) -> list[Entry]:
        """What the scribe noted in a portion."""
        return [
            entry
            for entry in self._store.entries.all(session_id=session.id)
            if entry.evidence and part.first <= entry.evidence[0].turn <= part.last and entry.cue != CUE
        ]

    def _rules(self, session: ToRead) -> list[Entry]:
        """What people ruled in other sessions of the project, the latest first."""
        if session.project is None:
            return []
        facts, _ = self._store.briefed.session(session.id)
        rules = self._store.entries.all(category="rule", status="active", project=session.project)
        return [rule for rule in rules[::-1] if rule.origin in PEOPLE and rule.session != facts.session]

    def _facts(self, session: ToRead) -> Unread:
        facts, _ = self._store.briefed.session(session.id)
        return Unread(
            session.id, facts.source, facts.session, facts.kind, facts.project, facts.agent, facts.branch,
            facts.directory, session.mark,
        )  # fmt: skip
