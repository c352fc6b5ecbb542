"""Actions that nobody refused by refusing what they are about: looking at it, and putting things back."""

import re
from typing import Final

from steno.language.lexicon import lexicon
from steno.language.same_word import MOST
from steno.language.shell import Part, plain

_SHOWN: Final = 200
# Programs that change nothing, at the beginning of each part of a command line.
_READS: Final = re.compile(
    r"\s*(?:sudo )?(?:cd [^&;|]+$|grep|rg|ag|ls|cat|head|tail|less|wc|sort|uniq|jq|awk|sed -n|tree|file|stat|du|df"
    r"|which|echo|env$|ps|top|diff|find(?!.*-(?:delete|exec))|curl -s?I"
    r"|git (?:log|diff|status|show|blame|grep|branch(?: -[avr]+)*\s*$|rev-parse|reflog|ls-files|remote -v|fetch"
    r"|(?:stash|worktree|tag) (?:list|show|-l))"
    r"|gh \w+ (?:list|view|status|checks|diff)|docker (?:ps|images|logs|inspect|stats|system df|volume ls)"
    r"|kubectl (?:get|describe|logs)|terraform (?:plan|show|validate|fmt)|pip (?:list|show|freeze$)"
    r"|npm (?:ls|list|view|outdated|audit(?! fix))"
    r"|psql (?!.*\b(?:delete|update|insert|drop|alter|truncate|create|grant|copy)\b).*\bselect\b)(?!\w)",
    re.IGNORECASE,
)
_WRITES: Final = re.compile(
    r"\b(?:rm|mv|cp|push|commit|install|add|apply|deploy|delete|drop|update|insert|publish|prune|reset|clean|kill"
    r"|restart|create|write|fix)\b| -i\b"
)
_INTO_A_FILE: Final = re.compile(r">(?!&|\s*/dev/null)")
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_SEQUENCE: Final = re.compile(r"&&|\|\|?|;|\n")
# Programs beside those that leave the files as they are that they are given.
_LEAVES: Final = frozenset(
    "cd pushd popd for export test [ [[ true pwd readlink realpath dirname basename more bat md5sum sha1sum sha256sum "
    "lsof shasum cksum xxd hexdump od strings cmp comm cut tr nl tac column pgrep alias open xdg-open code".split()
)
_ROWS: Final = re.compile(r"^[ \t]*(?:select|with|explain|pragma|\.)", re.IGNORECASE | re.MULTILINE)
_CHANGES_ROWS: Final = re.compile(
    r"\b(?:insert|update|delete|drop|alter|create|replace into|vacuum|attach|reindex|pragma \w+ *=)\b"
    r"|^[ \t]*\.(?:restore|import|load|read|shell|system)\b",
    re.IGNORECASE | re.MULTILINE,
)
_AWK_WRITES: Final = re.compile(r"[>|]\s*\"|\bsystem\(")
_OUTPUT: Final = re.compile(r"-[oO]|--output")
_FINDS_AND_WRITES: Final = re.compile(r" -(?:delete|fprint\w*|fls|ok\w*)\b")
# A command inside another one, or beside it.
_NESTED: Final = re.compile(r"\$\(|`|[<>]\(|(?<![&>\d])&(?![&>\d])")
_LOOKING_TOOLS: Final = frozenset("read grep glob ls view search websearch webfetch notebookread todowrite".split())


def only_looks(text: str, tool: str | None, command: str) -> bool:
    """Whether an action reads and changes nothing."""
    if tool is not None and tool.lower() in _LOOKING_TOOLS:
        return True
    says_so = lexicon("looking").opens(text[:_SHOWN]) is not None
    if not command:
        return says_so
    single = re.sub(r"'[^']*'", "''", command[:MOST])
    if _INTO_A_FILE.search(_QUOTED.sub("''", command[:MOST])) or _NESTED.search(single):
        return False
    if _AWK_WRITES.search(command[:MOST]) or _FINDS_AND_WRITES.search(command[:MOST]):
        return False
    parts = _SEQUENCE.split(_QUOTED.sub(lambda quoted: _SEQUENCE.sub(" ", quoted[0]), command[:MOST]))
    reads = all(_READS.match(part) for part in parts if part.strip())
    return reads or (says_so and not _WRITES.search(command[:MOST]))


def leaves_files(part: Part) -> bool:
    """Whether a program changes none of the files it is given. Where its output goes is not looked at."""
    match part.text.partition(" ")[0]:
        case "sqlite3":
            said = "\n".join([*map(plain, part.words[1:]), part.fed])
            read_only = "-readonly" in part.words or "mode=ro" in said
            return read_only or (bool(_ROWS.search(said)) and not _CHANGES_ROWS.search(said))
        case "sed":
            return not any(re.match(r"-[nrEsuz]*i|--in-place", word) for word in part.words)
        case "awk":
            return not _AWK_WRITES.search(part.whole)
        case "sort" | "curl" | "tree" | "less" | "diff" | "git" if any(map(_OUTPUT.match, part.words)):
            return False
        case "find":
            run = part.text.partition(" -exec")[2].partition(" ")[2]
            return not _FINDS_AND_WRITES.search(part.text) and (not run or only_looks("", None, run))
        case name:
            return name in _LEAVES or only_looks("", None, part.text)


def puts_back(text: str) -> bool:
    """Whether an action brings back what was there before, or leaves it as it is."""
    return lexicon("restoring").opens(text[:_SHOWN]) is not None or lexicon("back").search(text[:_SHOWN]) is not None
