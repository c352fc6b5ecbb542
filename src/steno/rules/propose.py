"""From what a person refused for good to a matcher: only where their words, or the call they refused, plainly name a
command or a path. Else none.

A matcher that fires on everything is worse than none. What is taken from a transcript is escaped, never used as a
pattern.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal

from steno.language.shell import parts
from steno.rules.stance import binds, has_condition, lasts, own_words, says_no
from steno.vocabulary import Entry, Matcher, Mode

_Kind = Literal["command", "path"]

# A quote is rarely longer.
_LONGEST: Final = 600
_LONGEST_PATH: Final = 200
_MOST_NAMES: Final = 4
# Tools that change something or run something: looking for a name is not using it.
_DOING: Final = r".*(?:edit|writ|patch|replace|insert|creat|delet|remov|renam|move|bash|shell|exec|command|terminal).*"

# In backticks, or a word.
_THING: Final = re.compile(r"`([^`\n]{1,120})`|[^\s`'\"“”]+")
# A no that forbids nothing.
_NO_ORDER: Final = re.compile(r"\b(?:forget|worry)\b", re.I)
_RUNS: Final = re.compile(r"\b(?:run|runn|execut|call|invok|us)(?:e|ing)?\b", re.I)
# The program is the last word, or a flag, a path or a preposition follows: not "run the tests", "run migrations twice".
_RUN: Final = re.compile(
    r"\b(?:run|runn|execut|invok)(?:e|ing)? `?(?!it\b|this|that|them|any|the\b|a\b|these|those|all\b|more\b|on\b)"
    r"((?:(?:make|just|rake|npm|yarn|pnpm|cargo|docker|terraform|kubectl) )?[a-z][a-z0-9_.-]{1,30})`?"
    r"(?=\W*$| (?:on|in|over|against|for|before|after|again|here|ever|without|by)\b| -| \.)",
    re.I,
)
_LAUNCHED: Final = r"(?:(?:uv|poetry|pipenv|pdm|hatch|bundle) (?:run|exec)|npx|bunx|pipx run|python3? -m)"
# Only a part of it is forbidden, and no pattern says which: "without sudo", "outside /tmp".
_LIMITED: Final = re.compile(
    r"[\s,(]*\b(?:without (?!ask|my\b|me\b|permission|approv|tell|being|confirm|an? ok|explicit)"
    r"|outside\b|other than\b)",
    re.I,
)
# The same of a command, where that is forbidden in one place: "into prod", not "in this repo".
_SOMEWHERE: Final = re.compile(
    r" (?:in|into|on|onto|against|from|at) (?!(?:this|these|here|our|my|any|all|every|the (?:repo|project|code)\w*)\b)"
)
_COMMITS: Final = re.compile(r"\b(?:commit|check in)", re.I)

# Programs by names that mean nothing else in a sentence; of some only a subcommand or a flag tells anything.
_PROGRAMS: Final = frozenset(
    "npm npx pnpm yarn pip pip3 conda docker docker-compose podman kubectl helm terraform brew apt apt-get curl wget "
    "ssh scp rsync sed awk gradle mvn bazel psql mysql redis-cli systemctl crontab rm git gh cargo python".split()
)
_GENERAL: Final = frozenset("git gh cargo python rm".split())
_SUBCOMMANDS: Final = frozenset(
    "install add push pull commit rebase reset stash merge publish run build test up down compose checkout clean "
    "restore apply destroy delete deploy update upgrade prune tag pr issue release create".split()
)
_FLAG: Final = re.compile(r"--?\w[\w-]*")
_FILE: Final = re.compile(r"[\w*-]\.[a-z][a-z0-9]{0,6}$|^\.\w[\w.-]+$", re.I)
_PATH: Final = re.compile(r"[@~.]{0,2}/?[\w.*@-]+(?:/[\w.*@-]+)*/?")

_FORCE: Final = r"\s(?:--force\S*|-\w*f\w*|\+\S+)(?:\s|$)"
# Acts that have one command, by the phrases people have for them.
_ACTS: Final = tuple(
    (re.compile(phrase, re.I), pattern)
    for phrase, pattern in (
        (r"\bforce.?push|\bpush\w* .{0,20}\bforce\b", rf"^git push\b.*{_FORCE}"),
        (r"\bpush\w* .{0,20}\b(?:main|master)\b", r"^git push\b.*\b(?:main|master)\b"),
        (r"\b(?:don'?t|not|never|stop) push(?:ing)?(?: anything)?\W*$", r"^git push\b"),
        (r"\bno.verify\b|(?:skip|bypass)\w* .{0,30}\bhooks?\b", r"\s--no-verify(?:\s|$)"),
        (r"\bamend", r"^git commit\b.*\s--amend(?:\s|$)"),
        (r"\brebas(?:e|ing)\b", r"^git (?:rebase|pull\b.*\s--rebase)\b"),
        (r"\b(?:hard.reset|reset --hard)", r"^git reset\b.*\s--hard(?:\s|$)"),
        (r"\brm -\w*r", r"^rm\s(?:.*\s)?-\w*r"),
    )
)
# Calls a person may well mean for good when they refuse one: what these do is not easily undone.
_GRAVE: Final = (*(pattern for _, pattern in _ACTS if "amend" not in pattern), r"^git (?:clean|stash)\b")


def propose(entry: Entry) -> Matcher | None:
    """A matcher for what an entry forbids, to be tried; None if its words name nothing concrete."""
    is_no = entry.category in ("rejected", "rule") and lasts(entry)
    return (_by_words(entry) or _by_call(entry)) if is_no else None


def first_mode(entry: Entry, matcher: Matcher) -> Mode:
    """How far a matcher goes before it was tried: it asks where a person's words forbid a command for good, in so many
    words and without a condition (`never run black`), also while they refuse a call."""
    plainly = binds(entry) and not has_condition(own_words(entry))
    return "ask" if plainly and matcher.command is not None and matcher == _by_words(entry) else "warn"


def _by_words(entry: Entry) -> Matcher | None:
    said = own_words(entry)[:_LONGEST].replace("’", "'")
    for clause in says_no(said):
        # Where a clause ends within a piece of code, only a part of that is there.
        limited = _LIMITED.search(clause) or _LIMITED.match(said, said.find(clause) + len(clause))
        if limited or clause.count("`") % 2 or _NO_ORDER.search(clause):
            continue
        found = _by_act(clause) or _by_name(clause) or _by_run(clause)
        if found and (found == _by_act(clause) or found.path or not _SOMEWHERE.search(clause)):
            return found
    return None


def _by_act(clause: str) -> Matcher | None:
    return next((Matcher(command=pattern) for phrase, pattern in _ACTS if phrase.search(clause)), None)


def _by_run(clause: str) -> Matcher | None:
    """What is not to be run, whatever it is called: a pattern for something that is no program finds nothing."""
    found = _RUN.search(clause)
    return Matcher(command=rf"^(?:{_LAUNCHED} )?{_literally(found[1])}(?:\s|$)") if found else None


def _by_name(clause: str) -> Matcher | None:
    """The commands or paths in a clause: those of the first one's kind."""
    found = list(islice(_named(clause), _MOST_NAMES))
    if not found:
        return None
    kind = found[0][0]
    pattern = "|".join(dict.fromkeys(pattern for one, pattern in found if one == kind))
    return Matcher(command=pattern) if kind == "command" else Matcher(path=pattern, tool=_DOING)


def _named(clause: str) -> Iterator[tuple[_Kind, str]]:
    for found in _THING.finditer(clause):
        code, thing = bool(found[1]), found[1] or found.group().rstrip(".,!:;")
        words = thing.split()
        if not words:
            continue
        if command := _command([*words, *([] if code else clause[found.end() :].split()[:3])], len(words)):
            yield "command", command
        # A path that is only not to be committed may well be written.
        elif _is_path(thing) and not _COMMITS.search(clause):
            yield ("command", _run(thing)) if _RUNS.search(clause) and thing[-1] != "/" else ("path", _path(thing))


def _command(words: list[str], own: int) -> str | None:
    """A pattern for a command: the program, its subcommands, its flags; `own` of the words are surely meant."""
    if re.fullmatch(r"--[a-z][\w-]+", words[0]):
        return rf"\s{_literally(words[0])}(?:[\s=]|$)"
    if words[0].lower() not in _PROGRAMS:
        return None
    given = words[:1]
    for place, word in enumerate(words[1:6], 1):
        bare = word if place < own else word.strip(".,!")
        if not (place < own or _FLAG.fullmatch(bare) or bare in _SUBCOMMANDS):
            break
        given.append(bare)
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
    run = [part.text for part in parts(call.given)]
    return next((Matcher(command=grave) for grave in _GRAVE if any(re.search(grave, text) for text in run)), None)
