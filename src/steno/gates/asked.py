"""An action as the gate reads it: what it would run, touch and write, by the stems of its whole words."""

import re
from typing import Any, Final, NamedTuple

from steno.gates.harmless import only_looks, puts_back
from steno.language.same_word import GOES_TO, MOST, words_of
from steno.language.tool_call import texts
from steno.language.words import plain
from steno.rules.families import done, meant
from steno.rules.seen import called, seen
from steno.vocabulary import Action

# Parts of a tool's input that say what is done.
_ACTS: Final = ("description", "prompt", "query", "url", "title", "message", "plan", "task")
_ENDING: Final = re.compile(r"(?<=\w)\.\w+(?!\.?\w)")
# A whole file says much that is not its subject: its beginning is read.
_HEAD: Final = 1_500
# A plan so short is one thing.
_SENTENCES: Final = 200
# A small edit is about every word it brings in.
_FEW: Final = 8
# Programs that only lead to what is done.
_ON_THE_WAY: Final = ("cd ", "echo ", "export ", "sleep ")
# What is run all day long, whatever the work is about: checks, builds, and keeping what was done.
_EVERY_DAY: Final = re.compile(
    r"(?:(?:npx|npm|pnpm|yarn|bun|uv|poetry|mise|make|cargo|go|python3?|node) +)*(?:-m |run |exec |-s |--filter \S+ )*"
    r"(?:\S*/)?(?:tests?|check\S*|lint\S*|fmt|format|build|compile|typecheck|tsc|tsgo|vet|pytest|vitest|jest|ruff|mypy"
    r"|eslint|clippy|gofmt)\b|git (?:add|commit|fetch|rebase --continue|merge --continue)\b|mkdir\b"
    r"|gh \w+ (?:view|list)\b"
)

# Words that begin with taking something out; and words that take out, replace or negate something anywhere.
_OUT: Final = r"(?:remov|delet|strip|uninstall|disabl|purg|entfern|lösch)\w*|drop(?:s|ped|ping)?|get rid of|prune|rm"
_TAKE_OUT: Final = r"take\b.{1,40}\bout"
_REMOVES: Final = re.compile(rf"\W*(?:(?:i'?ll|i will|let me|now|first|and|ich) )?(?:(?:{_OUT})\b|{_TAKE_OUT}\b)")
_SAYS_NO: Final = re.compile(
    rf"\b(?:{_OUT}|{_TAKE_OUT}|replac\w*|instead|rather than|without|(?:switch|migrate|move|away) (?:\w+ )?from"
    r"|no|not|don'?t|never|avoid|stop|ersetz\w*|statt|ohne|kein\w*|nicht|nie)\b"
)

_PROGRAM: Final = re.compile(
    r"(?:(?:uv|poetry|pipenv|pdm|hatch|bundle) (?:run|exec) |npx |bunx |python3? -m "
    r"|(?:make|just|rake|task|npm run|pnpm run|yarn run) )?(\S+).*",
    re.DOTALL,
)

# A command: its program and arguments, and its flags in any order.
Run = tuple[tuple[str, ...], frozenset[str]]


class Asked(NamedTuple):
    """What an action is about."""

    does: frozenset[str]
    # What an edit takes out.
    undoes: frozenset[str]
    # Words of paths it touches.
    places: frozenset[str]
    # From what is written into a file: there is much of it, and little of it is what the action is about.
    writes: frozenset[str]
    tool: str
    runs: frozenset[Run]
    files: tuple[str, ...]
    # It only looks, or puts back what was there before.
    harmless: bool
    # Its words begin with taking something out; or take out, replace or negate something anywhere.
    removes: bool
    says_no: bool
    # It runs nothing but what is run every day.
    every_day: bool
    # Every word of what it does, and of what goes in; never of what goes out.
    brings: frozenset[str]
    # Command families of what it does, and stems of the programs it runs.
    families: frozenset[str]
    programs: frozenset[str]


def asked(action: Action) -> Asked:
    """The words of an action, and what it runs and touches."""
    made, here, whole = called(action), action.directory, seen(action)
    run, tool = made.command, action.tool or ""
    runs = [part for part in whole.run if part.text and not part.text.startswith(_ON_THE_WAY)]
    # What is only said in a command, a message or a query, is not what it does; of a tool that neither runs nor writes
    # a file, all it is given is.
    given = texts(action.input) if not (run or made.paths or whole.new) else _texts(action.input)
    said = ["" if action.text == run else _said(action), *given, *(part.text for part in runs if tool)]
    spoken = [GOES_TO.sub("", within(text[:MOST], here)) for text in said]
    paths = within(" ".join(path.decode("utf-8", "replace") for path in whole.paths), here)
    kinds = endings(paths)
    before, after = (words_of(text[:_HEAD].decode("utf-8", "replace")) for text in (whole.old, whole.new))
    new, places = after - before, words_of(paths) - kinds
    few = new if len(new) <= _FEW else frozenset[str]()
    does, places = frozenset().union(few, *map(words_of, spoken)), places | (before & after)
    writes = (new - few) | (words_of(run[:MOST]) - does)
    return Asked(
        does=does,
        undoes=before - after,
        places=places,
        writes=writes,
        tool=tool,
        # With what is handed over to be read: two commits that are written in the same way are not one.
        runs=frozenset(map(_run, [*(part.whole for part in runs), *run.split("<<")[1:]])),
        files=tuple(path.decode() for path in whole.paths),
        harmless=puts_back(_told(action)) or (only_looks(action.text, action.tool, run) and not new),
        removes=any(_REMOVES.match(plain(text)) for text in spoken),
        says_no=any(_SAYS_NO.search(plain(text)) for text in spoken),
        every_day=bool(run and runs) and all(_EVERY_DAY.match(part.text) for part in runs),
        brings=does | places | writes | kinds,
        families=frozenset(done(whole)) | (frozenset() if tool else meant(action.text)),
        programs=words_of(" ".join(_PROGRAM.sub(r"\1", part.text) for part in runs)) if tool else frozenset(),
    )


def _said(action: Action) -> str:
    """What an action is called. The name of a host's own tool says nothing of what it does; paths are places."""
    if not action.tool or action.tool.startswith("mcp__"):
        return action.text
    text = action.text.removeprefix(action.tool)
    for path in called(action).paths:
        text = text.replace(path, "")
    return text


def _told(action: Action) -> str:
    """What an action is in words: a plan that is no longer than a sentence or two, else what it is called."""
    plan = called(action).text("plan")
    return plan if 0 < len(plan) <= _SENTENCES else action.text


def within(text: str, folder: str | None) -> str:
    """A text with its paths as seen from a folder: where a project lies says nothing of what is done in it."""
    return text.replace(f"{folder}/", "") if folder else text


def endings(text: str) -> frozenset[str]:
    """What kinds of files a text names, where nothing else in it says so."""
    return words_of(" ".join(_ENDING.findall(text))) - words_of(_ENDING.sub(" ", text))


def _run(command: str) -> Run:
    words = command.split()
    flags = frozenset("".join(sorted(word)) for word in words if word[0] == "-")
    return tuple(word for word in words if word[0] != "-"), flags


def _texts(given: dict[str, Any]) -> list[str]:
    return [value[:_HEAD] for name in _ACTS if isinstance(value := given.get(name), str)]
