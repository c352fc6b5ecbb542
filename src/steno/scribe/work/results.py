"""What commands achieved beyond the working copy: commits, tags, pushes, pull requests, replies, releases, deployments.

Only what was seen: a result that went through says so in its output or by its exit status, one that did not by failing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import structs

from steno.scribe.work.message import short
from steno.scribe.work.shell import PIECES, TOLD, Went, begins
from steno.vocabulary import ResultKind, TrailResult

# Looked for in this order at the beginning of each piece of a command.
_KINDS: Final[Mapping[ResultKind, re.Pattern[str]]] = {
    kind: begins(told, "{{prefix}}") for kind, told in TOLD["results"].items()
}
_ONLY_LOOKS: Final = re.compile(r"--dry-run\b|--help\b|(?:^|\s)-n(?:\s|$)")
# What a shell takes as one text: a heredoc, a here-string of PowerShell, what stands in quotation marks.
_HEREDOC: Final = re.compile(
    r"<<-?\s*(?:['\"]?)(\w+)['\"]?.*?^[ \t]*\1[ \t]*$|@(['\"])[ \t]*\r?\n.*?\n\2@", re.DOTALL | re.MULTILINE
)
_QUOTED: Final = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_AMENDS: Final = re.compile(r"\bcommit\b[^|;&\n]*\s--amend\b")
# After these commits have other names than they were given.
_RENAMES: Final = re.compile(
    r"git(?:\s+-[cC]\s*\S+)*\s+(?:rebase\b(?!\s+--abort)|pull\s[^\n]{0,80}?--rebase\b|filter-(?:branch|repo)\b)"
    r"|gt\s+(?:restack|sync|modify)\b"
)
# The first line of a message that stands in a command: in quotation marks, a heredoc or a here-string.
_MESSAGE: Final = re.compile(
    r"\bcommit\b[^\n]{0,300}?\s(?:-\w{0,5}m|--message)[= ]?\s{0,5}(?:"
    r"\"\$\(cat\s{0,5}<<-?\s?['\"]?\w+['\"]?\s*([^\n]{1,300})|@['\"]\s*([^\n]{1,300})"
    r"|'([^'\n]{1,300})|\"((?:[^\"\\\n]|\\.){1,300}))"
)
# A shorter subject may stand in a command by chance.
_SUBJECT: Final = 10
_READ: Final = 4000
_NAME: Final = re.compile(r"^[0-9a-f]{7,40}(?: |$)")
COMMITTED: Final = re.compile(r"^\[([^\s\]]{1,200}(?: \([a-z-]+\))?) ([0-9a-f]{7,40})\] ([^\n]{1,300})", re.MULTILINE)
_PUSHED: Final = re.compile(
    r"^[ \t]*[*+ ]?[ \t]*(?:\[new (?:branch|tag)\]|[0-9a-f]{7,}\.{2,3}[0-9a-f]{7,})\s+\S+ +-> +\S+", re.M
)
_REFUSED: Final = re.compile(r"^(?:\s*! \[|error:|fatal:)|Everything up-to-date", re.MULTILINE)
_NO_MERGE: Final = re.compile(r"^Already up.to.date", re.MULTILINE)
_LINK: Final = re.compile(r"https?://[^\s\"'<>]{1,200}/(?:pull|merge_requests|releases/tag)/[^\s\"'<>]{1,60}")
# Where a pull request is to be merged.
_BASE: Final = re.compile(r"\s(?:--base|--target-branch|-B)[= ](\S{1,100})")
_SHOWN: Final = 160


@lru_cache(maxsize=512)
def outward(tool: str) -> ResultKind | None:
    """What a tool of a server achieves beyond the working copy, by its name."""
    _, found, name = tool.lower().replace("-", "_").rpartition("__")
    if not found:
        return None
    shapes = ((kind, rf"(?:^|_)(?:{does})_(?:\w+_)?(?:{what})") for kind, (does, what) in TOLD["tools"].items())
    return next((kind for kind, shape in shapes if re.search(shape, name)), None)


def by_tool(told: Sequence[str], outcome: Went, printed: str, turn: int) -> TrailResult | None:
    """What a call of such a tool achieved; None: it cannot be told whether it did."""
    if outcome.failed is None and not printed.strip():
        return None
    kind, about = told
    link = _LINK.search(printed) if kind == "pr" and not outcome.failed else None
    text = link[0] if link else about
    return TrailResult(kind=msgspec.convert(kind, ResultKind), text=text, failed=bool(outcome.failed), turn=turn)


def with_results(
    known: Sequence[TrailResult], command: str, outcome: Went, printed: str, turn: int
) -> list[TrailResult]:
    """What was achieved so far, and by a command that has ended, in order. An amended commit takes the place of the one
    before; those that were given other names are told without."""
    new = results(command, outcome, printed, turn)
    renamed = not outcome.failed and any(_RENAMES.match(piece) for piece in PIECES.split(_bare(command))[:20])
    kept = [_unnamed(one) for one in known] if renamed else list(known)
    place = next((at for at in reversed(range(len(kept))) if kept[at].kind == "commit" and not kept[at].failed), None)
    commit = next((one for one in new if one.kind == "commit" and not one.failed), None)
    if commit and place is not None and _AMENDS.search(_bare(command)):
        text = _amended(kept[place].text, commit.text, command)
        new[new.index(commit)] = structs.replace(commit, text=text)
        del kept[place]
    return [*kept, *new]


def _unnamed(one: TrailResult) -> TrailResult:
    """A commit by its subject alone."""
    return structs.replace(one, text=_NAME.sub("", one.text) or one.text) if one.kind == "commit" else one


def _amended(before: str, now: str, command: str) -> str:
    """The subject stays unless the command gives another one."""
    if _MESSAGE.search(command[:_READ]):
        return now
    return f"{now if _NAME.fullmatch(now) else ''} {_NAME.sub('', before)}".strip()


def results(command: str, outcome: Went, printed: str, turn: int) -> list[TrailResult]:
    """What a command that has ended achieved, in order."""
    found = list(attempted(command))
    if not any(kind == "commit" for kind, _ in found) and _commits_by_itself(command, printed):
        found.append(("commit", command))
    last = len(found) - 1
    return [
        TrailResult(kind=kind, text=short(text, _SHOWN), failed=failed, turn=turn)
        for place, (kind, piece) in enumerate(found)
        for text, failed in _went(kind, piece, command, outcome, printed, is_last=place == last)
    ]


def _bare(command: str) -> str:
    """A command without its texts, each on one line."""
    return _QUOTED.sub("'…'", _HEREDOC.sub("'…'", command)).replace("\\\n", " ")


def _commits_by_itself(command: str, printed: str) -> bool:
    """Whether a script commits: git names the commit, with the subject the agent wrote into the script."""
    return any(len(said) >= _SUBJECT and said in command for _, _, said in COMMITTED.findall(printed))


def attempted(command: str) -> Iterator[tuple[ResultKind, str]]:
    """The pieces of a command that achieve something, without what stands between quotation marks; a commit by its
    subject."""
    message = _MESSAGE.search(command[:_READ])
    for piece in PIECES.split(_bare(command))[:20]:
        kind = next((kind for kind, pattern in _KINDS.items() if pattern.match(piece[:300])), None)
        asks = kind == "reply" and "graphql" in piece and "mutation" not in command
        if kind and not asks and not _ONLY_LOOKS.search(piece):
            subject = next(filter(None, message.groups())) if message and kind == "commit" else ""
            yield kind, subject or piece.split("2>")[0].strip()


def _went(
    kind: ResultKind, piece: str, command: str, outcome: Went, printed: str, *, is_last: bool
) -> Iterator[tuple[str, bool]]:
    seen = list(_seen(kind, command, printed))
    if kind == "merge" and _NO_MERGE.search(printed):
        return
    refused = kind == "push" and _REFUSED.search(printed) is not None
    if seen and not refused:
        yield from ((text, False) for text in seen)
    elif outcome.failed is False and not refused:
        yield piece, False
    elif outcome.failed and is_last:
        yield piece, True


def _seen(kind: ResultKind, command: str, printed: str) -> Iterator[str]:
    """What the output proves."""
    if kind == "commit":
        for _, commit, message in COMMITTED.findall(printed):
            # Output may say anything; the message counts where the agent wrote it into the command.
            yield f"{commit} {message}" if message in command.replace('\\"', '"') else commit
    elif kind == "push" and (found := _PUSHED.search(printed)):
        here, _, there = found[0].split()[-3:]
        yield here if here == there else f"{here} -> {there}"
    elif kind in ("pr", "release") and (found := _LINK.search(printed)):
        base = _BASE.search(_bare(command)) if kind == "pr" else None
        yield f"{found[0]} into {base[1]}" if base else found[0]
