"""Why something was asked, told or found. What was noted with the answer is read; nothing is computed again."""

from typing import Final, get_args

from msgspec import structs

from steno.home import Home
from steno.pipeline.named import session_id
from steno.vocabulary import Entry, Receipt
from steno.vocabulary.errors import StenoError, UnknownEntry, UnknownReceipt
from steno.vocabulary.why import Considered, Mention, Named, Part, WhyGate, WhyHit, WhyLine

# So many receipts or recalls are told of; and so much of a call.
_MOST: Final = 20
_CALL: Final = 400
# A number of more digits is no turn's.
_DIGITS: Final = 19
# How a receipt names what decided, and what may be an entry.
_DECIDED: Final = ("reason", "reminder")
_OF_ENTRIES: Final = ("entry", "rule", *_DECIDED)
_SHARING: Final = (*_OF_ENTRIES, "turn", "flow")
_PARTS: Final[tuple[Part, ...]] = get_args(Part)


class Explainer:
    """Explains answers that were given."""

    def __init__(self, home: Home) -> None:
        self._home, self._store = home, home.store

    def gate(self, id_: str) -> WhyGate:
        """Of an answer of the gate: by the number of its receipt, the host's id of the call, or `latest`."""
        found = self._store.receipts.gate(id_)
        if found is None:
            problem = "the gate has answered nothing yet" if id_ == "latest" else f"the gate has no answer {id_!r}"
            raise UnknownReceipt(problem, hint="`steno brief receipts` lists its answers with their ids")
        call = self._store.journal.call_text(found.session, found.call) if found.call else ""
        return WhyGate(receipt=found, call=call[:_CALL], considered=self._considered(found))

    def line(self, id_: str) -> WhyLine:
        """Of a line: by an entry, a turn (12, #12), or the name of a part, such as `goal`."""
        thing = self._meant(id_)
        names = [thing.name, *self._same_words(thing.name)]
        found = {one.id: one for name in names for one in self._store.receipts.naming(_id(name), _MOST)}
        mentions = [
            Mention(
                receipt=one.id, at=one.at, kind=one.kind, tier=one.tier, verdict=one.verdict, session=one.session,
                part=min((_part(one, name) for name in names), key=_PARTS.index),
                because=next(filter(None, (_because(one, name) for name in names)), None),
            )
            for one in sorted(found.values(), key=lambda one: -one.id)[:_MOST]
        ]  # fmt: skip
        if not mentions and not thing.words:
            raise _unknown(id_)
        return WhyLine(thing=thing, mentions=mentions)

    def hit(self, id_: str) -> WhyHit:
        """Of a hit: by an entry, a turn (12, #12), or a session."""
        thing = self._meant(id_)
        if not thing.words:
            thing = Named(name=f"session:{self._session(id_)}")
        kind, _, target = thing.name.partition(":")
        return WhyHit(thing=thing, recalls=self._store.accesses.recalls(kind, target, _MOST))

    def _same_words(self, name: str) -> list[str]:
        """The turn an entry rests on, or the entries that rest on a turn: a receipt names the one or the other."""
        kind, _, id_ = name.partition(":")
        if kind == "entry":
            return [f"turn:{one.evidence[0].turn}" for one in self._store.entries.some([id_]) if one.evidence]
        turns = [int(id_)] if kind == "turn" and id_.isdigit() and len(id_) < _DIGITS else []
        return [f"entry:{one.id}" for one in self._store.exchanges.entries_at(turns, None)]

    # -- things ------------------------------------------------------------------------------------------------------

    def _considered(self, receipt: Receipt) -> list[Considered]:
        """Everything a receipt names, each thing once: what decided, what was told, what was left out."""
        names = {_id(name): name for name in reversed([*(receipt.because or {}), *receipt.items])}
        found = [
            Considered(thing=self._thing(name), part=_part(receipt, name), because=_because(receipt, name))
            for name in reversed(names.values())
        ]
        return sorted(found, key=lambda one: _PARTS.index(one.part))

    def _meant(self, id_: str) -> Named:
        """What a person means: a turn's number, a name as receipts have it, or the beginning of an entry's id."""
        kind, _, rest = id_.removeprefix("#").rpartition(":")
        if kind in ("", "turn") and (turn := self._turn(rest)).words:
            return turn
        try:
            return _entry(self._store.entries.one(rest))
        except UnknownEntry:
            return Named(name=f"turn:{rest}" if id_.startswith("#") else id_)

    def _thing(self, name: str) -> Named:
        """What a name in a receipt stands for. A reason may be a turn of which nothing was noted."""
        kind, _, id_ = name.partition(":")
        if kind in _OF_ENTRIES and (found := self._store.entries.some([id_])):
            return structs.replace(_entry(found[0]), name=name)
        return self._turn(id_, name) if kind in ("turn", *_DECIDED) else Named(name=name)

    def _turn(self, number: str, name: str = "") -> Named:
        known = number.isascii() and number.isdigit() and len(number) < _DIGITS
        turn = self._store.searched.turns([int(number)]).get(int(number)) if known else None
        name = name or f"turn:{number}"
        return Named(name=name, words=turn.turn.text, by=turn.turn.role, at=turn.turn.at) if turn else Named(name=name)

    def _session(self, id_: str) -> str:
        """A session as recall names it."""
        try:
            return self._store.briefed.session(session_id(self._home, id_))[0].session
        except StenoError as error:
            raise _unknown(id_) from error


def _entry(entry: Entry) -> Named:
    """An entry in the words that hold: the quote, unless a person has written it in others."""
    quoted = entry.evidence[0].quote if entry.evidence and entry.origin != "edit" else ""
    return Named(name=f"entry:{entry.id}", words=quoted or entry.summary, by=entry.origin, at=entry.created_at)


def _part(receipt: Receipt, name: str) -> Part:
    kinds = [item.partition(":")[0] for item in receipt.items if _id(item) == _id(name)]
    if any(kind in _DECIDED for kind in kinds):
        return "decided"
    return "told" if kinds else "left out"


def _because(receipt: Receipt, name: str) -> str | None:
    return next((why for key, why in (receipt.because or {}).items() if _id(key) == _id(name)), None)


def _id(name: str) -> str:
    """What all names of a thing share: ":ID" of "rule:ID", "reason:ID", "entry:ID"."""
    kind, colon, id_ = name.partition(":")
    return colon + id_ if kind in _SHARING else name


def _unknown(id_: str) -> UnknownEntry:
    hint = "`steno entries` and `steno recall` show ids; a turn is its number"
    return UnknownEntry(f"nothing that is known is called {id_!r}", hint=hint)
