"""Where a session stood when its context was lost: the last words, and what was done since with its outcome."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from steno.briefing.achieved import achieved, listed, mended
from steno.briefing.budget import Line
from steno.briefing.exchange import in_a_row
from steno.briefing.render import quoted, safe
from steno.briefing.report import ALONE, gist, reported, spoken, telling_words
from steno.language.words import without_own_words
from steno.scribe.work.results import attempted
from steno.scribe.work.shell import kind_of
from steno.vocabulary import Checkpoint, JournalTurn, TrailCommand, TrailFailure, TrailItem, TrailResult
from steno.vocabulary.utterances import Utterance

TITLE: Final = "where it stood"
# Told before anything else that is chosen by its worth.
FIRST: Final = 100.0
# What is told of the state beside what was said, by how much it is worth.
_MOST, _MORE, _LEAST = 1.4, 1.2, 0.6
_LAST_WORDS, _SHORTER = 600, 300
_AGENT: Final = (460, 300)
_PRINTED: Final = 160
_RESULTS, _EARLIER, _FILES, _TODOS, _COMMANDS = 8, 3, 6, 5, 2
# What only prepares a command, and what only shortens its output.
_PREPARES: Final = re.compile(r"^(?:cd \S+|source \S+|export \S+)\s*(?:&&|;)\s*")
_SHORTENS: Final = re.compile(r"^cd \S+\s*(?:&&|;)\s*|\s+2>&1|\s*\|\s*(?:tail|head|grep)\b[^|;&]*(?=$| (?:&&|;))")


# A commit or a diff may say anything, also what looks like the result of a test.
_BOOKKEEPING: Final = re.compile(r"\bgit\s+(?:commit|diff|log|show|add)\b")


class Cut(Struct, frozen=True, kw_only=True):
    """The last things said before a context was lost."""

    # The last turn of a person, and their own words since the agent had last ended its turn.
    human: JournalTurn | None = None
    uttered: Sequence[Utterance] = ()
    # Names of the entries that rest on them, for the receipt.
    entries: tuple[str, ...] = ()
    # What the agent said last, since then, in which turn, and right before.
    agent: str = ""
    before: str = ""
    spoke: int = 0
    # The end of what the last command printed, if it ran after that.
    printed: str = ""


def state(point: Checkpoint, cut: Cut) -> Iterator[Line]:
    """What whoever goes on needs first, in the order it is read."""
    since = cut.human.id if cut.human else 0
    test = point.trail.last_test
    late, early = _results(point.trail.results, since)
    lines = [
        ("last", FIRST + 9, _human(cut)),
        ("results", FIRST + 8, _list("done since then", late, 2 * _RESULTS)),
        ("earlier results", _MORE if late else FIRST + 8, _list("done before that", early, _EARLIER)),
        ("files", FIRST + 6, _edited(point, since, committed=False)),
        # What was committed is told by its subject.
        ("committed", _LEAST, _edited(point, since, committed=True)),
        # A test that passed tells less than what is open.
        ("test", _LEAST if test and test.passed else FIRST + 5, _test(point)),
        ("failure", FIRST + 3, _failure(point, since)),
        ("todos", _MOST, _todos(point.trail.todos, since)),
        ("agent", FIRST + 7, _agent(cut)),
        ("commands", _MOST, _commands(point, cut, max(since, cut.spoke))),
    ]
    for item, worth, texts in lines:
        if texts:
            told = cut.entries if item == "last" else ()
            yield Line(section=TITLE, items=(item, *told), worth=worth, texts=texts, whole=item == "last")


def _human(cut: Cut) -> tuple[str, ...]:
    if cut.human is None:
        return ()
    if cut.uttered:
        return tuple(
            "the human's last words: " + in_a_row(cut.uttered[-4:], most) + _below(cut)
            for most in (_LAST_WORDS, _SHORTER)
        )
    text = cut.human.turn.text
    if cut.human.turn.kind == "command":
        return (f"the human's last words: the command {quoted(text, _SHORTER)}",)
    return (f"the human handed over a text last, which begins {quoted(text, 200)}",) if text.strip() else ()


def _below(cut: Cut) -> str:
    """The beginning of what the last words announce, where that is not their own."""
    last, text = cut.uttered[-1].sentences[-1].text, cut.human.turn.text if cut.human else ""
    end = text.rfind(last) + len(last)
    rest = text[end:].strip() if last.endswith((":", "：")) and end >= len(last) else ""
    return f", followed by {quoted(rest, _SHORTER // 2)}" if rest else ""


def _results(found: Sequence[TrailResult], since: int) -> tuple[list[TrailResult], list[TrailResult]]:
    """What was achieved since the human spoke, and the last of it before."""
    those = mended(found)
    late = [one for one in those if one.turn > since]
    # Of many results the last, and all that are no replies before them.
    last = [one for place, one in enumerate(late) if one.kind != "reply" or place >= len(late) - _RESULTS]
    early = [one for one in those if one.turn <= since and one.kind != "push"]
    return last, early


def _list(lead: str, those: Sequence[TrailResult], most: int) -> tuple[str, ...]:
    return (f"{lead}: {'; '.join(list(listed(those))[-most:])}",) if those else ()


def _edited(point: Checkpoint, since: int, *, committed: bool) -> tuple[str, ...]:
    """Files changed since the human spoke of which a commit was seen, or none."""
    late = sorted((file for file in point.trail.files if (file.changed or 0) > since), key=lambda file: file.turn)
    kept = last_commit(point)
    those = [file for file in late if ((file.changed or 0) <= kept) is committed]
    lead = "edited since then and committed" if committed else "edited since then, no commit seen"
    names = list(dict.fromkeys(at_home(file.path, point) for file in those))
    return (f"{lead}: {', '.join(names[-_FILES:])}{_more(names, _FILES)}",) if names else ()


def last_commit(point: Checkpoint) -> int:
    """The turn of the last commit that was seen; what was pushed or merged was committed, if only by git itself."""
    kept = (one.turn for one in point.trail.results if one.kind in ("commit", "push", "merge") and not one.failed)
    return max(kept, default=0)


def _commands(point: Checkpoint, cut: Cut, since: int) -> tuple[str, ...]:
    """The last commands since anybody spoke that do something, as far as nothing else tells of them, and what the last
    one printed."""
    told = {one.turn for one in point.trail.results} | {point.failure.turn if point.failure else 0}
    late = [one for one in point.trail.commands if one.turn > since and one.turn not in told]
    does = [(one, list(attempted(one.command))) for one in late if kind_of(one.command) == "other"]
    # What would change more than the working copy comes first.
    chosen = sorted(does, key=lambda pair: (not pair[1], -pair[0].turn))[:_COMMANDS]
    shown = sorted(chosen, key=lambda pair: pair[0].turn)
    ends = any(one.failed is not None for one in point.trail.commands)
    listed = "; ".join(f"{_called(*pair)}{_went(pair[0], ends=ends)}" for pair in shown)
    printed = _end(without_own_words(cut.printed)) if shown and shown[-1][0] is point.trail.commands[-1] else ""
    return (f"run after that: {listed}{f', printing {quoted(printed)}' if printed else ''}",) if shown else ()


def _called(one: TrailCommand, attempts: Sequence[tuple[str, str]]) -> str:
    """A command; of one that attempts something beyond the working copy, that."""
    return "; ".join(achieved(*each) for each in attempts) if attempts else f"`{command(one.command)}`"


def _went(one: TrailCommand, *, ends: bool) -> str:
    """How a command went, if the host tells how commands end; what the human refused, or we held, never ran."""
    if one.refused:
        return " (the human refused it)"
    if one.held:
        return " (held: it goes against what the human said)"
    if one.failed is None:
        return " (no result seen)" if ends else ""
    return " (failed)" if one.failed else " (went through)"


def _end(text: str) -> str:
    """The last lines of an output, as many as are worth their room."""
    kept: list[str] = []
    for line in reversed([safe(line) for line in text.splitlines() if line.strip()]):
        if sum(map(len, kept)) + len(line) > _PRINTED:
            break
        kept.insert(0, line)
    return " ".join(kept)


def _test(point: Checkpoint) -> tuple[str, ...]:
    test = point.trail.last_test
    if test is None or test.passed is None or _BOOKKEEPING.search(test.command):
        return ()
    printed = f", printing {quoted(test.result.strip('= '), 90)}" if test.result else ""
    old = ", before the latest edits," if any((file.changed or 0) > test.turn for file in point.trail.files) else ""
    return (f"the last test{old} {'passed' if test.passed else 'failed'}: `{command(test.command)}`{printed}",)


def command(text: str) -> str:
    """A command without what only prepares it or shortens its output."""
    while (shorter := _PREPARES.sub("", tool(text))) != text:
        text = shorter
    # It is shown between backticks: one at its edge would make a fence.
    return safe(text, 90).strip("`")


def tool(text: str) -> str:
    """A command to be run again: with what it needs before it, but for the folder."""
    while (shorter := _SHORTENS.sub("", text)) != text:
        text = shorter
    return safe(text, 120)


def last_failure(point: Checkpoint) -> TrailFailure | None:
    """The last command, if it failed: what failed earlier may be mended."""
    failure = point.failure
    went_on = failure and any(one.turn > failure.turn and one.failed is False for one in point.trail.commands)
    return None if went_on else failure


def _failure(point: Checkpoint, since: int) -> tuple[str, ...]:
    failure, test = last_failure(point), point.trail.last_test
    if failure is None or failure.turn <= since or (test is not None and test.turn == failure.turn):
        return ()
    status = f" with exit status {failure.exit_status}" if failure.exit_status else ""
    printed = f"; the tool printed {quoted(failure.printed, 140)}" if failure.printed else ""
    return (f"the last command failed: `{command(failure.command)}`{status}{printed}",)


def _todos(todos: Sequence[TrailItem], since: int) -> tuple[str, ...]:
    """What the agent has yet to do by its own list, if it kept it since the human spoke."""
    waiting = [one for one in todos if one.state in ("doing", "open")]
    if not waiting or max(one.turn for one in todos) < since:
        return ()
    shown = sorted(waiting, key=lambda one: one.state != "doing")[:_TODOS]
    listed = "; ".join(f"{safe(one.text, 90)} ({one.state})" for one in shown)
    return (f"on the agent's list: {listed}{_more(waiting, _TODOS)}",)


def _more(every: Sequence[object], shown: int) -> str:
    return f" and {len(every) - shown} more" if len(every) > shown else ""


def _agent(cut: Cut) -> tuple[str, ...]:
    """What the agent said last: what is open, how it begins and how it ends; if that tells little, what it told before
    it."""
    said = spoken(cut.agent)
    before = () if sum(map(telling_words, said)) >= 2 * ALONE else reported(cut.before)
    texts: list[str] = []
    for most in _AGENT:
        told = [one for one in (gist(said, most), gist(before, most // 2 if said else most)) if one]
        texts += [f"the agent's last words: “{'”; before that: “'.join(told)}”"] if told else []
    return tuple(texts)


def at_home(path: str, point: Checkpoint) -> str:
    """A path without the folder everything lies in."""
    for folder in point.variables.get("directory", []):
        if len(folder) > 1 and path.startswith(f"{folder}/"):
            return safe(path[len(folder) + 1 :], 120)
    parts = path.split("/")
    return safe(f"…/{'/'.join(parts[-2:])}" if len(parts) > 4 and path.startswith("/") else path, 120)
