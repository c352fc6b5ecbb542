"""What the human said, as it is known when a briefing is made: each utterance with what binds in it, what it answers
and what the agent said to it; taken together where it was said in one go, and once where it was said again."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct, structs

from steno.briefing.achieved import between
from steno.briefing.exchange import WHOLE, forbids, picks, worth_of
from steno.briefing.render import safe
from steno.briefing.report import reported, telling_words
from steno.language.lexicon import lexicon
from steno.language.watch import Watch
from steno.language.words import normal, stems
from steno.vocabulary import TrailResult
from steno.vocabulary.utterances import Sentence, Utterance

RULED: Final = "the human's standing instructions"
REFUSED: Final = "the human's refusals"
DECIDED: Final = "the human chose or agreed to"
SAID: Final = "what the human said earlier, oldest first, → what came of it"
# From here on an act is sure.
SURE: Final = 0.5
# Told only if so many words say what it is.
TELLING, FEW = 5, 3
# What the human's next words may have against what the agent did or said.
Against = Literal["", "undo", "no", "trouble"]
_BUT: Final[dict[Against, str]] = {
    "": "",
    "undo": ", which the human then wanted undone",
    "no": ", to which the human then objected",
    "trouble": ", after which the human reported trouble",
}
_FAILS: Final = Watch("failed")
# So far words are looked at for how they begin.
_OPENING: Final = 40
# A text of whose telling words so many stand in one passage of another is told there.
_TOLD_THERE: Final = 0.75


class Shown(Struct, frozen=True, kw_only=True):
    """An utterance with what is known of it."""

    utterance: Utterance
    times: int = 1
    # Ids of the entries that rest on it.
    entries: tuple[str, ...] = ()
    # Whether it surely binds, and how.
    rules: bool = False
    refuses: bool = False
    # What it agrees to, in the agent's words; and what the agent said first and last before the human spoke again.
    agreed: str = ""
    answer: str = ""
    reply: str = ""
    # The turn in which they did, what was achieved before it, whether it was reported on, and what they had against it.
    until: int = 0
    done: str = ""
    is_reported: bool = False
    against: Against = ""

    @property
    def items(self) -> tuple[str, ...]:
        """Names, for the receipt."""
        return f"turn:{self.utterance.turn}", *(f"entry:{id_}" for id_ in self.entries)

    @property
    def outcome(self) -> str:
        """That something came of it, where the report is not told."""
        came = f" → done: {self.done}" if self.done else " [reported on]" if self.is_reported else ""
        return f"{came}{self.but}" if came else ""

    @property
    def but(self) -> str:
        """That what the agent did or said may not hold."""
        return _BUT[self.against]

    @property
    def binds(self) -> bool:
        """Whether it binds for longer than the work at hand, surely or by how it was weighed."""
        return self.rules or self.refuses or any(map(stands, self.utterance.sentences))

    @property
    def section(self) -> str:
        """Under what it is told."""
        one = self.utterance
        few = telling_words(one.said) < FEW
        chose = few and any(found.acts.get("choose", 0.0) >= SURE for found in one.sentences)
        settles = one.kind == "answer" or picks(one) or chose or (self.agreed and few)
        return RULED if self.rules else REFUSED if self.refuses else DECIDED if settles else SAID


def lasts(one: Utterance) -> bool:
    """Whether some of it stops, forbids, corrects, chooses or stands."""
    return one.call is not None or any(
        forbids(found.text) or max(found.corrects, found.lasting, found.acts.get("choose", 0.0)) >= SURE
        for found in one.sentences
    )


def complains(one: Utterance) -> bool:
    """Whether they say above all that something fails, or what they saw."""
    found = max(one.sentences, key=worth_of)
    return found.acts.get("report", 0.0) >= max([SURE, *found.acts.values()]) and not lasts(one)


def asks(found: Sentence) -> bool:
    """Whether it is a question."""
    return found.text.rstrip().endswith(("?", "？"))


def stands(found: Sentence) -> bool:
    """Whether it holds for good: by how it was weighed, and less surely where it says so in plain words."""
    least = SURE / 2 if _says_so(found.text[:WHOLE]) and not asks(found) else SURE
    return found.lasting >= least and max(found.corrects, least * forbids(found.text)) >= least


@lru_cache(maxsize=1024)
def _says_so(text: str) -> bool:
    return lexicon("lasting").search(text.lower()) is not None


def answers(one: Utterance) -> bool:
    """Whether it answers a question in words of its own: what it says then holds."""
    own = (found for found in one.sentences if not asks(found) and found.acts.get("ask_do", 0.0) < SURE)
    return one.answers == "question" and any(telling_words(found.text) for found in own)


def in_turn(shown: Sequence[Shown]) -> list[Shown]:
    """What was said in one go is one; of what was sent again before anything was reported, the last."""
    kept: list[Shown] = []
    before = ""
    for one in map(_unquoted, shown):
        if kept and _is_again(one, kept[-1]) and not reported(kept[-1].reply):
            kept.pop()
            before = ""
        answered, before = before, one.utterance.answered
        joined = _joined(kept[-1], one) if kept else None
        if not joined and answered == before and kept and one.utterance.kind != "answer":
            # The agent had not spoken since: it is about what it did.
            one = structs.replace(one, utterance=structs.replace(one.utterance, answered=""))
        kept = [*kept[:-1], joined] if joined else [*kept, one]
    return kept


def with_outcomes(shown: Sequence[Shown], results: Sequence[TrailResult]) -> list[Shown]:
    """Each with what came of it before the human spoke again, and with what they then had against it."""
    said = {one.utterance.turn: one.utterance for one in shown}
    return [
        structs.replace(
            one,
            done=between(results, one.utterance.turn, one.until),
            is_reported=bool(reported(one.reply)),
            against=_against(said[one.until]) if one.until in said else "",
        )
        for one in shown
    ]


def _against(then: Utterance) -> Against:
    """What somebody's next words have against what the agent did or said."""
    words = then.said[:WHOLE].lower()
    asks_for = then.call is not None or any(found.acts.get("ask_do", 0.0) >= SURE for found in then.sentences)
    if asks_for and lexicon("undo").search(words):
        return "undo"
    bare = any(found.corrects >= SURE for found in then.sentences) and telling_words(words) < TELLING
    if bare or lexicon("no").opens(words[:_OPENING]):
        return "no"
    return "trouble" if complains(then) or _FAILS.heard(words) else ""


def _unquoted(one: Shown) -> Shown:
    """Without the agent's words that it begins with: who repeats them comes to what they think of them last."""
    first, *others = one.utterance.sentences
    theirs = normal(one.utterance.answered.replace("`", ""))
    if not others or telling_words(first.text) < TELLING or normal(first.text) not in theirs:
        return one
    return structs.replace(one, utterance=structs.replace(one.utterance, sentences=others[-1:]))


def each_once(shown: Sequence[Shown]) -> list[Shown]:
    """What was said several times as it was said last. A second yes is said to something else."""
    kept: dict[str, Shown] = {}
    for one in shown:
        said = one.utterance
        name = normal(f"{said.said} {said.answered}" if one.section == DECIDED else said.said)
        kept.pop(name, None)
        kept[name] = one
    return list(kept.values())


def _is_again(one: Shown, before: Shown) -> bool:
    words, known = stems(one.utterance.said), stems(before.utterance.said)
    return len(known) > 3 and len(known & words) >= _TOLD_THERE * len(known) and len(words) <= 2 * len(known)


def _joined(first: Shown, then: Shown) -> Shown | None:
    """Two messages that answer the same words of the agent: it had not answered the first when the second came."""
    one, two = first.utterance, then.utterance
    same = one.answered and one.answered == two.answered and "answer" not in (one.kind, two.kind) and two.call is None
    if not same or first.section != then.section or len(one.said) + len(two.said) > 2 * WHOLE:
        return None
    said = structs.replace(two, sentences=[*one.sentences, *two.sentences], call=one.call, afterwards=one.afterwards)
    return structs.replace(then, utterance=said, entries=(*first.entries, *then.entries))


class Passages:
    """A text in which other texts are looked for: three sentences in a row at a time."""

    def __init__(self, text: str) -> None:
        units = [unit for unit in safe(text[:20_000]).replace("? ", "?. ").split(". ") if unit] if text else []
        self._found = [stems(" ".join(units[at : at + 3]), 200) for at in range(len(units))]

    def hold(self, text: str) -> bool:
        """Whether it is told there."""
        own = stems(text)
        return len(own) > 2 and any(len(own & near) >= _TOLD_THERE * len(own) for near in self._found)

    def hold_all(self, report: str) -> bool:
        """Whether every part of a report is told there."""
        return all(self.hold(part) for part in report.split("…") if part.strip())
