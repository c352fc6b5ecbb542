"""A shell command in its parts: what really runs, without what is only said, and the files it changes."""

import posixpath
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

# Beyond this, without its documents, no command is read: 8,000 characters take 12 ms at worst, a usual one 0.03 ms.
_LONGEST: Final = 8_000
_LONGEST_WHOLE: Final = 200_000
_DEEPEST: Final = 3
# Stands where a text of several words was an argument. `git commit -m "never git push --force"` pushes nothing.
WORDS: Final = "'…'"

_TOKEN: Final = re.compile(
    r"(?P<comment>(?<!\S)\#[^\n]*)"
    r"|(?P<redirect>(?:\d*|&)>>?\|?&?|<<<|<)"
    r"|(?P<cut>\$\(|&&?|\|[|&]?|;+|[\n()`])"
    r"|(?P<word>(?:[^\s'\"\\;|&()<>`$]|\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"|\$(?!\())+)",
    re.DOTALL,
)
_QUOTED: Final = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\\(.)", re.DOTALL)
_HEREDOC: Final = re.compile(r"<<-?[ \t]*(['\"]?)(\w{1,64})\1")
_SHELL: Final = re.compile(r"(?:ba|z|da|k)?sh|ssh|eval|su")
_TO_A_SHELL: Final = re.compile(r"(?:^|[\s|;&/])(?:(?:ba|z|da|k)?sh|ssh)\b[^|;&]*$")
# What may stand before the program itself.
_BEFORE: Final = frozenset(
    "sudo env time nice nohup command exec builtin do then else if while until ! { xargs".split()
)
_ASSIGNED: Final = re.compile(r"\w+\+?=")
_DURATION: Final = re.compile(r"[\d.]+[smhd]?")
# `/usr/bin/black`, `./venv/bin/black`, `node_modules/.bin/eslint`: the program is black, or eslint. Not `bin/deploy`.
_WHERE_IT_LIES: Final = re.compile(r"(?:/(?:\S*/)?s?bin/|(?:\S*/)?\.?v?env[\w.-]*/bin/|(?:\S*/)?node_modules/\.bin/)")
_GIT_OPTIONS: Final = re.compile(r"^git (?:(?:-C|-c|--git-dir|--work-tree) \S+ |--?[\w-]+(?:=\S+)? )+")
# Flags whose argument is code: `psql -c "drop table x"`. Of these programs it is something else.
_CODE: Final = frozenset(("-c", "-e", "-lc", "--command", "--eval", "--execute"))
_NO_CODE: Final = frozenset("echo printf grep egrep rg ag git gh sed awk sh bash zsh dash ksh ssh su".split())
_CHANGES: Final = re.compile(
    r"(?:rm|rmdir|mv|cp|mkdir|touch|chmod|chown|tee|ln|unlink|truncate|shred|rsync|patch"
    r"|(?:sed|perl) (?:\S+ )*?-\w*i\S*|find(?=.* -(?:delete|exec))|git (?:add|rm|mv|checkout|restore|clean))(?: |$)"
)


class Part(NamedTuple):
    """One program that is run."""

    # Its name and its arguments, a space between them.
    text: str
    # Files it removes, moves, copies or writes. A command that only looks at files changes none.
    files: tuple[str, ...] = ()
    # With what is only said in it: a message, a query.
    whole: str = ""


def parts(command: str) -> list[Part]:
    """What a command line runs, in order, also inside `bash -c "…"` and `$(…)`."""
    whole = _without_documents(command[:_LONGEST_WHOLE]).replace("\\\n", " ")
    return list(_parts(whole[:_LONGEST], _DEEPEST))


def _parts(command: str, deeper: int) -> Iterator[Part]:
    directory = ""
    for raw, targets in _split(command):
        words = _program(raw)
        if words:
            part = _part(words, targets, directory)
            yield part
            if part.text.startswith("cd ") and len(words) > 1:
                directory = posixpath.join(directory, _plain(words[1]))
        elif targets:
            yield Part("", tuple(_placed(target, directory) for target in targets))
        if deeper:
            for inside in _inside(raw, words):
                yield from _parts(inside, deeper - 1)


def _split(command: str) -> Iterator[tuple[list[str], list[str]]]:
    """Words as they were written, and where output goes, of each simple command."""
    words: list[str] = []
    targets: list[str] = []
    redirect = ""
    for token in _TOKEN.finditer(command):
        kind, text = token.lastgroup, token.group()
        if kind == "cut":
            yield words, targets
            words, targets, redirect = [], [], ""
        elif kind == "redirect":
            redirect = text
        elif kind == "word" and redirect:
            if ">" in redirect and not redirect.endswith("&") and not text.startswith("/dev/"):
                targets.append(_plain(text))
            redirect = ""
        elif kind == "word":
            words.append(text)
    yield words, targets


def _program(words: list[str]) -> list[str]:
    """The words from the program's name on."""
    start = 0
    while start < len(words):
        word, before = words[start], words[start - 1] if start else ""
        wrapped = before in _BEFORE and word.startswith("-")
        if word in _BEFORE or _ASSIGNED.match(word) or wrapped:
            start += 1
        elif word == "timeout" and start + 1 < len(words) and _DURATION.fullmatch(words[start + 1]):
            start += 2
        else:
            break
    return words[start:]


def _part(words: list[str], targets: list[str], directory: str) -> Part:
    name = _plain(words[0])
    lies = _WHERE_IT_LIES.match(name)
    name = name[lies.end() :] if lies else name
    shown = [name]
    for before, word in pairwise(words):
        text = _plain(word)
        code = before in _CODE and name not in _NO_CODE
        shown.append(WORDS if not code and len(text.split()) > 1 else text)
    text, whole = (_GIT_OPTIONS.sub("git ", " ".join(words)) for words in (shown, [name, *map(_plain, words[1:])]))
    changing = _CHANGES.match(text)
    rest = text[changing.end() :].split(" ") if changing else []
    changed = [word for word in rest if word and word[0] != "-" and word != WORDS]
    return Part(text, tuple(_placed(path, directory) for path in (*changed, *targets)), whole)


def _inside(raw: list[str], words: list[str]) -> Iterator[str]:
    """Commands that stand in the words of a command: what a shell is given, and `$(…)` in a quoted word."""
    if words and _SHELL.fullmatch(posixpath.basename(_plain(words[0]))):
        yield from (text for word in words[1:] if len((text := _plain(word)).split()) > 1)
    else:
        yield from (_plain(word).partition("$(")[2] for word in raw if '"' in word and "$(" in word)


def _plain(word: str) -> str:
    """A word without its quotes."""
    if not any(sign in word for sign in "'\"\\"):
        return word
    return _QUOTED.sub(lambda found: found[1] or found[2] or found[3] or "", word)


def _placed(path: str, directory: str) -> str:
    return posixpath.join(directory, path) if directory else path


def _without_documents(command: str) -> str:
    """A command without its here-documents, unless a shell is to run them."""
    if "<<" not in command:
        return command
    kept: list[str] = []
    end = ""
    for line in command.split("\n"):
        if end:
            if line.strip().rstrip(')"') == end:
                kept.append(line.strip().removeprefix(end))
                end = ""
            continue
        found = _HEREDOC.search(line)
        if found and not _TO_A_SHELL.search(line[: found.start()]):
            end = found[2]
            line = line[: found.start()] + line[found.end() :]
        kept.append(line)
    return "\n".join(kept)
