"""What the agent found since the human spoke last, and what failed and why."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import structs

from steno.briefing.budget import Line
from steno.briefing.exchange import WHOLE, of_entry, of_utterance
from steno.briefing.report import gist, plain, reported, sentences_of, telling_words, tells
from steno.briefing.shown import TELLING, Passages, Shown, complains
from steno.briefing.state import Cut
from steno.language.watch import Watch
from steno.language.words import stems
from steno.vocabulary import Entry

FOUND: Final = "what the agent decided and found since then, in its words"
FAILED: Final = "what failed, and what was said of it"
# Told at most. The first is worth as much as most that was said; what is over by now, less than the rest.
_FINDINGS, _FAILURES = 2, 4
_FIRST, _OTHERS = 1.2, 0.9
_WORDS: Final = 180
_OWN: Final = ("decision", "discovery", "learning")
_EXPLAINS: Final = Watch("cause", "defect", "failed", "barred", "finished")
_CHOSEN: Final = Watch("chosen_over", "instead_of")


def found_since(entries: Sequence[Entry], cut: Cut, above: Passages) -> Iterator[Line]:
    """What the agent decided and found since the human spoke last, and is not told above."""
    spoke = cut.human.id if cut.human else 0
    late = [entry for entry in entries if entry.category in _OWN and _turn(entry) > spoke and _says(entry)]
    lacked = [entry for entry in late if not above.hold(_quote(entry))]
    for place, entry in enumerate(sorted(lacked, key=_weight)[: -_FINDINGS - 1 : -1]):
        texts = tuple(f"“{sentences_of(plain(_quote(entry)), most)}”" for most in (_WORDS, _WORDS // 2))
        worth = _OTHERS if place else _FIRST
        yield Line(section=FOUND, items=(f"entry:{entry.id}",), worth=worth, texts=texts)


def complaints(shown: Sequence[Shown], above: Collection[int]) -> tuple[list[Shown], list[Shown], str]:
    """What the human found not to work and the agent then explained; the rest, without what did not hold: where they
    complain again right away, what they were told before; and all these explanations."""
    found, rest, explained = [], [], []
    for one, then in zip(shown, [*shown[1:], None], strict=False):
        complaint, held = complains(one.utterance), not (then and complains(then.utterance))
        if complaint and held and one.utterance.turn not in above and _explained(one, _WORDS):
            found.append(one)
            explained.append(one.reply)
        elif complaint and not held:
            rest.append(structs.replace(one, reply=""))
            explained.append(one.reply)
        else:
            rest.append(one)
    return found, rest, "\n".join(explained)


def _explained(one: Shown, most: int) -> str:
    """Why it was so, and that it was mended, in the agent's words at the end of the turn."""
    report = reported(one.reply)
    return gist([told for told in report if _EXPLAINS.heard(told.lower())] or report, most)


def failed(complained: Sequence[Shown], entries: Sequence[Entry], above: Passages) -> Iterator[Line]:
    """What the human found not to work, and what failed by the agent's words, the latest first; not what is told
    above."""
    lines = [(one.utterance.turn, _complaint(one)) for one in complained]
    lines += [(_turn(entry), _cause(entry)) for entry in _causes(entries) if not above.hold(_quote(entry))]
    latest = [line for _, line in sorted(lines, key=lambda pair: -pair[0])][:_FAILURES]
    yield from (structs.replace(line, worth=line.worth if place else _FIRST) for place, line in enumerate(latest))


def _complaint(one: Shown) -> Line:
    lengths = (2 * _WORDS, _WORDS)
    texts = tuple(of_utterance(one.utterance, most=WHOLE // 2, reply=_explained(one, most)) for most in lengths)
    return Line(section=FAILED, items=one.items, worth=_OTHERS, texts=texts)


def _cause(entry: Entry) -> Line:
    texts = tuple(of_entry(entry, most) for most in (2 * _WORDS, _WORDS * 4 // 3))
    return Line(section=FAILED, items=(f"entry:{entry.id}",), worth=_OTHERS, texts=texts)


def _causes(entries: Sequence[Entry]) -> list[Entry]:
    """What failed and why, the latest of what is alike."""
    told = [one for one in entries if one.category == "exclusion" and telling_words(of_entry(one)) >= TELLING]
    kept: list[tuple[Entry, frozenset[str]]] = []
    for entry in sorted(told, key=_turn, reverse=True):
        own = stems(_quote(entry))
        if not any(len(own & other) > min(len(own), len(other)) / 2 for _, other in kept):
            kept.append((entry, own))
    return [entry for entry, _ in kept]


def _weight(entry: Entry) -> tuple[bool, float, int]:
    return entry.category == "decision", entry.confidence, _turn(entry)


def _quote(entry: Entry) -> str:
    return entry.evidence[0].quote if entry.evidence else ""


def _turn(entry: Entry) -> int:
    return entry.evidence[0].turn if entry.evidence else 0


def _says(entry: Entry) -> bool:
    """Whether it says how something is, or which of two ways was taken."""
    said = plain(_quote(entry))
    if telling_words(said) < TELLING or said.endswith((":", "：")):
        return False
    return tells(said, of_choice=bool(_CHOSEN.heard(said.lower())))
