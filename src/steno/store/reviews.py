"""What waits for a person's word: pages, entries that cannot both hold, and instructions they may make last; and what
tells that a rule may end.

An answer is a record like any other that people gave us. It keeps how the entries were before, so that it can be taken
back.
"""

import json
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import structs

from steno.store.database import Database, Tables
from steno.store.entries import Entries
from steno.store.pages import Pages
from steno.store.remembered import digest
from steno.vocabulary.errors import WrongUse
from steno.vocabulary.reviews import (
    OF_CONTRADICTION,
    OF_ENDING,
    OF_OFFER,
    Answer,
    Contradiction,
    Doubt,
    Ending,
    HeldPage,
    Offer,
)
from steno.vocabulary.utterances import Utterance

# What an answer may change of an entry.
_CHANGED: Final = ("summary", "category", "status", "origin", "certainty", "detail", "superseded_by")
_utterance = msgspec.json.Decoder(Utterance).decode


class Reviews(Tables):
    """The queue, and people's answers."""

    def __init__(self, database: Database, entries: Entries, pages: Pages) -> None:
        super().__init__(database)
        self._entries = entries
        self._pages = pages

    def put(self, one: str, other: str, reason: str) -> list[str]:
        """Ask a person about a contradiction, once: the id of a review that is new."""
        rows = self._database.rows("put_review", {"one": one, "other": other, "reason": reason})
        return [_id_of(one, other) for _ in rows]

    def open(self) -> list[HeldPage | Contradiction]:
        """What waits until somebody answers: pages, and contradictions, the oldest first."""
        pairs = self._database.rows("open_reviews")
        found = {entry.id: entry for entry in self._entries.some(id_ for pair in pairs for id_ in pair[:2])}
        return [
            *(page.asked for page in self._pages.held()),
            *(
                Contradiction(id=_id_of(one, other), one=found[one], other=found[other], reason=reason)
                for one, other, reason in pairs
            ),
        ]

    def offers(self, project: str | None = None) -> list[Offer]:
        """Instructions a person may make last: what was said again first, then the newest, for many are about the step
        at hand, and which of them are not is seen best by who said them lately."""
        rows = self._database.rows("offers", {"project": project})
        return [Offer(id=entry.id, entry=entry) for entry in self._entries.with_evidence(rows)]

    def yeses(self) -> list[tuple[str, int, str]]:
        """What the gate asked about and people allowed since they last said anything of it: the entry, how often, and
        when last."""
        return [(entry, times, at) for entry, times, at in self._database.rows("yeses")]

    def said_last(self, most: int) -> list[tuple[Utterance, str | None]]:
        """What people said last in any session, the latest first, and in which project."""
        return [(_utterance(value), project) for value, project in self._database.rows("said_last", {"most": most})]

    def answered_at(self, ids: Iterable[str]) -> dict[str, str]:
        """When people last said something of some entries."""
        return dict(self._database.rows("answered_at", {"ids": json.dumps(list(ids))}))

    def answer(self, review: Doubt, answer: Answer, words: str | None, now: str) -> Doubt:
        """A person's word on what waits; what it was about, as it stands now."""
        match review:
            case HeldPage():
                raise WrongUse(f"{review.page} is a page: whoever keeps the notebook answers for it")
            case Contradiction(one=one, other=other, reason=reason):
                check(answer, OF_CONTRADICTION)
                self._tell({"other": other.id, "reason": reason, "keep": answer}, [one.id, other.id], now)
                now_one, now_other = map(self._entries.one, (one.id, other.id))
                return structs.replace(review, one=now_one, other=now_other)
            case Ending(entry=entry, also=also):
                check(answer, OF_ENDING)
                stays: Answer = "keep" if entry.detail.stance.reach == "standing" else "work"
                told = {"keep": "drop", "also": also} if answer == "end" else {"keep": stays}
                self._tell(told, [review.id, *also], now)
            case Offer():
                check(answer, OF_OFFER)
                self._tell({"keep": answer, **({"summary": words} if words else {})}, [review.id], now)
        return structs.replace(review, entry=self._entries.one(review.id))

    def undo(self) -> str:
        """Take the last answer back: what it was about is as it was, and waits again; the id under which it does."""
        if self._entries.is_rebuilding():
            raise WrongUse("everything is being learnt anew, also what it was about", hint="ask again in a moment")
        rows = self._database.rows("last_answer")
        if not rows:
            raise WrongUse("there is no answer to take back", hint="`steno review` lists what waits")
        record, entry, value = rows[0][0], rows[0][1], json.loads(rows[0][2])
        if self._database.rows("told_since", {"id": record, "ids": json.dumps([entry, value.get("other")])}):
            raise WrongUse(f"somebody told something else about {entry} since", hint=f"`steno entries show {entry}`")
        with self._database.write():
            for id_, state in value["was"].items():
                self._database.rows("restore_entry", {"id": id_, **state})
                self._entries.make_keys_of(id_)
            self._database.rows("reopen_review", {"one": entry, "other": value.get("other")})
            self._database.rows("take_back", {"id": record})
            self._database.rows("archive_unsure")
        return _id_of(entry, value["other"]) if "other" in value else str(entry)

    def _tell(self, value: dict[str, Any], touched: list[str], now: str) -> None:
        """Keep an answer with how the entries it is about were before."""
        self._entries.tell("review", touched[0], {**value, "was": self._states(touched)}, now)

    def _states(self, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
        rows = self._database.rows("states_of_entries", {"ids": json.dumps(list(ids))})
        return {id_: dict(zip(_CHANGED, state, strict=True)) for id_, *state in rows}


def _id_of(one: str, other: str) -> str:
    return digest("review", one, other)


def check(answer: Answer, choices: tuple[Answer, ...]) -> None:
    """Whether an answer settles what it is given to."""
    if answer not in choices:
        raise WrongUse(f"{answer!r} does not settle this", hint=f"the answers are {', '.join(choices)}")
