"""Shell commands as steps: program, subcommand and telling flags. Paths, messages and looking around are left out."""

import posixpath
import re
from collections.abc import Iterator
from typing import Final

# A document in a command runs to its end word, or to where the command was cut.
_DOCUMENT: Final = re.compile(r"<<-?\s*(['\"]?)(\w+)\1.*?(?:^[ \t]*\2[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
# A quote that is not closed, because the command was cut, runs to the end: no word of a message may become a step.
_PART: Final = re.compile(
    r"(?P<join>&&|\|\||[;|\n&])|(?P<redirect>\d*[<>]+&?\s*[^\s;&|]*)|"
    r"(?P<word>(?:[^\s;&|<>\"'\\]|\\.|'[^']*(?:'|\Z)|\"(?:\\.|[^\"\\])*(?:\"|\\?\Z))+)"
)
_SETTING: Final = re.compile(r"\w+=")
_PLAIN: Final = re.compile(r"[a-z][a-z0-9:_.-]{0,30}")
_SCRIPT: Final = re.compile(r"[\w./-]*\.(?:sh|py|js|mjs|ts|rb|pl)")

# They run another program, which is the step.
_WRAPPERS: Final = frozenset("time sudo env nice command exec npx bunx xvfb-run nohup".split())
_RUNNERS: Final = frozenset(f"{tool} run" for tool in "uv poetry pdm hatch rye pipenv".split()) | {"bundle exec"}
_INTERPRETERS: Final = frozenset("bash sh zsh python python3 node ruby perl deno tsx".split())
# Words behind the program that say what it does, where it is not one.
_DEPTH: Final = {
    "gh": 2, "aws": 2, "gcloud": 2, "az": 2, "kubectl": 1, "docker compose": 2, "npm run": 2, "pnpm run": 2,
    "yarn run": 2, "bun run": 2, "mise run": 2, "pip": 1, "make": 3, "just": 2, "task": 2,
}  # fmt: skip
# Looking around, moving files and shell grammar: no step of a procedure anybody would write down.
_NO_STEP: Final = frozenset(
    "cd ls cat head tail less grep rg ag find fd sed awk wc echo printf pwd which type test [ [[ file stat tree diff "
    "sort uniq jq yq cut tr xargs tee true false sleep export source . set unset read date whoami ps lsof kill pkill "
    "mkdir touch rm rmdir mv cp ln chmod chown open code vim nano for do done if then else fi while case esac { } ( ) "
    "base64 basename dirname realpath strings xxd od history man clear wait bat column seq curl wget trap".split()
)
_LOOKS: Final = frozenset(
    f"{program} {act}"
    for program, acts in {
        "git": "status diff log show branch rev-parse rev-list ls-files ls-remote ls-tree remote blame grep merge-base "
        "config reflog describe cat-file worktree shortlog check-ignore stash help",
        "gh": "api auth",
        "gh pr": "view list diff checks status",
        "gh issue": "view list",
        "gh run": "view list watch",
        "gh repo": "view",
        "kubectl": "get describe logs",
        "docker": "ps logs images inspect",
        "npm": "ls list view outdated",
        "pip": "list show",
        "go": "env doc list",
        "systemctl": "status",
        "brew": "list info",
        "tmux": "ls capture-pane",
    }.items()
    for act in acts.split()
)
_FLAGS: Final = frozenset(
    "--amend --force --force-with-lease --rebase --continue --prod --production --staging --fix --release --hard "
    "--tags --build --dry-run --check --write --delete".split()
)
_WITH_VALUE: Final = frozenset("-C -c --prefix --filter -w --workspace --dir --cwd -f -n".split())
_ADDRESSED: Final = frozenset("gh git kubectl docker npm pnpm yarn bun".split())


def steps_of(command: str) -> list[str]:
    """The steps a command consists of, in order: `cd x && mise run lint | tail` is `mise run lint`."""
    found = (_step(words) for words in _pieces(_DOCUMENT.sub(" ", command.replace("\\\n", " "))))
    return [step for step in found if step]


def _pieces(command: str) -> Iterator[list[str]]:
    """The words of each program that runs; what it is piped into, and what is tried when it fails, are left out."""
    words: list[str] = []
    wanted = True
    for part in _PART.finditer(command):
        if part["join"]:
            if wanted and words:
                yield words
            words, wanted = [], part["join"] not in ("|", "||")
        elif part["word"]:
            words.append(part["word"])
    if wanted and words:
        yield words


def _step(words: list[str]) -> str | None:
    if re.match(r"\w+=\$\(", words[0]):  # it only looks something up
        return None
    words = _unwrapped(words)
    if not words or "--help" in words or "--version" in words:
        return None
    program = words[0] if not words[0].startswith(("/", "~")) else posixpath.basename(words[0])
    if posixpath.basename(program).rstrip("0123456789.") in _INTERPRETERS:
        return _script(posixpath.basename(program), words[1:])
    if program in _NO_STEP or not re.fullmatch(r"[\w./@:+-]{1,60}", program):
        return None
    if program.startswith(".") or _SCRIPT.fullmatch(program):
        return program.removeprefix("./")
    told = _subcommand(program, words[1:])
    step = " ".join([program, *told])
    if step in _LOOKS or " ".join([program, *told[:1]]) in _LOOKS:
        return None
    return " ".join([step, *sorted(_FLAGS.intersection(words))])


def _unwrapped(words: list[str]) -> list[str]:
    """Without settings, `sudo`, `timeout 60`, `uv run` and the like before the program."""
    while words:
        if _SETTING.match(words[0]) or words[0] in _WRAPPERS:
            words = words[1:]
        elif words[0] == "timeout" or " ".join(words[:2]) in _RUNNERS:
            words = words[2:]
        elif words[0].startswith("-"):
            words = words[1:]
        else:
            break
    return words


def _script(program: str, words: list[str]) -> str | None:
    """What an interpreter runs: a module or a file. A program typed in place is no step."""
    if "-m" in words[:3] and (rest := words[words.index("-m") + 1 :]):
        return f"python -m {rest[0]}" if _PLAIN.fullmatch(rest[0]) else None
    file = next((word for word in words if not word.startswith("-")), "")
    if {"-c", "-e", "-lc", "-p"}.intersection(words) or not _SCRIPT.fullmatch(file):
        return None
    return f"{program} {posixpath.basename(file) if file.startswith('/') else file.removeprefix('./')}"


def _subcommand(program: str, words: list[str]) -> list[str]:
    """The words that say what the program is to do."""
    told: list[str] = []
    depth, skip = _DEPTH.get(program, 1), False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = program in _ADDRESSED and not told and word in _WITH_VALUE
            if told:
                break
        elif not _PLAIN.fullmatch(word) or "." in word:
            break
        else:
            told.append(word)
            depth = _DEPTH.get(f"{program} {told[0]}", depth)
            if len(told) == depth:
                break
    return told
