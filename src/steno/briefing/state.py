"""Where a session stood when its context was lost: the last words, and what was done since with its outcome."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, structs

from steno.briefing.budget import Line
from steno.briefing.exchange import end_of, of_utterance, sentences_of
from steno.briefing.render import quoted, safe
from steno.vocabulary import Checkpoint, JournalTurn, TrailItem, TrailResult
from steno.vocabulary.utterances import Utterance

TITLE: Final = "where it stood"
# Told before anything else that is chosen by its worth.
FIRST: Final = 100.0
_LAST_WORDS, _SHORTER = 600, 300
_BEFORE, _LEAD, _TAIL = 280, 220, 380
_RESULTS, _FILES, _TODOS = 8, 6, 6


class Cut(Struct, frozen=True, kw_only=True):
    """The last things said before a context was lost."""

    # A person's last turn, their own words in it, and what the agent had said before.
    human: JournalTurn | None = None
    uttered: Sequence[Utterance] = ()
    before: str = ""
    # What the agent said last, since then.
    agent: str = ""


def state(point: Checkpoint, cut: Cut) -> Iterator[Line]:
    """What whoever goes on needs first, in the order it is read."""
    since = cut.human.id if cut.human else 0
    lines = [
        ("last", _human(cut)),
        ("before", _before(cut)),
        ("results", _results(point.trail.results, since)),
        ("files", _edited(point, since)),
        ("test", _test(point)),
        ("failure", _failure(point, since)),
        ("todos", _todos(point.trail.todos)),
        ("agent", _agent(cut.agent)),
    ]
    for place, (item, texts) in enumerate(lines):
        if texts:
            yield Line(section=TITLE, items=(item,), worth=FIRST - place, texts=texts)


def _human(cut: Cut) -> tuple[str, ...]:
    if cut.human is None:
        return ()
    if cut.uttered:
        return tuple(
            "the human's last words: " + "; ".join(_words(one, most) for one in cut.uttered[:4])
            for most in (_LAST_WORDS, _SHORTER, _SHORTER // 2)
        )
    text = cut.human.turn.text
    if cut.human.turn.kind == "command":
        return (f"the human's last words: {quoted(text, _SHORTER)}",)
    return (f"the human handed over a text last, which begins {quoted(text, 200)}",) if text.strip() else ()


def _words(one: Utterance, most: int) -> str:
    """Without what they answered where the agent's words stand below."""
    return of_utterance(one if one.kind == "answer" else structs.replace(one, answered=""), most=most)


def _before(cut: Cut) -> tuple[str, ...]:
    if not cut.before.strip():
        return ()
    return tuple(f"before that the agent had said: “{end_of(cut.before, most)}”" for most in (_BEFORE, _BEFORE // 2))


def _results(found: Sequence[TrailResult], since: int) -> tuple[str, ...]:
    """What was achieved since the human spoke; else the last of it before."""
    late = [one for one in found if one.turn > since]
    shown = (late or found)[-_RESULTS if late else -3 :]
    if not shown:
        return ()
    lead = "done since then" if late else "done before that"
    left = f" (and {len(late) - len(shown)} before)" if len(late) > len(shown) else ""
    return tuple(
        f"{lead}: {'; '.join(_result(one) for one in shown[-most:])}{left}" for most in (len(shown), (len(shown) + 1) // 2)
    )


def _result(one: TrailResult) -> str:
    words = f"{one.kind} {one.text}" if not one.text.startswith(("git ", "gh ")) else one.text
    return f"{safe(words, 120)}{' did not go through' if one.failed else ''}"


def _edited(point: Checkpoint, since: int) -> tuple[str, ...]:
    changed = [file for file in point.trail.files if set(file.acts) & {"edited", "created", "deleted"}]
    test = point.trail.last_test
    after_test = test is not None and test.turn > since
    late = [file for file in changed if file.turn > (test.turn if test is not None and after_test else since)]
    if not late:
        return ()
    names = [at_home(file.path, point) for file in sorted(late, key=lambda file: file.turn)[-_FILES:]]
    lead = "edited since the last test" if after_test else "edited since then"
    return (f"{lead}: {', '.join(names)}",)


def _test(point: Checkpoint) -> tuple[str, ...]:
    test = point.trail.last_test
    if test is None or test.passed is None:
        return ()
    printed = f", which printed {quoted(test.result, 120)}" if test.result else ""
    return (f"the last test {'passed' if test.passed else 'failed'}: `{safe(test.command, 100)}`{printed}",)


def _failure(point: Checkpoint, since: int) -> tuple[str, ...]:
    failure, test = point.failure, point.trail.last_test
    if failure is None or failure.turn <= since or (test is not None and test.turn == failure.turn):
        return ()
    status = f" with exit status {failure.exit_status}" if failure.exit_status else ""
    printed = f"; the tool printed {quoted(failure.printed, 160)}" if failure.printed else ""
    return (f"failed and not mended: `{safe(failure.command, 100)}`{status}{printed}",)


def _todos(todos: Sequence[TrailItem]) -> tuple[str, ...]:
    waiting = [one for one in todos if one.state in ("doing", "open")]
    if not waiting:
        return ()
    shown = sorted(waiting, key=lambda one: one.state != "doing")[:_TODOS]
    return (f"on the agent's list: {'; '.join(f'{safe(one.text, 90)} ({one.state})' for one in shown)}",)


def _agent(text: str) -> tuple[str, ...]:
    if not text.strip():
        return ()
    lead = "the agent's last words:"
    if len(safe(text)) <= _LEAD + _TAIL:
        return (f"{lead} {quoted(text)}", f"{lead} “{end_of(text, _TAIL)}”")
    return tuple(f"{lead} “{sentences_of(text, first)} […] {end_of(text, last)}”" for first, last in ((_LEAD, _TAIL), (120, 240)))


def at_home(path: str, point: Checkpoint) -> str:
    """A path without the folder everything lies in."""
    for folder in point.variables.get("directory", []):
        if len(folder) > 3 and path.startswith(f"{folder}/"):
            path = path[len(folder) + 1 :]
    return safe(path, 120)
