"""A shell command in its parts: what really runs, without what is only said, and the files it changes."""

import posixpath
import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

# Beyond this, without its documents, no command is read, nor are more of these: 8,000 characters take 12 ms at worst, a
# usual one 0.03 ms.
_LONGEST: Final = 8_000
_LONGEST_WHOLE: Final = 200_000
_DEEPEST: Final = 3
# Stands where a text of several words was an argument. `git commit -m "never git push --force"` pushes nothing.
WORDS: Final = "'…'"

_TOKEN: Final = re.compile(
    r"(?P<comment>(?<!\S)\#[^\n]*)"
    r"|(?P<inner>[$<>]\()"
    r"|(?P<redirect>(?:\d*|&)>>?\|?&?|<<<|<)"
    r"|(?P<cut>&&?|\|[|&]?|;+|[\n()`])"
    r"|(?P<word>(?:[^\s'\"\\;|&()<>`$]|\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"|\$(?!\())+)",
    re.DOTALL,
)
_QUOTED: Final = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\\(.)", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\([$`\"\\])")
_HEREDOC: Final = re.compile(r"<<-?[ \t]*(['\"]?)(\w{1,64})\1")
# Ends inside quotes, as before the sign in `echo "a << b"`. In `git commit -m "$(cat <<EOF` a document begins.
_IN_QUOTES: Final = re.compile(
    r"(?:[^'\"\\]++|\\.|'[^']*+'|\"(?:[^\"\\]|\\.)*+\")*+(?:'[^']*+|\"(?:(?!\$\()[^\"\\]|\\.)*+)"
)
# Stand in a command for its documents, and for what `$(…)` gives.
_DOCUMENT: Final = re.compile(r"<\0(\d+)")
_GIVEN: Final = "$(…)"
_SHELL: Final = re.compile(r"(?:ba|z|da|k|fi)?sh|ssh|su|eval|watch|script")
# What may stand before the program itself, and those of their options that take a value.
_BEFORE: Final = frozenset(
    "sudo doas env time timeout nice ionice nohup setsid stdbuf unbuffer command exec builtin do then else if while "
    "until ! { xargs".split()
)
_TAKES: Final = frozenset(
    f"{name} -{letter}" for name, letters in
    (("sudo", "ugChDpRT"), ("doas", "uC"), ("env", "uC"), ("timeout", "ks"), ("nice", "n"), ("ionice", "cn"),
     ("stdbuf", "ioe"), ("exec", "a"), ("xargs", "IinLPsdaE"), ("time", "fo"))
    for letter in letters
)  # fmt: skip
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

# Programs that are no words of a sentence, or are followed by what stands in none.
_COMMAND_LINE: Final = re.compile(
    r"\s*(?:\w+=\S* )*(?:sudo )?(?:(?:git|npm|npx|pnpm|yarn|pip3?|pipx|uv|poetry|cargo|docker|docker-compose|kubectl"
    r"|helm|terraform|psql|mysql|sqlite3|redis-cli|curl|wget|ssh|scp|rsync|rm|mv|cp|chmod|chown|mkdir|sed|awk|grep|gh"
    r"|aws|gcloud|systemctl|pytest|python3?|node|tsc|eslint|ruff|mypy|brew|apt-get|alembic|dropdb|createdb|pg_dump"
    r"|black|prettier|twine|ansible-playbook|pulumi) |(?:\./|/|~/)?[\w.-]+(?:/[\w.-]+)*\.(?:sh|py)(?: |$)"
    r"|make [\w.-]+$)"
)


class Part(NamedTuple):
    """One program that is run."""

    # Its name and its arguments, a space between them.
    text: str
    # Files it removes, moves, copies or writes. A command that only looks at files changes none.
    files: tuple[str, ...] = ()
    # With what is only said in it: a message, a query.
    whole: str = ""
    # As they were written: the words from its name on, and those before it (`FOO=1`, `sudo`).
    words: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    # Files its output goes to, and the text its input comes from, where the command line holds it.
    into: tuple[str, ...] = ()
    fed: str = ""
    # Where it runs, as seen from where the whole does.
    directory: str = ""
    # What stands behind it: `&&`, `|`, `;`, `)` …
    sign: str = ""


class _Simple(NamedTuple):
    """A simple command as it was written, and the sign behind it."""

    words: list[str]
    into: list[str]
    fed: str
    sign: str


def parts(command: str) -> list[Part]:
    """What a command line runs, in order, also inside `bash -c "…"` and `$(…)`."""
    whole, documents = _apart(command[:_LONGEST_WHOLE])
    return list(_parts(whole.replace("\\\n", " ")[:_LONGEST], documents, "", _DEEPEST))


def _parts(command: str, documents: list[str], directory: str, deeper: int) -> Iterator[Part]:
    around: list[str] = []
    piped = ""
    for one in _split(command, documents):
        start = _start(one.words) if one.words else 0
        words, fed, piped = one.words[start:], one.fed or piped, ""
        if words:
            part = _part(one, start, fed, directory)
            yield part
            if one.sign.startswith("|"):
                piped = _printed(part)
            if words[0] in ("cd", "pushd"):
                directory = _placed(plain(words[-1]) if len(words) > 1 else "~", directory)
        elif one.into:
            into = _all_placed(one.into, directory)
            yield Part("", into, into=into)
        if deeper:
            for inside in _inside(one.words, words, fed):
                yield from _parts(inside, documents, directory, deeper - 1)
        if one.sign.endswith("("):
            around.append(directory)
        elif one.sign == ")" and around:
            directory = around.pop()


def _split(command: str, documents: list[str]) -> Iterator[_Simple]:
    """The simple commands of a line, those inside `$(…)` before the one they stand in."""
    words: list[str] = []
    into: list[str] = []
    around: list[tuple[list[str], list[str], str, bool] | None] = []
    redirect = fed = ""
    end = -1
    for token in _TOKEN.finditer(command):
        kind, text = token.lastgroup, token.group()
        if kind == "inner":
            yield _Simple([], [], "", text)
            around.append((words, into, redirect, token.start() == end))
            words, into, redirect = [], [], ""
        elif kind == "cut":
            yield _Simple(words, into, fed, text)
            before = around.pop() if text == ")" and around else None
            if text == "(":
                around.append(None)
            words, into, redirect, fed = [], [], "", ""
            if before is not None:
                words, into, redirect, follows = before
                end = token.end()
                if follows and words:
                    words[-1] += _GIVEN
                elif not redirect:
                    words.append(_GIVEN)
                redirect = ""
        elif kind == "redirect":
            redirect = text
        elif kind == "word" and redirect:
            if redirect == "<<<":
                fed = plain(text)
            elif document := _DOCUMENT.fullmatch(redirect + text):
                fed = documents[int(document[1])] if int(document[1]) < len(documents) else ""
            elif ">" in redirect and not redirect.endswith("&") and not text.startswith("/dev/"):
                into.append(plain(text))
            redirect = ""
        elif kind == "word":
            if token.start() == end and words:
                words[-1] += text
            else:
                words.append(text)
            end = token.end()
    yield _Simple(words, into, fed, "")
    yield from (_Simple(*before[:2], "", "") for before in around if before is not None)


def _start(words: list[str]) -> int:
    """Where the program's name stands among the words."""
    start, before = 0, ""
    while start < len(words):
        word = words[start]
        if word in _BEFORE:
            before = word
        elif before and word.startswith("-"):
            start += f"{before} {word}" in _TAKES
        elif not _ASSIGNED.match(word) and not (before == "timeout" and _DURATION.fullmatch(word)):
            break
        start += 1
    return start


def _part(one: _Simple, start: int, fed: str, directory: str) -> Part:
    words = one.words[start:]
    name, *rest = plains = [plain(word) for word in words]
    lies = _WHERE_IT_LIES.match(name)
    name = name[lies.end() :] if lies else name
    shown = [name]
    for before, text in pairwise(plains):
        code = before in _CODE and name not in _NO_CODE
        shown.append(WORDS if not code and len(text.split()) > 1 else text)
    text, whole = (_GIT_OPTIONS.sub("git ", " ".join(words)) for words in (shown, (name, *rest)))
    changing = _CHANGES.match(text)
    changed = text[changing.end() :].split(" ") if changing else []
    into = _all_placed(one.into, directory)
    files = _all_placed([word for word in changed if word and word[0] != "-" and word != WORDS], directory)
    whole = _DOCUMENT.sub("", whole) if "\0" in whole else whole
    return Part(text, files + into, whole, tuple(words), tuple(one.words[:start]), into, fed, directory, one.sign)


def _inside(raw: list[str], words: list[str], fed: str) -> Iterator[str]:
    """Commands that stand in a command: what a shell is given, what `find` runs, and `$(…)` in a quoted word."""
    name = posixpath.basename(plain(words[0])) if words else ""
    if name == "eval":
        yield " ".join(map(plain, words[1:]))
    elif _SHELL.fullmatch(name):
        rest = [plain(word) for word in words[1:]]
        yield from (text for text in rest if len(text.split()) > 1)
        if fed and (name in ("ssh", "su") or all(word.startswith("-") for word in rest)):
            yield fed
    elif name == "find":
        left = iter(words)
        for word in left:
            if word in ("-exec", "-execdir", "-ok", "-okdir"):
                yield " ".join(takewhile(lambda one: plain(one) not in (";", "+"), left))
    else:
        yield from (plain(word).partition("$(")[2] for word in raw if '"' in word and "$(" in word)


def _printed(part: Part) -> str:
    """What a program prints, where its own line says so."""
    name, *rest = map(plain, part.words)
    if name in ("echo", "printf"):
        return " ".join(rest)
    return part.fed if name == "cat" and not rest else ""


def plain(word: str) -> str:
    """A word without its quotes."""
    if not any(sign in word for sign in "'\"\\"):
        return word
    return _QUOTED.sub(_unquoted, word)


def _unquoted(found: re.Match[str]) -> str:
    return _ESCAPED.sub(r"\1", found[2]) if found[2] else found[1] or found[3] or ""


def _all_placed(paths: list[str], directory: str) -> tuple[str, ...]:
    return tuple([_placed(path, directory) for path in paths])


def _placed(path: str, directory: str) -> str:
    return posixpath.join(directory, path) if directory and path[:1] not in ("~", "$") else path


def _apart(command: str) -> tuple[str, list[str]]:
    """A command without its here-documents, a mark for each of them, and the documents."""
    if "<<" not in command:
        return command, []
    kept: list[str] = []
    documents: list[list[str]] = []
    end = ""
    for line in command.split("\n"):
        if end:
            if line.strip().rstrip(')"') == end:
                kept.append(line.strip().removeprefix(end))
                end = ""
            else:
                documents[-1].append(line)
            continue
        found = _HEREDOC.search(line)
        if found and not _is_plain(line, found.start()):
            end = found[2]
            line = f"{line[: found.start()]}<\0{len(documents)} {line[found.end() :]}"
            documents.append([])
        kept.append(line)
    room = _LONGEST
    texts: list[str] = []
    for document in documents:
        texts.append("\n".join(document)[:room])
        room -= len(texts[-1])
    return "\n".join(kept), texts


def _is_plain(line: str, at: int) -> bool:
    """Whether no document begins at a `<<`: it is quoted, or shifts a number."""
    return line.rfind("((", 0, at) > line.rfind(")", 0, at) or bool(_IN_QUOTES.fullmatch(line, 0, at))


def is_command(text: str) -> bool:
    """Whether a text is a command line, though nobody says so: it begins with a program no sentence begins with."""
    return _COMMAND_LINE.match(text) is not None
