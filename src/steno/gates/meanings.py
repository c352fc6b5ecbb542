"""What a command line does, in words."""

import re
from typing import Final

_MANAGER: Final = r"\b(?:pip3?|uv|npm|pnpm|yarn|bun|cargo|poetry|brew|apt(?:-get)?|gem|composer|conda|go)\s+(?:pip\s+)?"
# What a part of a command line does, in words.
_COMMANDS: Final = tuple(
    (re.compile(shape), meaning)
    for shape, meaning in (
        (r"\bgit\s+push\b[^|;&\n]*(?:\s--force(?:-with-lease)?\b|\s-f\b|\s\+\w)", "force push"),
        (r"\bforce[- ]?push(?:es|ed|ing)?\b", "force push"),
        (r"--no-verify\b", "skip hooks verification"),
        (r"\bgit\s+commit\b[^|;&\n]*--amend\b", "amend commit"),
        (r"\bgit\s+reset\s+--hard\b|\bgit\s+checkout\s+--?\s|\bgit\s+clean\b", "discard changes"),
        (_MANAGER + r"(?:install|add|i|get)\b", "add dependency"),
        (_MANAGER + r"(?:uninstall|remove|rm)\b", "remove dependency"),
        (r"\b(?:terraform|tofu|pulumi)\s+(?:apply|up)\b", "apply infrastructure deploy"),
        (r"\b(?:npm|pnpm|yarn|cargo|poetry|uv|twine|gem)\s+(?:publish|upload|push)\b", "publish package"),
        (r"\bgh\s+pr\s+create\b", "open pull request"),
        (r"\bgh\s+pr\s+merge\b", "merge pull request"),
        (r"\bpull requests?\b|\bmerge requests?\b", "pr"),
        (r"\bverify ?= ?false\b|--insecure\b|\bcurl\b[^|;&\n]* -k\b", "disable certificate verification"),
        (r"tls_reject_unauthorized|stricthostkeychecking=no", "disable certificate verification"),
    )
)


def with_meanings(clauses: list[str]) -> list[str]:
    """Clauses, and what the commands in them do."""
    lower = ((clause, clause.lower()) for clause in clauses)
    return [part for clause, low in lower for part in (clause, *_told(low))]


def _told(low: str) -> list[str]:
    return [meaning for shape, meaning in _COMMANDS if shape.search(low)]
