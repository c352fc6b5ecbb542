"""Pull and merge requests: what was made, and how each stands, from gh, glab, gt and the tools of servers."""

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

from msgspec import convert, structs

from steno.scribe.work.shell import Went, sections, steps
from steno.vocabulary import Request

State = Literal["open", "draft", "merged", "closed"]

_REQUESTS: Final = 30
_READ: Final = 40_000
LINK: Final = re.compile(
    r"https?://[^\s\"'<>()]{1,200}/(?:pull|merge_requests|github/pr/[\w./-]{1,150})/(?P<number>\d{1,9})\b"
)
_SUBMITTED: Final = re.compile(
    r"^\S{1,200}: (?=https?://)(\S{1,200}) \((created|updated)\)", re.MULTILINE | re.IGNORECASE
)
# A request becomes a commit of the branch it went into.
_LANDED: Final = re.compile(r"(?:Merge pull request |\()#(\d{1,9})(?: from |\)$)", re.MULTILINE)
_NUMBER: Final = re.compile(r"(?:[#!]|^|/)(\d{1,9})\b")
_WRONG: Final = re.compile(
    r"^(?:X |! |GraphQL: |failed |error|could not |HTTP 4|no pull requests)|not mergeable|automatically merged",
    re.M | re.I,
)
# What a command is given, or a tool: `--base main`, `base: main`.
_BASE: Final = re.compile(r"(?:--base|-B|--target-branch|-b|\bbase(?:_branch)?:)[= ](\S{1,100})")
_DRAFT: Final = re.compile(r" --draft\b| draft: true|^(?: [^-]\S{0,40}| -\w)* -d\b", re.IGNORECASE)
_NAMED: Final = re.compile(r"\s(?:[#!]|(?=\S{1,200}/)\S{1,200}/)?(\d{1,9})\b")
_OF_TOOL: Final = re.compile(r"(?:number|iid): (\d{1,9})\b", re.IGNORECASE)
_SETS: Final = re.compile(r" state: (open|closed)\b")
# One field, as an object or as a line has it.
_FIELD: Final = re.compile(
    r"\"?\b(number|iid|state|isDraft|draft|merged|url|html_url|web_url)\"?:\s{0,8}\"?(open(?:ed)?|draft|closed|merged|true|false"
    r"|\d{1,9}|https?://[^\s\"]{1,300})\b", re.I
)  # fmt: skip
# In a list of several: a row of its own, or an object.
_ROW: Final = re.compile(r"^#?(\d{1,9})\t[^\n]{1,400}\t(OPEN|DRAFT|MERGED|CLOSED)\b", re.MULTILINE)
# One word, where that was all somebody asked for.
_WORD: Final = re.compile(r"\b(?:OPEN|CLOSED|MERGED)\b")
_ALONE: Final = 80
_OBJECT: Final = re.compile(r"\{[^{}]{1,2000}\}")
_TOOL: Final = re.compile(
    r"(?:^|_)(create|open|merge|update|edit|close|get|fetch|read|view)_(?:\w+_)?(?:pull_?request|merge_?request|pr)"
    r"(?:_read)?$|pull_request_read$"
)
_VERBS: Final[Mapping[str, State]] = {"merge": "merged", "close": "closed", "reopen": "open", "ready": "open"}
_CALLS: Final = {"create": "create", "open": "create", "merge": "merge", "close": "close"}


def is_about_request(tool: str) -> bool:
    """Whether a tool of a server makes, changes or reads requests."""
    return "__" in tool and _TOOL.search(tool.lower().replace("-", "_")) is not None


class Requests:
    """The requests a session had to do with; the one heard of last is last."""

    def __init__(self, known: list[Request]) -> None:
        self._known = list(known)

    def listed(self) -> list[Request]:
        return list(self._known)

    def ran(self, command: str, outcome: Went, text: str, turn: int) -> bool:
        """A command has ended; whether it merged the request of the branch at hand."""
        merged, well = False, not outcome.failed
        for those, lines in sections(steps(command), text[:_READ]):
            printed = "\n".join(lines)
            for step in those:
                match step.program, *step.words[1:3]:
                    case ("gh", "pr", verb) | ("glab", "mr", verb):
                        given = " ".join(["", *step.words[3:]])
                        named = _NAMED.search(given)
                        self._did(verb, given, named, printed, turn, well=well)
                        merged = merged or (verb == "merge" and well and named is None)
                    case ("gh", "api", path) if named := re.match(r"\S{1,200}/pulls/(\d{1,9})$", path):
                        self._did("view", "", named, printed, turn, well=well)
                    case ("gt", *_):
                        draft = "created in draft mode" in printed
                        for url, what in _SUBMITTED.findall(printed):
                            if what == "created" and (link := LINK.match(url)):
                                self._put(int(link[1]), "draft" if draft else "open", turn, url)
                    case ("git", *_) if step.verb in ("log", "pull", "show"):
                        for number in map(int, _LANDED.findall(printed)):
                            if (known := self._of(number)) and known.state != "merged":
                                self._put(number, "merged", turn)
        return merged

    def called(self, tool: str, given: Mapping[str, Any], outcome: Went, text: str, turn: int) -> None:
        """A tool of a server gave an answer."""
        if found := _TOOL.search(tool.lower().replace("-", "_")):
            told = "".join(f" {name}: {value}" for name, value in given.items())
            sets = _SETS.search(told) if found[1] in ("update", "edit") else None
            verb = _CALLS.get(found[1], "view") if sets is None else "close" if sets[1] == "closed" else "reopen"
            well = not outcome.failed and (verb != "merge" or "false" not in text)
            self._did(verb, told, _OF_TOOL.search(told), text, turn, well=well)

    def _did(self, verb: str, given: str, named: re.Match[str] | None, text: str, turn: int, *, well: bool) -> None:
        link, well = LINK.search(text), well and not _WRONG.search(text)
        if verb == "create" and link:
            base = _BASE.search(given)
            self._put(int(link[1]), "draft" if _DRAFT.search(given) else "open", turn, link[0], base[1] if base else "")
        elif verb in _VERBS and (well or "✓" in text) and "--auto" not in given and "automatically" not in text:
            named = named or _NUMBER.search(text)
            self._put(int(named[1]) if named else None, "draft" if "--undo" in given else _VERBS[verb], turn)
        elif verb in ("view", "list") and well:
            # A list holds what is open, if nothing else was asked for.
            alone = " ".join(_WORD.findall(text[:_ALONE])).lower() if verb == "view" or "--state" in given else "open"
            several = [f"number: {number} state: {state}" for number, state in _ROW.findall(text[:_READ])]
            if len(set(re.findall(r'"number": ?(\d{1,9})\b', text[:_READ]))) > 1:
                several = _OBJECT.findall(text[:_READ])
            for one in several or [text[:_READ]]:
                self._told(one, turn, named, alone, new=not several)

    def _told(self, text: str, turn: int, named: re.Match[str] | None, alone: str, *, new: bool) -> None:
        """Somebody looked: as an object, as lines of fields, or as a word alone. `new`: nobody need know it."""
        fields = [(name.lower(), value.lower()) for name, value in _FIELD.findall(text)]
        states = {value for name, value in fields if name == "state" and value[:1] in "ocmd"} or {alone}
        told = dict(reversed(fields))
        number = told.get("number") or told.get("iid") or str(named and named[1])
        state = "merged" if told.get("merged") == "true" else min(states).replace("opened", "open")
        if "true" in (told.get("isdraft"), told.get("draft")) and state == "open":
            state = "draft"
        if not number.isdigit() or len(states) > 1 or state not in get_args(State):
            return
        before = self._of(int(number))
        # One that was over when it was first seen, or that is looked at beside an own one, is not of this work.
        worked_on = new and state in ("open", "draft") and not any(one.own for one in self._known)
        if worked_on or (before and (new or before.state != state)):
            url = next((link[0] for link in LINK.finditer(text) if link[1] == number), "")
            self._put(int(number), convert(state, State), turn, url, own=False)

    def _of(self, number: int | None) -> Request | None:
        """The last one with a number; the last of all without."""
        return next((one for one in reversed(self._known) if number in (None, one.number)), None)

    def _put(
        self, number: int | None, state: State, turn: int, url: str = "", base: str = "", *, own: bool = True
    ) -> None:
        """One stands so."""
        known = self._of(number)
        if known or number is not None:
            new = known or Request(url=url, number=number, turn=turn)
            new = structs.replace(
                new, url=url or new.url, state=state, base=base or new.base, own=own or new.own, turn=turn
            )
            self._known = [*(one for one in self._known if one is not known), new][-_REQUESTS:]
