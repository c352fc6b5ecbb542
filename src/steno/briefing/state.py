"""How things stand, by the calls and their results: each line says only what was seen, and when it was.

What the trail does not know is absent. Nothing here is read out of anybody's words.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from steno.briefing.budget import Line
from steno.briefing.entries import held
from steno.briefing.render import quoted, safe
from steno.vocabulary import Checkpoint, Repository, Trail, TrailResult
from steno.vocabulary.checkpoints import Request

TITLE: Final = "state, as calls and their results showed it"
HAND: Final = "at hand"
# When a turn was, in words; empty: nobody noted it.
When = Callable[[int], str]

# How many paths, results, requests, runs and open points are told, and letters of a command.
_PATHS, _RESULTS, _FEW, _COMMAND = 6, 6, 3, 120
# What only prepares a command, and what only shortens its output.
_PREPARES: Final = re.compile(r"(?:cd (?:\"[^\"]*\"|'[^']*'|\S+)|source \S+|export \S+|set -\w+)\s*(?:&&|;|\n)\s*")
_SHORTENS: Final = re.compile(r"\s{0,9}(?:2>&1\s{0,9})?\|\s{0,9}(?:tail|head)\b[^|;&\n]{0,200}$|\s{0,9}2>&1$")
# Letters of a command that are looked at.
_READ: Final = 4_000
_NAME: Final = re.compile(r"[0-9a-f]{7,40}(?= |$)")


def state(point: Checkpoint, when: When, since: int, recent: int, directory: str) -> Iterator[Line]:
    """The lines of a state; `since`: the human's last words, `recent`: a list of to-dos changed before that is old."""
    trail = point.trail
    last, *others = reversed(trail.repositories or [Repository(folder=directory, turn=0)])
    folder = f"folder {safe(directory)}" if directory else ""
    # Of a repository that was left only what is not finished there counts.
    left = [one for one in others if one.changed or one.pushed is False]
    lines = [
        (f"state:{last.folder}", 9.5, _repository(last, when) if trail.repositories else folder),
        *((f"state:{one.folder}", 6.5, _repository(one, when)) for one in left),
        ("results", 9.2, _results(trail, when, since)),
        ("requests", 7.6, _requests(trail, when)),
        ("test", 7.8, _test(trail, when)),
        ("runs", 8.2, _runs(trail, when)),
        ("failure", 6.6, _failure(point, when)),
        ("held", 8.0, _held(trail, when)),
        ("todos", 7.7, _todos(trail, when, recent)),
        ("question", 8.4, _question(trail, when)),
    ]
    for item, worth, text in lines:
        if text:
            yield Line(section=TITLE, items=(item,), worth=worth, texts=(text,), why="seen in calls")


def at_hand(point: Checkpoint, directory: str, told: str) -> Iterator[Line]:
    """Files changed last, as far as they are not told."""
    changed = sorted((one for one in point.trail.files if one.changed), key=lambda one: -(one.changed or 0))
    names = [at_home(one.path, directory) for one in changed if one.acts[-1:] != ["deleted"]]
    text = _listed("files edited beside those above, the last first", [one for one in names if one not in told][:_FEW])
    if text:
        yield Line(section=HAND, items=("files",), worth=6.0, texts=(text,), why="seen in calls")


def outcome(results: Sequence[TrailResult], since: int, until: int) -> str:
    """What calls achieved between two turns of a person, the last of each kind; a push tells less than a commit."""
    found = {one.kind: _went(one) for one in results if since < one.turn < until and not one.failed}
    telling = [text for kind, text in found.items() if kind not in ("push", "reply", "edit")]
    return "; ".join((telling or list(found.values()))[-2:])


def command(text: str, most: int = _COMMAND) -> str:
    """A command, without what prepares it or shortens its output; of a long one the beginning, to the end of a word."""
    text = text[:_READ].strip()
    while found := _PREPARES.match(text):
        text = text[found.end() :].strip()
    first, more, _ = _SHORTENS.sub("", text).partition("\n")
    line = safe(first).replace("`", "'")
    if len(line) > most:
        line, more = line[:most].rpartition(" ")[0], "…"
    return f"`{line}{' …' if more else ''}`"


def at_home(path: str, directory: str) -> str:
    """A path without the folder everything lies in."""
    path, directory = path.replace("\\", "/"), directory.replace("\\", "/")
    return safe(path.removeprefix(f"{directory}/") if directory else path)


def _repository(one: Repository, when: When) -> str:
    name, subject = safe(one.head or ""), quoted(one.subject) if one.subject else ""
    head = " ".join(filter(None, ["last commit", name, subject]))
    parts = [
        safe(one.folder),
        f"branch {safe(one.branch)}" if one.branch else "",
        _dated(head, one.committed, when) if one.head or one.subject else "",
        {True: "pushed", False: "not pushed", None: ""}[one.pushed],
        "nothing uncommitted" if one.changed == [] else _named("not committed", one.changed or []),
    ]
    told = "; ".join(filter(None, parts))
    return f"{told} (seen {when(one.turn)})" if when(one.turn) else told


def _results(trail: Trail, when: When, since: int) -> str:
    """What was achieved since the last words, as far as no repository and no request tells it."""
    told = {one.url for one in trail.requests} | {one.subject for one in trail.repositories}
    heads = tuple(one.head[:7] for one in trail.repositories if one.head)
    found = [
        _dated(_went(one), one.turn, when)
        for one in trail.results
        if one.turn > since
        and one.text not in told
        and one.kind not in ("reply", "edit")
        and not (heads and (one.kind == "push" or one.text.startswith(heads)))
    ]
    return _listed("done since the last words", found[-_RESULTS:])


def _went(one: TrailResult) -> str:
    text, failed = safe(one.text), " (did not go through)" if one.failed else ""
    if one.kind == "commit":
        name = _NAME.match(text)
        subject = text[name.end() if name else 0 :].strip()
        return f"commit {name[0] if name else ''} {quoted(subject)}{failed}".replace("  ", " ")
    named = one.kind in text.lower().replace("_", " ").replace(":", " ").split()[:3] or one.kind in ("reply", "edit")
    return f"{'' if named else f'{one.kind} '}{text}{failed}"


def worked_on(trail: Trail) -> list[Request]:
    """The requests this work is about: its own, else the only one it looked at."""
    own = [one for one in trail.requests if one.own]
    return own or (trail.requests if len(trail.requests) == 1 else [])


def _requests(trail: Trail, when: When) -> str:
    found = []
    for one in reversed(worked_on(trail)[-_FEW:]):
        seen = f" when seen at {when(one.turn)}" if when(one.turn) else ""
        name = safe(one.url) or f"#{one.number}"
        found.append(f"{name} {one.state}{seen}{f', into {safe(one.base)}' if one.base else ''}")
    return _listed("pull requests", found)


def _test(trail: Trail, when: When) -> str:
    """The last test, with its own counts, and how many files were edited since."""
    test = trail.last_test
    if test is None:
        return ""
    counted = ", ".join(f"{many} {safe(name)}" for name, many in test.counts.items())
    went = {True: "passed", False: "failed", None: ""}[test.passed]
    told = counted or ", ".join(filter(None, [went, quoted(test.result, 160) if test.result else ""]))
    later = sum((one.changed or 0) > test.turn for one in trail.files)
    since = f"; {later} file{'s' if later > 1 else ''} edited since" if later else ""
    unknown = "it ended, and counted nothing" if test.ended else "its result was not seen"
    text = f"last test: {command(test.command)} → {told or unknown}"
    return _dated(text, test.ended or test.turn, when) + since


def _runs(trail: Trail, when: When) -> str:
    running = [_dated(safe(one.what, 100), one.turn, when) for one in trail.runs if one.ended is None]
    return _listed("started in the background, no end seen", running[-_FEW:])


def _failure(point: Checkpoint, when: When) -> str:
    one = point.failure
    # What went through later may have mended it.
    if one is None or any(ran.turn > one.turn and ran.failed is False for ran in point.trail.commands):
        return ""
    printed = f"; the tool printed {quoted(one.printed, 160)}" if one.printed else ""
    return _dated(f"this failed last: {command(one.command)}", one.turn, when) + printed


def _held(trail: Trail, when: When) -> str:
    ran = {one.command: one.turn for one in trail.commands if not one.held}
    found = [one for one in trail.commands if one.held and one.turn > ran.get(one.command, -1)]
    return _dated(held(found[-1].command), found[-1].turn, when) if found else ""


def _todos(trail: Trail, when: When, recent: int) -> str:
    """What is not done by the agent's own list, with the time of its last change."""
    last = trail.listed or max((one.turn for one in trail.todos), default=0)
    if last < recent:
        return ""
    parts = [
        _named({"doing": "in progress", "open": "open"}[state], [safe(one.text) for one in found], _FEW)
        for state in ("doing", "open")
        if (found := [one for one in trail.todos if one.state == state])
    ]
    done = sum(one.state == "done" for one in trail.todos)
    return _dated("the agent's own list", last, when) + f": {done} done; {'; '.join(parts)}" if parts else ""


def _question(trail: Trail, when: When) -> str:
    one = trail.questions[-1] if trail.questions else None
    if one is None or one.state != "open":
        return ""
    options = f" (options: {'; '.join(map(safe, one.options))})" if one.options else ""
    return f"{_dated('asked in a dialog, no answer seen', one.turn, when)}: {quoted(one.text)}{options}"


def at(when: When, turn: int, text: str) -> str:
    """A text behind the time it was said at."""
    return f"{when(turn)} {text}" if when(turn) else text


def _dated(text: str, turn: int | None, when: When) -> str:
    at = when(turn) if turn is not None else ""
    return f"{text} ({at})" if at else text


def _listed(lead: str, found: Sequence[str]) -> str:
    return f"{lead}: {'; '.join(dict.fromkeys(found))}" if found else ""


def _named(lead: str, found: Sequence[str], most: int = _PATHS) -> str:
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return f"{lead}: {', '.join(map(safe, found[:most]))}{more}" if found else ""
