"""Where the work stands, as lines that are worth something: what tier 0 chooses from.

Each line's worth is its section's, falling off with its place in the section: the first few of each kind come before
the tenth of the best kind. The weights were chosen on labelled transcripts (benchmarks/recovery.py); around them the
figures hardly move.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct, structs

from steno.briefing.budget import Line
from steno.briefing.render import quoted, safe, shortened
from steno.language.words import content_words
from steno.vocabulary import PEOPLE, Category, Checkpoint, Entry, JournalTurn, Rule

# Worth of the first line of a section, and what is left of it with each further one.
WORTH: Final[dict[str, tuple[float, float]]] = {
    "goal": (200, 0.9),
    "phase": (60, 1.0),
    "done": (70, 0.8),
    "next": (100, 0.92),
    "blocked": (70, 0.6),
    "the last failure, as a tool printed it": (65, 1.0),
    "standing instructions": (105, 0.93),
    "rejected by the user": (95, 0.96),
    "decided": (95, 0.92),
    "asked by the user": (50, 0.9),
    "failed before": (100, 0.9),
    "found": (65, 0.87),
    "files": (52, 0.82),
    "values": (45, 0.95),
}
# The same for kinds of values: there is one branch, and old commits help nobody.
_KINDS: Final[dict[str, tuple[float, float]]] = {
    "branch": (1.2, 0.7),
    "pr": (1.0, 0.6),
    "issue": (1.0, 0.6),
    "command": (1.0, 0.75),
    "commit": (0.9, 0.4),
    "url": (0.8, 0.6),
    "name": (0.8, 0.7),
    "path": (0.7, 0.85),
    "id": (0.7, 0.75),
    "directory": (0.7, 0.5),
}
_OTHER_KIND: Final = (0.6, 0.7)
# A line of whose words so many stand in an earlier one says nothing new.
_SAID_ALREADY: Final = 0.7
# Lengths of an entry: characters of its words, names it gets if they say little, characters of its reason.
_LENGTHS: Final = ((300, 8, 120), (170, 6, 80), (100, 5, 0))
# Fewer telling words than this do not stand alone ("no, leave it").
_TELLING: Final = 4
# Openings that say nothing, and how the scribe opens a summary: the section says it already.
_FILLER: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|so|hmm+|ehh*|ah|oh|well|also|btw|alright|actually|yeah|and|but|then|now)\b[\s,.…:-]*)+",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"The user (?:rejects|refuses the call and says|stops the agent and says|instructs|prefers|decides|agrees to"
    r"|proposes|says|asks|reports|takes on)\b:? ?"
)
_INTO: Final = re.compile(r"^cd \S+ (?:&&|;) ")
_FOLDERS: Final = re.compile(r"(?:/[\w.@-]+)+/(?=[\w.@-])")


class Work(Struct, frozen=True, kw_only=True):
    """Everything known of a piece of work."""

    checkpoint: Checkpoint
    # What holds, oldest first.
    entries: Sequence[Entry] = ()
    # In force, the most important first.
    rules: Sequence[Rule] = ()
    # The last things said, oldest first.
    said: Sequence[JournalTurn] = ()
    session: str | None = None


def lines(work: Work) -> list[Line]:
    """Everything that could be told, in the order it is read."""
    every = [
        *_state(work.checkpoint),
        *_entries("standing instructions", work, "rule"),
        *_entries("rejected by the user", work, "rejected"),
        *_entries("decided", work, "decision"),
        *_entries("asked by the user", work, "task", "commitment"),
        *_entries("failed before", work, "exclusion", "learning"),
        *_entries("found", work, "discovery", "fact", "context"),
        *_files(work.checkpoint),
        *_values(work.checkpoint),
    ]
    return _each_once([_at_home(line, work.checkpoint) for line in every])


def _at_home(line: Line, point: Checkpoint) -> Line:
    """A line without what is told once and for all: the folder everything lies in, the branch everything goes to."""
    if line.section in ("values", "files"):
        return line
    near = [f"{folder}/" for folder in point.variables.get("directory", []) if len(folder) > 3]
    near += [f" on {branch}" for branch in point.variables.get("branch", [])]
    texts = line.texts
    for known in sorted(near, key=len, reverse=True):
        texts = tuple(text.replace(known, "") for text in texts)
    return structs.replace(line, texts=texts)


def _each_once(every: Sequence[Line]) -> list[Line]:
    """Without lines that a weightier one says already, and without announcements of something that is not there."""
    kept: list[int] = []
    holding: dict[str, list[int]] = {}
    for place in sorted(range(len(every)), key=lambda place: _rank(every[place])):
        line = every[place]
        if line.section not in ("values", "files", "phase"):
            words = content_words(line.texts[0], 80)
            if line.texts[-1].endswith(":") or _is_said(words, holding):
                continue
            for word in words:
                holding.setdefault(word, []).append(place)
        kept.append(place)
    return [every[place] for place in sorted(kept)]


def _is_said(words: Sequence[str], holding: dict[str, list[int]]) -> bool:
    """Whether one line holds most of these words."""
    if len(words) <= 2:
        return False
    held = Counter(place for word in words for place in holding.get(word, ()))
    return bool(held) and max(held.values()) >= _SAID_ALREADY * len(words)


def _rank(line: Line) -> int:
    """What the user ruled and refused is told as such, even where it was also the last thing asked for."""
    return 0 if line.item == "goal" else 1 if line.section in ("standing instructions", "rejected by the user") else 2


def _section(name: str, items: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[Line]:
    """Lines of a section, the worthiest first."""
    first, left = WORTH[name]
    for place, (item, texts) in enumerate(items):
        yield Line(section=name, item=item, worth=first * left**place, texts=_lengths(texts))


def _lengths(texts: Sequence[str]) -> tuple[str, ...]:
    """Each length once, the longest first."""
    return tuple(sorted(dict.fromkeys(texts), key=len, reverse=True))


def _state(point: Checkpoint) -> Iterator[Line]:
    if point.goal:
        first = point.goal.splitlines()[0]
        goals = [("goal", (safe(first, 400), safe(first, 200)))]
        goals += [("now", (f"now: {safe(now, 300)}", f"now: {safe(now, 160)}")) for now in point.steps[-1:]]
        yield from _section("goal", goals)
        then = [("step", (safe(step, 240), safe(step, 120))) for step in point.steps[:-1]]
        yield from _section("asked by the user", then)
        yield from _section("phase", [("phase", (point.phase,))])
    latest = point.done[::-1][:8]
    yield from _section("done", [("done", (safe(text, 240), safe(text, 120))) for text in latest])
    yield from _section("next", [("next", (safe(text, 300), safe(text, 140))) for text in point.next[:10]])
    yield from _section("blocked", [("blockers", (safe(text, 200),)) for text in point.blockers[:3]])
    failure = [("failure", (quoted(point.failure, 160),))] if point.failure else []
    yield from _section("the last failure, as a tool printed it", failure)


def _entries(section: str, work: Work, *categories: Category) -> Iterator[Line]:
    """Entries of some categories: rules by their score, all else the latest first."""
    found = [entry for entry in work.entries if entry.category in categories]
    if "task" in categories:
        found = [entry for entry in found if _by_a_person(entry)]
    scores = {rule.id: rule.score for rule in work.rules} if "rule" in categories else {}
    first, left = WORTH[section]
    place = 0.0
    for entry in sorted(found, key=lambda entry: (scores.get(entry.id, 0), entry.created_at or ""), reverse=True):
        trust = _trust(entry)
        worth = first * trust * left**place
        yield Line(section=section, item=f"entry:{entry.id}", worth=worth, texts=_lengths(told(entry)))
        place += trust


def _by_a_person(entry: Entry) -> bool:
    return entry.origin in PEOPLE


def _trust(entry: Entry) -> float:
    """How likely an entry matters: a person's decisions and findings do twice as often as an agent's (measured)."""
    sure = _by_a_person(entry) or entry.category in ("exclusion", "learning")
    return 1.0 if sure else 0.3 + 0.5 * entry.confidence


def mark(entry: Entry) -> str:
    """Whose words an entry is, unless a person's."""
    return "" if _by_a_person(entry) else "(agent) "


def told(entry: Entry) -> tuple[str, ...]:
    """An entry in a few lengths, the longest first."""
    own = entry.origin == "user" and entry.category in ("rejected", "rule") and entry.evidence
    said = entry.evidence[0].quote if own else entry.summary
    words = _FILLER.sub("", _OPENING.sub("", said, count=1))
    line = safe(words, _LENGTHS[0][0])
    return tuple(
        mark(entry) + _with_names(_cut(line, most), entry, names) + _reasons(entry, reason)
        for most, names, reason in _LENGTHS
    )


def _cut(line: str, most: int) -> str:
    return line if len(line) <= most else shortened(line, most)


def _with_names(text: str, entry: Entry, most: int) -> str:
    """With what was stopped; and words that say little by themselves get the names of what they are about."""
    if stopped := _stopped(entry):
        text = f"{text} (stopped: {stopped})"
    if len(content_words(text)) >= _TELLING:
        return text
    every = [safe(str(name), 60) for name in entry.detail.about if len(str(name)) <= 60]
    about = ", ".join([name for name in every if name.lower() not in text.lower()][:most])
    answered = entry.detail.what
    if len(content_words(about)) < 2 and answered and answered not in text:
        about = safe(answered, 120)
    return f"{text} (re {about})" if about else text


def _stopped(entry: Entry) -> str:
    """The call that was stopped, in a few words: what was run, or the file's name."""
    call = entry.detail.exchange.call
    return safe(_FOLDERS.sub("", _INTO.sub("", call.given[:2000])), 48) if call else ""


def _reasons(entry: Entry, most: int) -> str:
    """Why, and when it may be reopened, where the words do not say it themselves."""
    why, reopen = entry.detail.why, entry.detail.stance.until
    given = [(word, text) for word, text in (("why", why), ("unless", reopen)) if text[:40] not in entry.summary]
    return "".join(f" ({word}: {safe(text, most)})" for word, text in given) if most else ""


def _files(point: Checkpoint) -> Iterator[Line]:
    """Files in work, the latest first, and how the last test went."""
    changed = [file for file in point.trail.files if set(file.acts) & {"edited", "created", "deleted"}]
    latest = sorted(changed, key=lambda file: file.turn, reverse=True)[:8]
    yield from _section("files", [("files", (safe(file.path, 200),)) for file in latest])
    if test := point.trail.last_test:
        outcome = {True: "passed", False: "failed", None: "unknown"}[test.passed]
        yield from _section("files", [("test", (f"last test {outcome}: {safe(test.command, 120)}",))])


def _values(point: Checkpoint) -> Iterator[Line]:
    first, _ = WORTH["values"]
    for kind, many in point.variables.items():
        worth, left = _KINDS.get(kind, _OTHER_KIND)
        for place, value in enumerate(many[::-1][:8]):
            text = safe(value, 160)
            yield Line(section="values", item=f"variable:{kind}", worth=first * worth * left**place, texts=(text,))
