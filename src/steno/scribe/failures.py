"""Approaches that failed: from what happened, a call that went wrong and what the agent said or did next; and from what
the agent says of its own ways.

Not every red result is one. Where the way itself is barred (not installed, not allowed, refused by a hook), going on
another way is enough. Where the work is not finished yet (a test, a type error), the agent has to say why and turn to
something else. What a tool says is evidence; no summary repeats it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from steno.language.lexicon import lexicon
from steno.language.names import names
from steno.language.sentence import sentences
from steno.language.watch import Watch
from steno.language.words import content_words, is_held, squeeze
from steno.language.words import plain as lowered
from steno.scribe.passages import Moment, Part, plain
from steno.scribe.scene import call_of
from steno.scribe.wording import SUMMARY, about, asked, reasoning, shortened, subject, summary
from steno.scribe.work.calls import changed, read_call
from steno.scribe.work.shell import kind_of, went, without_cd
from steno.vocabulary import Candidate, JournalTurn, Quote, Tag, Window
from steno.vocabulary.details import Failed, Stance

# How much of a result is read: errors stand at its beginning or its end.
HEAD, TAIL, LINE = 1200, 1600, 240
APPROACH, COMMAND = 160, 100
# Sentences up to which each of a turn's is about what just happened; and up to which a turn that goes on is.
BRIEF, STEP = 3, 5
# How much of a call or a message is read.
READ: Final = 4000

_OUTPUT: Final = Watch("output_absent", "output_barred", "output_hook", "output_wrong", "output_slip")
# Lines that only say that something failed.
_EMPTY: Final = re.compile(
    r"(?:Error: )?(?:Exit code:? |Command exited with code )\d+\W*$|^\W*$|^#+ Error$|^\W*Require stack"
)
_DESCRIBED: Final = re.compile(r'"description" ?: ?"([^"\\]{3,120})"')
_COLOUR: Final = re.compile(r"\x1b\[[\d;]*m")
# What goes wrong behind a pipe leaves no exit status.
_PIPED: Final = (
    "command not found", " command you are looking for", "ommand failed with exit code", "is not installed",
)  # fmt: skip
# Taking an edit back, and the paths it is taken back from.
REVERTS: Final = re.compile(
    r"git (?:checkout(?: HEAD)? --|restore(?! --staged)|revert|reset --hard(?: HEAD)?) ?([^;&|\"\\]*)"
)
Bar = Literal["", "absent", "hook", "barred"]
_TOLD: Final[Mapping[Bar, str]] = {
    "absent": "not there, or not as it was called",
    "hook": "refused by a hook",
    "barred": "not possible here",
}


class Try(NamedTuple):
    """A call that went wrong."""

    call: JournalTurn | None
    result: JournalTurn
    approach: str
    # The line that says what went wrong, as it stands in the result.
    symptom: str
    # How the way itself is barred, if it is.
    bar: Bar


def failures(turn: JournalTurn, parts: Sequence[Part], moment: Moment, window: Window) -> list[Candidate]:
    """The approaches a turn says have failed."""
    if moment.proposes:
        return []
    failed = _last(window, looks=True)
    told = (_explained(turn, parts, failed, window) if failed else []) or _given_up(turn, parts, moment)
    return [] if told and any(lexicon("no_fault").search(part.text) for part in parts) else told


def passed_over(turn: JournalTurn, window: Window) -> list[Candidate]:
    """A way that is left without a word: the next call goes another way, or takes an edit back."""
    failed = _last(window)
    if failed is not None and failed.call is not None and failed.call.turn.text != turn.turn.text:
        return _silent(failed, window, _next(turn))
    return _taken_back(turn, window)


def _next(call: JournalTurn) -> str:
    """What is done instead, if it does something."""
    made = read_call(call)
    return "" if made is None or _looks(call) else _approach(call, made.command)


def _taken_back(turn: JournalTurn, window: Window) -> list[Candidate]:
    """An edit the agent itself takes back with git: what it announced before did not do."""
    reverts = REVERTS.search(turn.turn.text[:READ])
    human = window.human
    if not reverts or (human and lexicon("undo").search(human.turn.text[:READ])):
        return []
    edit = _edit(window, (reverts.group(1) or ".").split())
    if edit is None:
        return []
    approach = _announced(edit, window)
    quotes = [Quote(turn.id, reverts.group()), _quote(edit)]
    return [_exclusion(f"{approach}: taken back", quotes, Failed(approach=approach, task=_task(window)), "taken_back")]


def _edit(window: Window, paths: Sequence[str]) -> JournalTurn | None:
    """The last edit of one of these paths since the person spoke; a dot stands for all."""
    human = window.human
    since = human.id if human else 0
    for call in reversed(window.done):
        if call.id > since and any(path == "." or file.endswith(path) for file in changed(call) for path in paths):
            return call
    return None


def _announced(edit: JournalTurn, window: Window) -> str:
    """What an edit was to do, as the agent said before it; else where it was made."""
    human, made = window.human, call_of(edit)
    since = human.id if human else 0
    said = next((one.turn.text for one in reversed(window.said) if since < one.id < edit.id), "")
    told = plain(sentences(said[-SUMMARY:])[-1].text) if said.strip() else ""
    return told or (f"Edit of {made.given}" if made else "")


def _explained(turn: JournalTurn, parts: Sequence[Part], failed: Try, window: Window) -> list[Candidate]:
    """What is said of a call that just went wrong, if it is barred or the agent turns to another way."""
    change = next((part for part in parts if "changes" in part.signs), None)
    why = max(parts, key=lambda part: _explains(part, brief=len(parts) <= BRIEF))
    taught = failed.bar or change or why.signs & {"barred", "failed"}
    if not taught or not _explains(why, brief=len(parts) <= BRIEF):
        return []
    told = _up_to(turn.turn.text, why, change or why)
    return [_excluded(failed, window, Quote(turn.id, told), plain(why.text))]


def _up_to(text: str, why: Part, change: Part) -> str:
    """The words that say why, up to those that say what is done instead, if they stand near."""
    whole = text[why.span.start : change.span.end]
    return whole if len(why.text) <= len(whole) <= SUMMARY else why.text


def _explains(part: Part, *, brief: bool) -> int:
    """How much a sentence says why, from 0."""
    if not part.states or len(content_words(part.text)) < 2:
        return 0
    if part.signs & {"negated", "refutes", "failed", "barred", "cause"}:
        return 3
    return 2 if names(part.text) else int(brief)


def _given_up(turn: JournalTurn, parts: Sequence[Part], moment: Moment) -> list[Candidate]:
    """The way the agent says it tried and leaves: said to have failed, or faulted in a step that goes another way."""
    change = next((part for part in reversed(parts) if "changes" in part.signs), None)
    step = len(parts) <= STEP
    # What is said outright comes before what is only faulted.
    for part in sorted(parts, key=lambda part: "failed" not in part.signs):
        listed = moment.offers and part.span.kind == "item"
        if not part.states or listed or part.signs & {"hedge", "open_ended", "proposes"}:
            continue
        turns = step and change is not None and part.span.start <= change.span.start
        failed = "failed" in part.signs and (step or moment.objected or reasoning(part))
        if failed or (turns and part.span.kind == "prose" and part.signs & {"barred", "negated"}):
            return [_left(turn, part, change if turns and change else part, moment)]
    return []


def _left(turn: JournalTurn, part: Part, change: Part, moment: Moment) -> Candidate:
    detail = Failed(
        approach=plain(part.text),
        cause=reasoning(part),
        stance=Stance(wanted=plain(change.text) if change is not part else ""),
        task=asked(moment),
    )
    quote = Quote(turn.id, _up_to(turn.turn.text, part, change))
    tags: list[Tag] = ["human"] if moment.first_answer and moment.objected else []
    return _exclusion(summary(part, moment), [quote], detail, "given_up", tags)


def _last(window: Window, *, looks: bool = False) -> Try | None:
    """The failure among the results that came last, if nobody has spoken since, and nothing but looked."""
    spoke = max((said.id for said in window.said), default=0)
    answered: set[str | None] = set()
    for done in reversed(window.done):
        if done.id < spoke:
            return None
        if done.turn.kind == "result":
            answered.add(done.turn.call)
            if found := _try(done, window):
                return found
        elif done.turn.call in answered and not (looks and _looks(done)):
            return None
    return None


def _looks(call: JournalTurn) -> bool:
    """Whether a call only looks at something."""
    made = read_call(call)
    if made is None or made.command:
        return made is None or kind_of(made.command or "") == "look"
    return all(act == "read" for act, _ in made.files)


def _try(result: JournalTurn, window: Window) -> Try | None:
    """A result that tells of a failure, with the call it belongs to; None where it tells of none, or of a slip."""
    text = result.turn.text
    if is_held(text):
        return None
    ends = (text[:HEAD], text[-TAIL:]) if len(text) > HEAD else (text,)
    if not went(result.turn).failed and not any(mark in end for end in ends for mark in _PIPED):
        return None
    call = window.call_of(result.turn)
    made = read_call(call) if call else None
    command = made.command if made else None
    kind = kind_of(command) if command else "other"
    line, bar = _symptom(ends, kind)
    if not line or (made is not None and not command and bar != "hook"):
        return None
    # A check that fails faults what was done before it.
    edit = _edit(window, ["."]) if kind in ("test", "check") and not bar else None
    announced = shortened(_announced(edit, window).rstrip(" .:"), APPROACH) if edit else ""
    return Try(call, result, _approach(call, command, announced), line, bar)


def _symptom(ends: Sequence[str], kind: str) -> tuple[str, Bar]:
    """The line that says most, and how it bars the way; none where it tells of a slip."""
    lines = [line.strip()[:LINE] for end in ends for line in end.splitlines() if not _EMPTY.search(line)]
    told = [(line, _OUTPUT.heard(lowered(line))) for line in lines]
    for at, (line, signs) in enumerate(told):
        if "output_hook" in signs:
            return next((one for one, wrong in reversed(told[:at]) if "output_wrong" in wrong), line), "hook"
    free = [one for one in told if "output_slip" not in one[1]]
    for line, signs in free:
        absent = "output_absent" in signs
        if absent or (kind == "other" and "output_barred" in signs):
            return line, "absent" if absent else "barred"
    slip = kind == "look" or (bool(told) and "output_slip" in told[0][1])
    wrong = next((line for line, signs in free if "output_wrong" in signs), lines[0] if lines else "")
    return ("" if slip else wrong), ""


def _approach(call: JournalTurn | None, command: str | None, announced: str = "") -> str:
    """What was tried, in one line."""
    made = call_of(call)
    if call is None or made is None:
        return "What was tried"
    if command is None:
        return shortened(f"{made.tool.rpartition('__')[2]} {made.given}".strip(), APPROACH)
    line = shortened(squeeze(without_cd(command)[0].split("\n", 1)[0]), COMMAND)
    described = _DESCRIBED.search(call.turn.text)
    told = announced or (described.group(1) if described else "")
    return f"{told} (`{line}`)" if told else f"`{line}`"


def _silent(failed: Try, window: Window, then: str = "") -> list[Candidate]:
    """A way nobody says a word about: barred, and met for the first time."""
    met = any(_tells(one, failed.symptom) for one in window.done if one.id < failed.result.id)
    return [_excluded(failed, window, _quote(failed.call), then=then)] if failed.bar and failed.call and not met else []


def _tells(result: JournalTurn, symptom: str) -> bool:
    text = result.turn.text
    return result.turn.kind == "result" and (symptom in text[:HEAD] or symptom in text[-TAIL:])


def _quote(call: JournalTurn) -> Quote:
    """The command of a call where it stands there word for word, else the beginning of the call."""
    made = read_call(call)
    line = (made.command or "").split("\n", 1)[0] if made else ""
    return Quote(call.id, line if line and line in call.turn.text else call.turn.text[:SUMMARY])


def _task(window: Window) -> str:
    """What the person last asked for."""
    human = window.human
    return shortened(squeeze(human.turn.text[:SUMMARY]), APPROACH) if human else ""


def _excluded(failed: Try, window: Window, said: Quote, why: str = "", then: str = "") -> Candidate:
    """A call that went wrong, as an entry. Of a tool's words only a name stands in the summary: nobody obeys a name."""
    named = next((f" ({name})" for name in reversed(names(failed.symptom)) if " " not in name), "")
    words = plain(said.quote) if why else f"{_TOLD.get(failed.bar, '')}{named}"
    symptom = squeeze(_COLOUR.sub("", failed.symptom))
    detail = Failed(approach=failed.approach, cause=why, symptom=symptom, then=then, task=_task(window))
    quotes = [said, Quote(failed.result.id, failed.symptom)]
    cue = failed.bar or "explained"
    return _exclusion(f"{failed.approach} failed: {words}", quotes, detail, cue)


def _exclusion(words: str, evidence: list[Quote], detail: Failed, cue: str, tags: Sequence[Tag] = ()) -> Candidate:
    return Candidate(
        category="exclusion",
        summary=shortened(words, SUMMARY),
        evidence=evidence,
        detail=replace(detail, about=about(detail.cause, detail.approach, detail.stance.wanted)),
        confidence=0.6 if detail.cause and detail.symptom else 0.5,
        tags=["lesson", *tags],
        subject=subject(words),
        cue=cue,
    )
