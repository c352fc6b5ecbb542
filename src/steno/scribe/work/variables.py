"""Variables: the names the work needs, by kind."""

import re
from typing import Final

from msgspec import Struct, field

from steno.scribe.work.shell import without_cd
from steno.scribe.work.trail import Act
from steno.vocabulary import JournalTurn

# Shown per kind, and remembered per kind so that a name can still grow.
SHOWN: Final = 12
SHOWN_PATHS: Final = 16
_KNOWN: Final = 48
_LENGTH: Final = 300
_READ: Final = 4000
_PER_TURN: Final = 24

_PATTERNS: Final = {
    "url": re.compile(r"https?://[^\s<>\"'`)\]}|]{4,300}"),
    "pr": re.compile(r"\b(?:PRs?|pull requests?|gh pr \w+|pull/)[ #]{0,2}(\d{1,6})\b", re.IGNORECASE),
    "issue": re.compile(
        r"(?<![\w#&/])(?<![Tt]ask )(?<![Ii]mage )#(\d{1,6})\b|"
        r"\bissues?[ /#]{1,2}(\d{1,6})\b|\b([A-Z]{2,10}-\d{1,6})\b"),
    "branch": re.compile(r"\bbranch(?:es)?:? [`'\"*]{1,3}([\w.-]+(?:/[\w.-]+)*)[`'\"*]"),
    "path": re.compile(
        r"(?<![\w:/.~@+-])(?:@?(?:~|\.{1,2})?/?(?:[\w.@+-]+/)+[\w.@+-]*\w/?|~/[\w.-]+/?|[\w-]{2,60}\.(?:go|ts|tsx|js|py|rs|md|"
        r"json|toml|ya?ml|sh|java|rb|css|html|sql|c|h|cpp|swift|kt))(?![\w/])"
    ),
    "id": re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    "name": re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){1,6}\b|\bTest[A-Z]\w{6,80}\b"),
    "command": re.compile(
        r"`((?:npm|npx|pnpm|yarn|bun|go|cargo|make|mise|just|uv|python3?|pytest|gh|docker|entire|claude|codex|node)"
        r" [^`\n]{2,160})`|^[ \t]*(?:\S+ )?"
        r"(?:[$❯➜][^\n]{0,60}? )?((?:npx|npm run|pnpm|mise run|make|cargo|uv run|pytest)"
        r" (?!(?:the|a|an|it|sure|this|that|these|those|them|my|your|our|its|me|us|every|each) )[^`\n#]{2,160})$",
        re.MULTILINE,
    ),
}  # fmt: skip
# Which branch is at hand by git's own lines, and one that was pushed, fetched or merged.
_AT_HAND: Final = re.compile(
    r"Switched to (?:a new )?branch '([^'\s]{1,200})'|^On branch (\S{1,200})$|"
    r"^\[([\w][\w./-]{0,199})(?: \([a-z-]+\))? [0-9a-f]{7,40}\]",
    re.MULTILINE,
)
_GIT_BRANCH: Final = re.compile(r"-> ([\w][\w./-]{0,199})$", re.MULTILINE)
_GIT_COMMIT: Final = re.compile(
    r"^\[[^\s\]]{1,200}(?: \([a-z-]+\))? ([0-9a-f]{7,40})\]|\b[0-9a-f]{7,40}\.\.([0-9a-f]{7,40}) ", re.M
)
# A run of somebody's pipeline, as a command or a link names it.
_RUN: Final = re.compile(r"\bgh run \w+ (\d{6,})\b|/actions/runs/(\d{6,})")
# Shaped like an issue's key, and none.
_NO_KEY: Final = ("UTF-", "ISO-", "SHA-", "RFC-", "HTTP-", "GPT-", "AES-")


class Variables(Struct):
    """The names found so far."""

    # Per kind: value → weight, and turn of the last mention.
    found: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    # The branch git was on last.
    branch: str = ""

    def values(self, about: dict[str, str]) -> dict[str, list[str]]:
        """By kind, the latest last: half of them those that weigh most, half the latest others.

        What the host recorded of the session itself stands first; the branch git was on last, last.
        """
        shown = {kind: _chosen(kind, values) for kind, values in self.found.items() if values}
        for kind, value in about.items():
            shown[kind] = [value, *(other for other in shown.get(kind, []) if other != value)]
        if self.branch:
            shown["branch"] = [*(other for other in shown.get("branch", []) if other != self.branch), self.branch]
        return dict(sorted(shown.items()))

    def said(self, turn: JournalTurn) -> None:
        """Somebody wrote: a person or the agent."""
        text = turn.turn.text
        text = text if len(text) <= _READ * 2 else f"{text[:_READ]}\n{text[-_READ:]}"
        for kind, pattern in _PATTERNS.items():
            for found in _matches(pattern, text):
                self._mention(kind, found, 1, turn.id)

    def did(self, act: Act) -> None:
        """A tool did something."""
        match act.kind:
            case "read":
                self._mention("path", act.name, 1, act.turn)
            case "edited" | "created":
                self._mention("path", act.name, 4 if act.kind == "created" else 3, act.turn)
            case "command":
                self._command(act)

    def _command(self, act: Act) -> None:
        command, directory = without_cd(act.name)
        if directory and directory.startswith("/"):
            self._mention("directory", directory, 1, act.turn)
        if act.purpose in ("test", "check"):
            self._mention("command", command.splitlines()[0].split(" 2>&1")[0].split(" | ")[0], 2, act.turn)
        if "git " in command or "gh " in command:
            self._git(act, command[:2000])

    def _git(self, act: Act, command: str) -> None:
        """Names git and its hosts gave: from their own lines only, not from whatever a command printed."""
        for found in _matches(_PATTERNS["pr"], command):
            self._mention("pr", found, 1, act.turn)
        for found in _matches(_RUN, f"{command}\n{act.text}" if "gh " in command else ""):
            self._mention("run", found, 1, act.turn)
        if act.failed and "git commit" not in command:
            return
        at_hand = _matches(_AT_HAND, act.text)
        self.branch = at_hand[-1] if at_hand else self.branch
        for found in (*_matches(_GIT_BRANCH, act.text), *at_hand):
            self._mention("branch", found, 2, act.turn)
        for found in _matches(_GIT_COMMIT, act.text):
            self._mention("commit", found, 3, act.turn)

    def _mention(self, kind: str, value: str, weight: int, turn: int) -> None:
        value = _tidy(kind, value)
        if not value or len(value) > _LENGTH:
            return
        kind, value = self._placed(kind, value)
        if not kind:
            return
        values = self.found.setdefault(kind, {})
        known, _ = values.pop(value, (0, turn))
        values[value] = (known + weight, turn)
        if len(values) > _KNOWN:
            # Never the newest: it could not grow.
            least = min(list(values)[:-1], key=lambda name: (values[name][0], values[name][1]))
            del values[least]

    def _placed(self, kind: str, value: str) -> tuple[str, str]:
        """Where a value belongs, seen what is known: a number known as a PR's."""
        if kind == "pr":
            self.found.get("issue", {}).pop(value, None)
        elif kind == "issue" and value in self.found.get("pr", {}):
            return "pr", value
        part_of_id = kind == "commit" and any(name.startswith(value) for name in self.found.get("id", {}))
        known = part_of_id or (kind == "path" and value in self.found.get("branch", {}))
        return "" if known else kind, value


def _tidy(kind: str, value: str) -> str:
    match kind:
        case "pr":
            return f"#{value}"
        case "issue":
            return f"#{value}" if value.isdigit() else "" if value.startswith(_NO_KEY) else value
        case "url":
            return value.rstrip(".,;:!?*_")
        case "path":
            value = value.lstrip("@")
            number = value.replace("/", "").isdigit()
            return "" if number or value.startswith("//") or value in ("Node.js", "Next.js") else value
        case "commit":
            return value[:12] if not value.isdigit() and not value.isalpha() else ""
        case "branch":
            return "" if value in ("FETCH_HEAD", "HEAD", "the", "is", "and") else value.removeprefix("origin/")
        case _:
            return value.strip()


def _matches(pattern: re.Pattern[str], text: str) -> list[str]:
    """What a pattern finds, each once: its first group that holds something, else the whole."""
    found: dict[str, None] = {}
    for match in pattern.finditer(text):
        found[next((group for group in match.groups() if group), match[0])] = None
        if len(found) >= _PER_TURN:
            break
    return list(found)


def _chosen(kind: str, values: dict[str, tuple[int, int]]) -> list[str]:
    count = SHOWN_PATHS if kind == "path" else SHOWN
    heavy = sorted(values, key=lambda name: (-values[name][0], -values[name][1], name))[: count // 2]
    latest = [name for name in reversed(values) if name not in heavy][: count - len(heavy)]
    shown = {*heavy, *latest}
    return [name for name in values if name in shown]
