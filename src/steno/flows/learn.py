"""Learning flows from what was done: sequences of steps that went well again and again become candidates.

Only neighbouring steps count, after looking around and editing is left out: whoever edits and tests until it is green
has tested. A step that failed ends a sequence, and so does the human's next word: a procedure is what an agent does on
one request.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from steno.flows.fold import alike
from steno.language.words import content_words, stems
from steno.vocabulary import Flow

SHORTEST: Final = 2
LONGEST: Final = 8
# In so many sessions, or on so many days of one session, a sequence must have been seen.
SEEN: Final = 3
MOST: Final = 20
# Every agent knows these; alone they are no procedure worth a name.
_COMMON: Final = frozenset(
    f"git {act}" for act in "add commit push pull fetch checkout switch merge rebase restore reset clone".split()
)
# Longer requests are documents, in which every word recurs.
_REQUEST: Final = 300
_REQUESTS: Final = 50
_TRIGGER_WORDS: Final = 3
_NO_TIME: Final = "1970-01-01T00:00:00.000Z"

Steps = tuple[str, ...]


class Stretch(NamedTuple):
    """Steps that went well one after another, on one request."""

    session: str
    at: str | None
    request: str
    steps: Steps

    @property
    def where(self) -> tuple[str, str]:
        """What makes two stretches independent of each other: another session, or another day."""
        return self.session, (self.at or "")[:10]


def learn(stretches: Sequence[Stretch], project: str | None, taken: Iterable[str] = ()) -> list[Flow]:
    """Candidates of a project, the best first: one for each family of sequences that are nearly the same."""
    seen = _seen(stretches)
    ranked = sorted((steps for steps in _longest(seen) if _is_telling(steps)), key=lambda s: (-seen[s] * len(s), s))
    kept: list[Steps] = []
    for steps in ranked:
        if len(kept) == MOST:
            break
        if not any(alike(list(steps), list(other)) for other in kept):
            kept.append(steps)
    names = set(taken)
    return [_candidate(steps, stretches, project, names) for steps in kept]


def _seen(stretches: Sequence[Stretch]) -> dict[Steps, int]:
    """In how many places each sequence was seen, of those seen often enough.

    A sequence can only be frequent if it is so without its last and without its first step, so each length is counted
    among what the length before it left over.
    """
    frequent: dict[Steps, int] = {}
    for length in range(SHORTEST, LONGEST + 1):
        places: dict[Steps, set[tuple[str, str]]] = {}
        for stretch in stretches:
            for steps in _runs(stretch.steps, length):
                if length == SHORTEST or (steps[1:] in frequent and steps[:-1] in frequent):
                    places.setdefault(steps, set()).add(stretch.where)
        found = {steps: len(where) for steps, where in places.items() if len(where) >= SEEN}
        if not found:
            break
        frequent |= found
    return frequent


def _runs(steps: Steps, length: int) -> Iterator[Steps]:
    """Runs of different steps. What goes round in circles is work, not a procedure."""
    for start in range(len(steps) - length + 1):
        run = steps[start : start + length]
        if len(set(run)) == length:
            yield run


def _longest(seen: dict[Steps, int]) -> list[Steps]:
    """Sequences that are part of no longer one."""
    inner = {part for steps in seen for part in (steps[1:], steps[:-1])}
    return [steps for steps in seen if steps not in inner]


def _is_telling(steps: Steps) -> bool:
    return any(" ".join(step.split()[:2]) not in _COMMON for step in steps)


def _candidate(steps: Steps, stretches: Sequence[Stretch], project: str | None, names: set[str]) -> Flow:
    holding = (stretch for stretch in stretches if steps in _runs(stretch.steps, len(steps)))
    found = sorted(holding, key=lambda stretch: (stretch.at or "", stretch.session))
    places = dict.fromkeys(stretch.where for stretch in found)
    third = next(stretch for stretch in found if stretch.where == list(places)[SEEN - 1])
    since = third.at or _NO_TIME
    name = _name(steps, project, names)
    names.add(name)
    return Flow(
        name=name,
        domain="GENERAL",
        agent=None,
        project=project,
        triggers=_triggers(found),
        steps=list(steps),
        status="candidate",
        origin="assistant",
        created_at=since,
        changed_at=since,
    )


def _name(steps: Steps, project: str | None, taken: set[str]) -> str:
    """A name made of what each step does; where another project has it already, with this project's name behind it."""
    words = dict.fromkeys(word for step in steps if (word := _short(step)))
    name = "-".join(list(words)[:4])[:60].strip("-") or "steps"
    if name in taken and project:
        name = f"{name}-in-{_plain(project.rpartition('/')[2])}".strip("-")
    tries = (name, *(f"{name}-{number}" for number in range(2, len(taken) + 3)))
    return next(free for free in tries if free not in taken)


def _short(step: str) -> str:
    """`mise run test:ci` is `test-ci`, `scripts/deploy.sh` is `deploy`. Adding to git goes without saying."""
    if step == "git add":
        return ""
    program, *words = (word for word in step.split() if not word.startswith("-"))
    if words[:1] == ["run"]:
        words = words[1:]
    last = words if words else [program]
    return _plain(" ".join(re.sub(r"\.\w{2,3}$", "", word.rpartition("/")[2]) for word in last))


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _triggers(found: list[Stretch]) -> list[str]:
    """The words that recur in what the human said before it, as one phrase."""
    asked = dict.fromkeys((*stretch.where, stretch.request) for stretch in found)
    short = [request for *_, request in asked if 0 < len(request) <= _REQUEST][:_REQUESTS]
    count: Counter[str] = Counter()
    form: dict[str, str] = {}
    for request in short:
        words = {max(stems(word), key=len, default=word): word for word in content_words(request)}
        count.update(words.keys())
        form = words | form
    often = [(stem, times) for stem, times in count.items() if times >= max(SEEN, len(short) / 2)]
    best = sorted(often, key=lambda pair: (-pair[1], pair[0]))[:_TRIGGER_WORDS]
    return [" ".join(form[stem] for stem, _ in best)] if best else []
