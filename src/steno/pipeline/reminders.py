"""What a prompt calls to mind strongly enough to be said unasked.

The default is silence: "the five most similar on every message" made agents measurably worse. Only what the prompt
names exactly is said: a file or a command an entry is about, an idea that was refused, a promise that is still open.
Asked with 205 prompts of real sessions, it spoke up at none because of somebody else's sessions, all thrown together
into one project, and at 9 because of their own, each time about the file that was named.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from itertools import chain, islice
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from steno.gates.asked import asked
from steno.gates.concerns import concerns
from steno.gates.match import Index
from steno.language.common import telling
from steno.language.same_word import words_of
from steno.pipeline.rulebook import Rulebook
from steno.store.shares import Shares
from steno.vocabulary import AT_WORK, PEOPLE, Action, Entry

_MOST: Final = 3
# A long prompt is mostly something pasted in: its beginning says what is wanted.
_HEAD: Final = 2_000
# Share of a prompt's telling words that a promise must hold, and how many telling words make a subject at all.
_ABOUT: Final = 0.75
_TELLING: Final = 3
# A name in more entries than this tells none of them from the others.
_COMMON: Final = 6
_CATEGORIES: Final = ("rejected", "exclusion", "rule", "commitment", "decision", "learning")
# An agent decides all day long; what failed, was promised or learnt is worth telling whoever said it.
_BY_AGENTS: Final = ("exclusion", "commitment", "learning")

_FILE: Final = re.compile(
    r"(?<![\w/.@~-])(?:[~.]{0,2}/)?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.(?:py|pyi|ipynb|js|mjs|cjs|ts|tsx|jsx|vue|svelte|go|rs"
    r"|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|sh|sql|toml|ya?ml|json|jsonl|md|css|scss|html|cfg|ini|env|txt|tf|proto|lock"
    r"|xml|csv|conf)\b(?![/\w])"
)
# Names that many folders have (only the whole path tells which file is meant), and commands of every day.
_EVERYWHERE: Final = frozenset(
    """readme.md agents.md claude.md skill.md changelog.md package.json tsconfig.json pyproject.toml cargo.toml index.ts
    index.js index.html main.py main.ts main.go main.rs mod.rs lib.rs app.py app.ts __init__.py conftest.py
    settings.json config.toml config.yaml config.yml config.json""".split()
)
_EVERY_DAY: Final = re.compile(
    r"git (?:add|commit|status|diff|log|push|pull|checkout|show|fetch)\b(?! -)|npm (?:run|i)$"
)
_DEEP: Final = re.compile(r"(?<![\w/.:@~-])(?:[~.]{0,2}/)?[\w.@+-]+/[\w.@+-]+/[\w.@+/-]*\w")
_QUOTED: Final = re.compile(r"`([^`\n]{4,120})`")
_COMMAND: Final = re.compile(
    r"(?<![\w/-])(?:git|npm|npx|pnpm|yarn|make|docker|kubectl|helm|terraform|pip|uv|poetry|cargo|pytest|alembic|psql|rsync"
    r"|rm|chmod|systemctl)(?: +(?:--?[A-Za-z][\w-]*|[a-z][\w:-]*)){1,4}"
)


class _Laid(NamedTuple):
    """What the gate's index does not know of its entries."""

    by_name: dict[str, list[Entry]]
    # Open promises, each with the words it is about.
    promises: list[tuple[frozenset[str], Entry]]


# Made once for each state of the store.
_laid_out: "WeakKeyDictionary[Index, _Laid]" = WeakKeyDictionary()


def unasked(
    shares: Shares, *, project: str | None, agent: str, session: str | None, told: Collection[str]
) -> Callable[[Entry], bool]:
    """Whether an entry may be told somewhere without being asked for: it concerns whoever is there or is shared with
    them, and was not told or said there."""
    here = [project] if project else []
    shared = shares.with_(here, agent)

    def may_be_told(entry: Entry) -> bool:
        known = entry.id in told or entry.session == session
        seen = entry.id in shared or concerns(entry, here, agent)
        return entry.origin in AT_WORK and not known and seen

    return may_be_told


def reminders(
    index: Index, rules: Rulebook, prompt: str, *, agent: str, may_be_told: Callable[[Entry], bool]
) -> list[Entry]:
    """Entries a prompt names exactly, the most important first: what was refused, what is named, what was promised."""
    if index not in _laid_out:
        _laid_out[index] = _laid(index.entries)
    laid, head = _laid_out[index], prompt[:_HEAD]
    action = Action(agent=agent, text=head)
    words = asked(action)
    refused = (match.entry for match in index.forbidding(action, words, may_be_told))
    promised = _promised(laid, telling(words.does | words.undoes))
    found = {
        entry.id: entry
        for entry in chain(refused, _named(laid, head), promised)
        if may_be_told(entry) and _is_trusted(entry) and rules.holds(entry)
    }
    return list(found.values())[:_MOST]


def _named(laid: _Laid, prompt: str) -> list[Entry]:
    """Entries about a file or a command the prompt names, the weightiest category first, of each the latest."""
    found: dict[str, Entry] = {}
    for name in names(prompt):
        entries = laid.by_name.get(name, ())
        if len(entries) <= _COMMON:
            found.update((entry.id, entry) for entry in entries)
    latest = sorted(found.values(), key=lambda entry: entry.created_at or "", reverse=True)
    return sorted(latest, key=lambda entry: _CATEGORIES.index(entry.category))


def _promised(laid: _Laid, about: frozenset[str]) -> list[Entry]:
    """Promises that hold nearly everything the prompt is about."""
    if len(about) < _TELLING:
        return []
    return [entry for words, entry in laid.promises if len(about & words) >= _ABOUT * len(about)]


def _laid(entries: Sequence[Entry]) -> _Laid:
    by_name: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.category in _CATEGORIES:
            # Its own words, not what stood around them: what was tried before a failure is a guess.
            for name in names(entry.evidence[0].quote if entry.evidence else entry.summary):
                by_name[name].append(entry)
    promises = [(words_of(entry.summary), entry) for entry in entries if entry.category == "commitment"]
    return _Laid(dict(by_name), promises)


def names(text: str) -> list[str]:
    """Files and commands a text names: a file by its whole path and by its own name, a command as it is written."""
    found: list[str] = []
    for match in islice(_FILE.finditer(text), 20):
        path = match.group().removeprefix("./")
        own = path.rpartition("/")[2]
        found += [path, own] if own.lower() not in _EVERYWHERE else [path] if path != own else []
    found += [match.group().removeprefix("./") for match in islice(_DEEP.finditer(text), 20)]
    commands = (" ".join(match.group().split()) for match in islice(_COMMAND.finditer(text), 20))
    found += [command for command in commands if not _EVERY_DAY.match(command)]
    found += [inside for match in islice(_QUOTED.finditer(text), 20) if " " in (inside := match[1].strip())]
    return list(dict.fromkeys(found))


def _is_trusted(entry: Entry) -> bool:
    """Whether it may be said unasked: nothing that came in through a tool, a file or a web page."""
    return entry.origin in PEOPLE or (entry.origin == "assistant" and entry.category in _BY_AGENTS)
