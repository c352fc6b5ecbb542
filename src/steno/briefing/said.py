"""What the human said, as lines: what surely binds, what they agreed to or chose, and the rest, each once."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct, structs

from steno.briefing.budget import Line
from steno.briefing.exchange import AROUND, WHOLE, forbids, of_utterance, picks, worth_of
from steno.briefing.render import quoted, safe
from steno.briefing.report import ALONE, gist, reported, telling_words
from steno.language.lexicon import lexicon
from steno.language.words import normal, stems
from steno.vocabulary.utterances import Sentence, Utterance

RULED: Final = "the human's standing instructions"
REFUSED: Final = "the human's refusals"
DECIDED: Final = "the human chose or agreed to"
SAID: Final = "what the human said, oldest first, → what the agent then said"
# What is sure comes before what is only shown; newer words a little before older ones. Below the least it helps no one.
SURE: Final = 0.5
_LATE, _LEAST = 0.2, 0.45
# What an agreement is worth at least: its own words say little, and what was agreed to holds.
_AGREED: Final = 0.5
# Characters of a line, the longest first: of the words, and of what stands around them.
_LENGTHS: Final = ((2 * WHOLE, AROUND), (WHOLE, AROUND), (WHOLE // 2, AROUND), (WHOLE // 2, AROUND // 3))
_BRIEF: Final = ((WHOLE * 2 // 3, AROUND), (WHOLE // 2, AROUND // 3))
# So many are weighed against everything else.
_MOST: Final = 20
# What came of it may be that it is over: worth less then.
_OVER: Final = ("ran later", "redone", "reverted")
_DONE: Final = 0.6
# Telling words of an answer in words of its own.
_OWN: Final = 1
# How much the length of a line counts against it.
_THRIFT: Final = 0.3
# Told only if so many words say what it is.
TELLING, _FEW = 5, 3
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

    @property
    def items(self) -> tuple[str, ...]:
        """Names, for the receipt."""
        return f"turn:{self.utterance.turn}", *(f"entry:{id_}" for id_ in self.entries)

    @property
    def binds(self) -> bool:
        """Whether it binds for longer than the work at hand, surely or by how it was weighed."""
        return self.rules or self.refuses or any(map(_stands, self.utterance.sentences))

    @property
    def section(self) -> str:
        """Under what it is told."""
        one = self.utterance
        few = telling_words(one.said) < _FEW
        chose = few and any(found.acts.get("choose", 0.0) >= SURE for found in one.sentences)
        settles = one.kind == "answer" or picks(one) or chose or (self.agreed and few)
        return RULED if self.rules else REFUSED if self.refuses else DECIDED if settles else SAID


def exchanges(shown: Sequence[Shown], *, above: Collection[int], shown_above: str, summary: str) -> Iterator[Line]:
    """What the human said, by section, without the turns told above, and what the host's summary tells. What stands for
    good within a longer message is told by itself, unless it is shown above."""
    there = Passages(summary)
    shown, ruled = _parted([one for one in shown if not there.hold(one.utterance.said)], normal(shown_above))
    told = [one for one in shown if one.utterance.turn not in above and (one.rules or one.refuses or _says(one))]
    told = [_closed(one, then) for one, then in zip(told, [*told, None][1:], strict=True)]
    lines = [_line(one, worth) for one, worth in _weighed(told)]
    for section in (RULED, REFUSED, DECIDED, SAID):
        yield from (line for line in lines if line.section == section and line.texts)
        if section == RULED:
            yield from ruled


def _weighed(told: Sequence[Shown]) -> list[tuple[Shown, float]]:
    """Each with its worth, in their order; of many those that are worth most."""
    first, last = (told[0].utterance.turn, told[-1].utterance.turn) if told else (0, 0)
    found = []
    for one in told:
        late = (one.utterance.turn - first) / max(1, last - first)
        worth = _worth(one.utterance) + _LATE * late + SURE * one.rules + SURE * one.refuses
        holds = _AGREED + SURE * late
        if one.section == DECIDED and telling_words(one.utterance.said) < _FEW:
            worth = holds
        elif one.section == DECIDED or answers(one.utterance):
            worth = max(worth, holds)
        if one.utterance.afterwards in _OVER:
            worth *= _DONE
        found.append((one, worth / ((_much(one) + AROUND / 2) / 100) ** _THRIFT))
    least = sorted((worth for _, worth in found), reverse=True)[:_MOST][-1:]
    return [(one, worth) for one, worth in found if worth >= least[0]]


def _much(one: Shown) -> int:
    """About how long a line it makes."""
    said = one.utterance
    around = "".join(found.option for found in picks(said)) or one.agreed or (said.call and said.call.given)
    return min(len(said.said), WHOLE // 2) + min(len(around or ""), AROUND)


def answers(one: Utterance) -> bool:
    """Whether it answers a question in words of its own: what it says then holds."""
    own = (found for found in one.sentences if not _asks(found) and found.acts.get("ask_do", 0.0) < SURE)
    return one.answers == "question" and sum(telling_words(found.text) for found in own) >= _OWN


def _line(one: Shown, worth: float) -> Line:
    said, section = one.utterance, one.section
    if len(one.agreed) > len(said.answered):
        # The question first: what it is about may be long.
        points = one.agreed.replace(said.answered, "").strip(" /")
        said = structs.replace(said, answered=" / ".join(filter(None, (said.answered, points))))
    every = _BRIEF if section == DECIDED else _LENGTHS[1:] if one.reply else _LENGTHS
    # A longer form of what is told whole already is no other form.
    whole = len(said.said) + len(said.answered) + AROUND // 4
    lengths = [
        found for found, less in zip(every, (*every[1:], (0, 0)), strict=True) if found[1] != less[1] or whole > less[0]
    ]
    reply, times = reported(one.reply), 1 if section == DECIDED else one.times
    helps = section != SAID or _helps(one.utterance)
    # What was asked for once is told with what came of it, with room to spare; what was only asked, with its answer.
    spare = not helps or (section == SAID and bool(reply) and not lasts(one.utterance) and not answers(one.utterance))
    forms = [(most, around, gist(reply, max(around, AROUND // 2) * 4 // 3)) for most, around in lengths]
    texts = tuple(
        of_utterance(said, times, most=most, around=around, reply=then if telling_words(then) >= _FEW else "")
        for most, around, then in forms
        if telling_words(then) >= _FEW or not spare
    )
    if section == DECIDED and telling_words(one.utterance.said) < _FEW and telling_words(texts[-1]) < TELLING:
        # A yes to what says nothing says nothing.
        texts = ()
    return Line(section=section, items=one.items, worth=worth, texts=texts, spare=spare)


def _worth(one: Utterance) -> float:
    return max((worth_of(found, stops=one.call is not None) for found in one.sentences), default=0.0)


def _closed(one: Shown, then: Shown | None) -> Shown:
    """With what the agent said to it, where that is needed: how it took a correction that says little by itself; what
    came of a request that was made once, or of an answer that asks back, unless the human's next words tell it."""
    said, reply = one.utterance.sentences, ""
    asks = (
        _asks(said[-1])
        or max(found.acts.get("ask_do", 0.0) + found.acts.get("ask_know", 0.0) for found in said) >= SURE
    )
    if one.section == SAID and _settles(one.utterance) >= SURE and telling_words(one.utterance.said) < ALONE:
        reply = one.answer
    elif asks and not (then and then.agreed) and one.utterance.call is None:
        ends = one.section == SAID and not lasts(one.utterance)
        reply = one.reply if ends or _asks(said[-1]) or _wonders(one) else ""
    return structs.replace(one, reply=reply)


def _wonders(one: Shown) -> bool:
    """Whether an answer leaves something to the agent."""
    return one.section == DECIDED and any(map(_asks, one.utterance.sentences))


def lasts(one: Utterance) -> bool:
    """Whether some of it stops, forbids, corrects, chooses or stands."""
    return one.call is not None or any(
        forbids(found.text) or max(found.corrects, found.lasting, found.acts.get("choose", 0.0)) >= SURE
        for found in one.sentences
    )


def _parted(told: Sequence[Shown], above: str) -> tuple[list[Shown], list[Line]]:
    """Long messages without the standing instructions within them, and these by themselves."""
    rest, ruled = [], []
    for one in told:
        is_long = not one.rules and len(one.utterance.said) > WHOLE
        stands = [found for found in one.utterance.sentences if is_long and _stands(found)]
        if not stands or len(stands) == len(one.utterance.sentences):
            rest.append(one)
            continue
        others = [found for found in one.utterance.sentences if found not in stands]
        rest.append(structs.replace(one, utterance=structs.replace(one.utterance, sentences=others)))
        for found in stands:
            if normal(found.text) not in above:
                worth = (found.worth() + SURE) / (max(len(found.text), 40) / 100) ** _THRIFT
                ruled.append(Line(section=RULED, items=one.items, worth=worth, texts=(quoted(found.text, WHOLE),)))
    return rest, ruled


def _asks(found: Sentence) -> bool:
    return found.text.rstrip().endswith(("?", "？"))


def _stands(found: Sentence) -> bool:
    """Whether it holds for good: by how it was weighed, and less surely where it says so in plain words."""
    least = SURE / 2 if lexicon("lasting").search(found.text[:WHOLE].lower()) and not _asks(found) else SURE
    return found.lasting >= least and max(found.corrects, least * forbids(found.text)) >= least


def _says(shown: Shown) -> bool:
    """Whether it says something, not only that the agent may go on or what was pasted below."""
    one = shown.utterance
    few = telling_words(one.said)
    goes_on = few < _FEW and one.answers in ("", "words", "proposal") and _settles(one) < SURE
    return shown.section == DECIDED or not (goes_on or (one.said.endswith(":") and few < TELLING))


def _helps(one: Utterance) -> bool:
    """Whether whoever goes on would miss it. What is only asked is answered by now."""
    return answers(one) or (_worth(one) >= _LEAST and not (_settles(one) < SURE / 2 and all(map(_asks, one.sentences))))


def _settles(one: Utterance) -> float:
    """How surely it stops, corrects or chooses."""
    return 1.0 if one.call else max(max(found.corrects, found.acts.get("choose", 0.0)) for found in one.sentences)


def in_turn(shown: Sequence[Shown]) -> list[Shown]:
    """What was said in one go is one; of what was sent again before anything was reported, the last. What stood before
    a call that was stopped is no report."""
    kept: list[Shown] = []
    for said, then in zip(shown, [*shown[1:], None], strict=True):
        one = _unquoted(structs.replace(said, reply="") if then and then.utterance.call else said)
        if kept and (_is_fuller(one, kept[-1]) or (_is_again(one, kept[-1]) and not reported(kept[-1].reply))):
            kept.pop()
        joined = _joined(kept[-1], one) if kept else None
        kept = [*kept[:-1], joined] if joined else [*kept, one]
    return kept


def _unquoted(one: Shown) -> Shown:
    """Without the agent's words that it begins with: who repeats them comes to what they think of them last."""
    first, *others = one.utterance.sentences
    quotes = telling_words(first.text) >= TELLING and normal(first.text) in normal(
        one.utterance.answered.replace("`", "")
    )
    if not others or not quotes:
        return one
    return structs.replace(one, utterance=structs.replace(one.utterance, sentences=others[-1:]))


def each_once(shown: Sequence[Shown]) -> list[Shown]:
    """What was said several times, perhaps in slightly other words, as it was said last."""
    kept: dict[str, Shown] = {}
    before: Shown | None = None
    for one in shown:
        said = one.utterance.said
        if kept and before and _is_again(one, before):
            kept.popitem()
        # A second yes is said to something else.
        name = normal(f"{said} {one.utterance.answered}" if one.section == DECIDED else said)
        kept.pop(name, None)
        kept[name] = before = one
    return list(kept.values())


def _is_again(one: Shown, before: Shown) -> bool:
    words, known = stems(one.utterance.said), stems(before.utterance.said)
    return len(known) > 3 and len(known & words) >= _TOLD_THERE * len(known) and len(words) <= 2 * len(known)


def _is_fuller(one: Shown, before: Shown) -> bool:
    """Whether it gives the answer of the words before it once more, where these said little."""
    said, answered = before.utterance, one.utterance.answered
    agrees = before.section == DECIDED and said.kind != "answer" and telling_words(said.said) < _FEW
    return agrees and bool(answered) and said.answered == answered


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
