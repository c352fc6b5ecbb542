"""What the agent tells of its work: how the last turns ended, what it found since, what failed and why. Its words."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, islice
from typing import Final, NamedTuple

from msgspec import structs

from steno.briefing.budget import Line
from steno.briefing.exchange import WHOLE, in_a_row, of_entry, of_utterance, picks, settles, stated
from steno.briefing.report import ALONE, gist, plain, reported, sentences_of, telling_words, tells
from steno.briefing.said import TELLING, Passages, Shown, lasts
from steno.briefing.state import Cut, command, last_failure
from steno.language.watch import Watch
from steno.language.words import normal, stems
from steno.scribe.work.shell import kind_of
from steno.vocabulary import Checkpoint, Entry
from steno.vocabulary.details import Failed
from steno.vocabulary.utterances import Utterance

LATELY: Final = "the turns before, newest first: what the human said → what the agent reported"
FOUND: Final = "what the agent decided and found since then, in its words"
FAILED: Final = "what failed, by the agent's words and its tools"
# Told at most, the latest first; the first is worth less than where it stood and more than any single thing that was
# said, the others as much as one of these.
_TURNS, _FOUND, _FAILURES = 3, 2, 4
_FIRST, _OTHERS = 45.0, 0.9
# What was found, and what failed: the first of it is worth as much as most that was said.
_ONE, _OVER = 1.2, 0.7
_WORDS: Final = 180
# An agent is sure of what it found from here on.
_SURELY: Final = 0.5
# Characters of a report, of the last one and of those before, the longest first.
_LAST, _LATER = (340, 220), (200, 120)
_LATER_ON, _PASSED = " [it went through later]", " [tests passed later]"
_OWN: Final = ("decision", "discovery", "learning")
# What is not there or not allowed stays so.
_BARRED: Final = ("absent", "barred")
_RUN: Final = re.compile(r"`([^`]+)`")
_WRONG: Final = Watch("cause", "reason", "failed", "barred", "no_fault")
_EXPLAINS: Final = Watch("cause", "defect", "failed", "barred", "finished")
# So many turns after a command that failed, words about a cause are about that.
_NEAR: Final = 12
_CHOSEN: Final = Watch("chosen_over", "instead_of")
# "Reason: …" explains what stood above it; a point of a list weighs one way against others.
_LABEL: Final = re.compile(r"\w+: |[-*] ")


class Told(NamedTuple):
    """What the agent says, by what it is: what it decided or found, and where something that went wrong came from."""

    found: list[Entry]
    causes: list[Entry]


def told_by_agent(entries: Sequence[Entry], point: Checkpoint) -> Told:
    """What an agent says of its work that says something."""
    own = [entry for entry in entries if entry.category in _OWN and _says(entry)]
    explains = [entry for entry in own if _is_cause(entry)]
    causes = [entry for entry in explains if _after_failure(entry, point)]
    return Told([entry for entry in own if entry not in explains], causes)


def _is_cause(entry: Entry) -> bool:
    """Whether it says for sure where something comes from."""
    heard = _WRONG.heard(_quote(entry).lower())
    is_cause = "cause" in heard and "no_fault" not in heard
    return is_cause and entry.category == "discovery" and entry.confidence >= _SURELY


def _after_failure(entry: Entry, point: Checkpoint) -> bool:
    """Whether it was said right after a command that failed: elsewhere an agent explains what others found, or what it
    is going to do."""
    turn = _turn(entry)
    before = (one for one in reversed(point.trail.commands) if one.turn < turn and kind_of(one.command) != "look")
    last = next(before, None)
    return last is not None and last.failed is True and turn - last.turn <= _NEAR


def turns_before(shown: Sequence[Shown], cut: Cut) -> list[list[Shown]]:
    """The last turns that ended with a report, before the human's last words, each with all they said in it. What
    binds, or settles several things, stands elsewhere."""
    last = cut.uttered[0].turn if cut.uttered else cut.human.id if cut.human else 0
    before = [one for one in shown if one.utterance.turn < last]
    turns = [list(group) for _, group in groupby(before, key=lambda one: one.reply or one)]
    ended = ([one for one in group if not _is_elsewhere(one)] for group in reversed(turns) if _matters(group))
    return list(islice(filter(None, ended), _TURNS))[::-1]


def _matters(group: Sequence[Shown]) -> bool:
    """Whether more came of a turn than a short answer to what was only asked."""
    asked = all(found.acts.get("ask_know", 0.0) >= _SURELY for one in group for found in one.utterance.sentences)
    return not asked or sum(map(telling_words, reported(group[0].reply))) >= ALONE


def _is_elsewhere(one: Shown) -> bool:
    said = one.utterance
    settles = one.binds or said.kind == "answer" or len(picks(said)) > 1 or (said.kind == "queued" and lasts(said))
    return settles or said.said.endswith(":") or not reported(one.reply)


def lately(turns: Sequence[Sequence[Shown]]) -> Iterator[Line]:
    """What the human said in these turns and what was reported at their end, newest first; a report that a newer one
    repeats only once."""
    newer = ""
    for place, said in enumerate(reversed(turns)):
        older = turns[-place - 2][0].reply if place + 1 < len(turns) else ""
        report, words = reported(said[0].reply), in_a_row([gone_on(one.utterance, older) for one in said], WHOLE // 2)
        reports = [gist(report, most) for most in (_LATER if place else _LAST)]
        texts = [] if Passages(newer).hold_all(reports[0]) else [f"{words} → “{one}”" for one in reports]
        texts += [words] if place or not texts else []
        items = tuple(dict.fromkeys(item for one in said for item in one.items))
        worth = max(_OTHERS, *(one.utterance.worth for one in said)) if place else _FIRST
        spare = place > 1
        yield Line(section=LATELY, items=items, worth=worth, texts=tuple(texts), spare=spare)
        newer += f"{said[0].reply}\n"


def gone_on(one: Utterance, older: str) -> Utterance:
    """Words that only go on, without what they answer: that is told below them."""
    answers = one.answers in ("question", "option") or settles(one)
    return one if answers or normal(one.answered) not in normal(older) else structs.replace(one, answered="")


def found_since(told: Told, cut: Cut, above: Passages) -> Iterator[Line]:
    """What the agent decided and found since the human spoke last, and is not told above."""
    spoke = cut.human.id if cut.human else 0
    late = [entry for entry in told.found if _turn(entry) > spoke and not above.hold(_quote(entry))]
    for place, entry in enumerate(sorted(late, key=_weight)[: -_FOUND - 1 : -1]):
        texts = tuple(f"“{_words(entry, most)}”" for most in (_WORDS, _WORDS // 2))
        worth = _OTHERS if place else _ONE
        yield Line(section=FOUND, items=(f"entry:{entry.id}",), worth=worth, texts=texts)


def complaints(shown: Sequence[Shown], above: Collection[int]) -> list[Shown]:
    """What the human found not to work, and the agent then explained, the latest first. Where they complain again right
    away, the explanation before did not hold."""
    went_on = zip(shown, [*shown[1:], None], strict=True)
    last = [one for one, then in went_on if _complains(one) and not (then and _complains(then))]
    return [one for one in reversed(last) if one.utterance.turn not in above and _explained(one, _WORDS)]


def _complains(one: Shown) -> bool:
    """Whether they say above all that something fails, or what they saw."""
    found = max(one.utterance.sentences, key=lambda found: found.acts.get("report", 0.0))
    return found.acts.get("report", 0.0) >= max(_SURELY, *found.acts.values()) and not lasts(one.utterance)


def _explained(one: Shown, most: int) -> str:
    """Why it was so, and that it was mended, in the agent's words at the end of the turn."""
    report = reported(one.reply)
    return gist([told for told in report if _EXPLAINS.heard(told.lower())] or report, most)


def failed(
    complained: Sequence[Shown], entries: Sequence[Entry], told: Told, point: Checkpoint, above: Passages
) -> Iterator[Line]:
    """What the human found not to work and what was tried here and barred or given up, with what it came from, in turn;
    not what is told above."""
    tried = [entry for entry in entries if entry.category == "exclusion" and _is_lesson(entry, point)]
    kept: list[tuple[Entry, frozenset[str]]] = []
    for entry in sorted([*tried, *told.causes], key=_turn, reverse=True):
        own = stems(_quote(entry))
        alike = any(
            entry.detail.what == one.detail.what or len(own & other) > min(len(own), len(other)) / 2
            for one, other in kept
        )
        if not alike and not above.hold(_quote(entry)) and not above.hold(_printed(entry)):
            kept.append((entry, own))
    lines = [(_turn(entry), _way(entry, point)) for entry, _ in kept]
    lines += [(one.utterance.turn, _complaint(one)) for one in complained]
    latest = [line for _, line in sorted(lines, key=lambda pair: (-pair[1].worth, -pair[0]))][:_FAILURES]
    yield from (structs.replace(line, worth=line.worth if place else _ONE) for place, line in enumerate(latest))


def _complaint(one: Shown) -> Line:
    texts = tuple(
        of_utterance(one.utterance, most=WHOLE // 2, reply=_explained(one, most)) for most in (2 * _WORDS, _WORDS)
    )
    return Line(section=FAILED, items=one.items, worth=_OTHERS, texts=texts)


def _way(entry: Entry, point: Checkpoint) -> Line:
    """A way that was tried; one that is open by now is worth less."""
    test = point.trail.last_test
    if entry.category == "exclusion":
        later = _LATER_ON if entry.cue != "given_up" and _is_mended(entry, point) else ""
    else:
        later = _PASSED if test is not None and test.passed and test.turn > _turn(entry) else ""
    texts = tuple(f"{_failure(entry, most)}{later}" for most in (2 * _WORDS, _WORDS * 4 // 3))
    worth = _OVER if later else _OTHERS
    return Line(section=FAILED, items=(f"entry:{entry.id}",), worth=worth, texts=texts)


def _failure(entry: Entry, most: int) -> str:
    """What failed; where a few words tell of it and of what was done about it, these."""
    if entry.category == "exclusion":
        return of_entry(entry, most)
    whole = _around(entry)
    return f"the agent: {stated(whole, 2 * _WORDS) if whole else _words(entry, most)}"


def _around(entry: Entry) -> str:
    """The few words of the same turn that a cause was told in, where they were kept."""
    return next((one.quote for one in entry.evidence[1:] if one.turn == _turn(entry)), "")


def _weight(entry: Entry) -> tuple[bool, float, int]:
    return entry.category == "decision", entry.confidence, _turn(entry)


def _quote(entry: Entry) -> str:
    return entry.evidence[0].quote if entry.evidence else ""


def _turn(entry: Entry) -> int:
    return entry.evidence[0].turn if entry.evidence else 0


def _printed(entry: Entry) -> str:
    return entry.detail.symptom if isinstance(entry.detail, Failed) else ""


def _words(entry: Entry, most: int) -> str:
    return sentences_of(plain(_quote(entry)), most)


def _says(entry: Entry) -> bool:
    """Whether it says how something is, or which of two ways was taken."""
    said = plain(_quote(entry))
    if telling_words(said) < TELLING or said.endswith((":", "：")):
        return False
    return tells(said, of_choice=bool(_CHOSEN.heard(said.lower())))


def _is_lesson(entry: Entry, point: Checkpoint) -> bool:
    """Whether something was tried whose outcome is named, and that may come back. A check that fails is work at hand;
    what went through later needs a reason, or a command that a hook refused; a way that was left needs a reason or
    names something, else it was a slip."""
    run = _RUN.search(entry.detail.what)
    at_work = run is not None and kind_of(run[1]) in ("test", "check") and entry.cue not in _BARRED
    if at_work or telling_words(of_entry(entry)) < TELLING:
        return False
    if (last := last_failure(point)) and last.command in entry.detail.what:
        return False
    if entry.cue == "given_up":
        said = _quote(entry)
        heard = _WRONG.heard(said.lower())
        explained = bool(entry.detail.why or heard & {"cause", "reason"} or "`" in said)
        return bool(heard & {"failed", "barred"}) and explained and not _LABEL.match(said)
    return not _is_mended(entry, point) or bool(entry.detail.why) or (run is not None and entry.cue == "hook")


def _is_mended(entry: Entry, point: Checkpoint) -> bool:
    """Whether the same command, or a change of the same file, went through afterwards."""
    turn, run = min((one.turn for one in entry.evidence), default=0), _RUN.search(entry.detail.what)
    tried = command(run[1]) if run else ""
    if tried and any(one.turn > turn and one.failed is False and tried in one.command for one in point.trail.commands):
        return True
    later = (file.path.split("/")[-1] for file in point.trail.files if (file.changed or 0) > turn)
    return any(name in entry.detail.what for name in later)
