"""From what a person laid down for good to a matcher, to be tried: the command or the path their words name, or the
command family they speak of. None where they name nothing.

A matcher that fires on everything is worse than none. What was said is escaped, never used as a pattern.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal

from steno.language.shell import parts
from steno.rules.families import families, meant
from steno.rules.seen import any_of
from steno.rules.stance import lasts, own_words, says_no
from steno.vocabulary import Entry, Matcher

_Kind = Literal["command", "path"]

# A quote is rarely longer; and a path.
_LONGEST, _LONGEST_PATH = 600, 200
_MOST_NAMES: Final = 4
# Tools that change something or run something: looking for a name is not using it.
_DOING: Final = r".*(?:edit|writ|patch|replace|insert|creat|delet|remov|renam|move|bash|shell|exec|command|terminal).*"
# In backticks, or a word.
_THING: Final = re.compile(r"`([^`\n]{1,120})`|[^\s`'\"“”]+")
_NO_ORDER: Final = re.compile(r"\b(?:forget|worry)\b", re.I)
# Only a part of what a name stands for is meant, and no pattern says which.
_LIMITED: Final = re.compile(
    r"\b(?:without (?!ask|my\b|me\b|permission|approv|tell)|outside\b|other than\b|only\b)"
    r"| (?:in|into|on|onto|against|from|at) "
    r"(?!(?:this|these|here|our|my|any|all|every|the (?:repo|project|code)\w*)\b)",
    re.I,
)
# A rule that says what must come first is about what it comes before.
_COMES_FIRST: Final = re.compile(r"\b(?:before|until|unless|first|only|ask|tell|show)\b", re.I)
_RUNS: Final = re.compile(r"\b(?:run|runn|execut|call|invok|us)(?:e|ing)?\b", re.I)
_COMMITS: Final = re.compile(r"\b(?:commit|check in)", re.I)
_RUN: Final = re.compile(
    r"\b(?:run|runn|execut|invok)(?:e|ing)? (?!it\b|this|that|them|any|the\b|a\b|these|those|all\b|more\b|on\b)"
    r"([a-z][a-z0-9_.-]{1,30})(?=\W*$|,| (?:here|ever|again)\b)",
    re.I,
)
_LAUNCHED: Final = r"(?:(?:uv|poetry|pipenv|pdm|hatch|bundle) (?:run|exec)|npx|bunx|pipx run|python3? -m)"
# Programs by names that mean nothing else in a sentence; of some only a subcommand or a flag tells anything.
_PROGRAMS: Final = frozenset(
    "npm npx pnpm yarn pip pip3 conda docker docker-compose podman kubectl helm terraform brew apt apt-get curl wget "
    "ssh scp rsync sed awk gradle mvn bazel psql mysql redis-cli systemctl crontab rm git gh cargo python black".split()
)
_GENERAL: Final = frozenset("git gh cargo python rm".split())
_SUBCOMMANDS: Final = frozenset(
    "install add push pull commit rebase reset stash merge publish run build test up down compose checkout clean "
    "restore apply destroy delete deploy update upgrade prune tag pr issue release create".split()
)
_FLAG: Final = re.compile(r"--?\w[\w-]*")
_FILE: Final = re.compile(r"[\w*-]\.[a-z][a-z0-9]{0,6}$|^\.\w[\w.-]+$", re.I)
_PATH: Final = re.compile(r"[@~.]{0,2}/?[\w.*@-]+(?:/[\w.*@-]+)*/?")
_BRANCH: Final = re.compile(r"\b(?:main|master|trunk|develop|production|release)\b", re.I)
# A call of one of these a person may well refuse for good: what it does is not easily undone.
_GRAVE: Final = ("force-pushing", "discarding-changes", "rebasing")


def propose(entry: Entry) -> Matcher | None:
    """A matcher for what an entry forbids or orders for good, to be tried; None if its words name nothing concrete."""
    if entry.category not in ("rejected", "rule") or not lasts(entry):
        return None
    said = own_words(entry)[:_LONGEST].replace("’", "'")
    pieces = [piece for piece in says_no(said) if piece.count("`") % 2 == 0 and not _NO_ORDER.search(piece)]
    named = [piece for piece in pieces if _by_name(piece) is not None]
    if named:
        return None if _LIMITED.search(said) else _by_name(named[0])
    spoken = pieces or ([said] if _COMES_FIRST.search(said) and "?" not in said else [])
    return next(filter(None, map(_by_family, spoken)), None) or _by_call(entry)


def _by_family(piece: str) -> Matcher | None:
    """The family that is spoken of: of several, one that is done less often than a commit. Of a push, also to where."""
    found = sorted((name for name in meant(piece) if not families()[name].loose), key=lambda name: name == "committing")
    if not found:
        return None
    branch = _BRANCH.search(piece) if found[0] == "pushing" else None
    return Matcher(family=found[0], command=rf"\b{branch[0].lower()}\b" if branch else None)


def _by_name(piece: str) -> Matcher | None:
    """The commands or paths in a piece of a sentence, those of the first one's kind; or what is not to be run."""
    found = [pair for pair, _ in zip(_named(piece), range(_MOST_NAMES), strict=False)]
    if found:
        pattern = "|".join(dict.fromkeys(pattern for kind, pattern in found if kind == found[0][0]))
        return Matcher(command=pattern) if found[0][0] == "command" else Matcher(path=pattern, tool=_DOING)
    if run := _RUN.search(piece):
        return Matcher(command=rf"^(?:{_LAUNCHED} )?{_literally(run[1])}(?:\s|$)")
    return None


def _named(piece: str) -> Iterator[tuple[_Kind, str]]:
    for found in _THING.finditer(piece):
        thing = found[1] or found.group().rstrip(".,!:;")
        words = thing.split()
        if not words:
            continue
        around = [] if found[1] else [word.strip(".,!") for word in piece[found.end() :].split()[:3]]
        if command := _command(words, around):
            yield "command", command
        # What is only not to be committed may well be written.
        elif _is_path(thing) and not _COMMITS.search(piece):
            runs = _RUNS.search(piece) and thing[-1] != "/"
            yield ("command", _run(thing)) if runs else ("path", _path(thing))


def paths_in(text: str) -> tuple[str, ...]:
    """Patterns for the paths a text names, also those that are no command's."""
    things = (found[1] or found.group().rstrip(".,!:;") for found in _THING.finditer(text[:_LONGEST]))
    named = (thing for thing in things if _PATH.fullmatch(thing) and thing.strip("./*@~"))
    return tuple(_path(thing) for thing in named if "/" in thing or _FILE.search(thing))


def _command(words: list[str], around: list[str]) -> str | None:
    """A pattern for a command: the program, its subcommands, its flags."""
    if re.fullmatch(r"--[a-z][\w-]+", words[0]):
        return rf"\s{_literally(words[0])}(?:[\s=]|$)"
    if words[0].lower() not in _PROGRAMS:
        return None
    given = list(words[:6])
    for word in around:
        if not (_FLAG.fullmatch(word) or word in _SUBCOMMANDS):
            break
        given.append(word)
    if len(given) == 1 and given[0].lower() in _GENERAL:
        return None
    head = [word for word in given if word[0] != "-"][:3]
    flags = [word for word in given if word[0] == "-"][:2]
    return rf"^{_literally(' '.join(head))}\b" + "".join(rf".*\s{_literally(flag)}(?:[\s=]|$)" for flag in flags)


def _is_path(thing: str) -> bool:
    if len(thing) > _LONGEST_PATH or not _PATH.fullmatch(thing) or thing.strip("./*@~") in ("", "etc", "e.g"):
        return False
    return thing.endswith("/") or thing.count("/") > 1 or bool(_FILE.search(thing))


def _run(thing: str) -> str:
    return rf"(?:^|[\s/]){_literally(thing.lstrip('./@'))}(?:\s|$)"


def _path(thing: str) -> str:
    bare = re.sub(r"^[@~./]*(?=/)/|^@|^\./", "", thing).rstrip("/")
    return r"(?:^|/)" + _literally(bare).replace(r"\*", "[^/]*") + r"(?:/|$)"


def _literally(text: str) -> str:
    """Text as a pattern that finds just this text."""
    return re.escape(text).replace("\\ ", " ").replace("\\-", "-")


def _by_call(entry: Entry) -> Matcher | None:
    """A call that was refused as such and for good: a tool of its own, or a command that is not easily undone."""
    call = entry.detail.exchange.call
    if call is None:
        return None
    if call.tool.startswith("mcp__"):
        return Matcher(tool=_literally(call.tool))
    run = [part.text.encode() for part in parts(call.given)]
    grave = (name for name in _GRAVE if any(map(any_of(families()[name].command).search, run)))
    return next((Matcher(family=name) for name in grave), None)
