"""What tests and users of the library need: a house in a folder, and transcripts built line by line."""

import json
import random
import re
import string
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from steno.clock import Clock
from steno.memory import Memory
from steno.vocabulary import Category, Entry, Evidence, JournalTurn, Turn
from steno.vocabulary.acts import Who
from steno.vocabulary.details import DETAILS, AnyDetail


class SteppingClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: str = "2026-01-01T12:00:00.000Z") -> None:
        self.now = now

    def __call__(self) -> str:
        return self.now


@contextmanager
def house(folder: Path, *, clock: Clock | None = None, **settings: str) -> Iterator[Memory]:
    """A memory of its own under a folder; settings as the environment would give them (`busy_seconds="1"`)."""
    settings = {"embedding": "off", **settings}
    environment = {"HOME": str(folder / "home"), **{f"STENO_{name.upper()}": text for name, text in settings.items()}}
    person = Who(by="person", evidence="a terminal", door="library")
    memory = Memory(folder / "steno", environment=environment, clock=clock or SteppingClock(), who=person)
    try:
        yield memory
    finally:
        memory.close()


def write_jsonl(path: Path, *objects: Any) -> Path:
    """A transcript of these objects, one per line. Text and bytes are written as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        for item in objects:
            raw = (
                item
                if isinstance(item, bytes)
                else item.encode()
                if isinstance(item, str)
                else json.dumps(item).encode()
            )
            file.write(raw + b"\n")
    return path


def said(text: str, *, session: str = "s1", role: str = "user", **fields: Any) -> dict[str, Any]:
    """A line of the generic format."""
    return {"session": session, "role": role, "text": text, **fields}


def all_turns(memory: Memory) -> list[JournalTurn]:
    """Every turn of every session, in order of arrival."""
    names = [f"{item.session.source}:{item.session.session}" for item in memory.sessions()]
    found = [turn for name in names for turn in memory.turns(name)]
    return sorted(found, key=lambda turn: turn.id)


def texts(memory: Memory) -> list[str]:
    """The words of every turn, in order of arrival."""
    return [found.turn.text for found in all_turns(memory)]


def turns_of(memory: Memory, session: str) -> list[Turn]:
    """The turns of one session, without their numbers."""
    return [found.turn for found in memory.turns(session)]


_LETTERS = string.ascii_letters + string.digits
_ALPHABETS = {
    "base62": _LETTERS,
    "url": _LETTERS + "_-",
    "b64": _LETTERS + "+/",
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "upper": string.ascii_uppercase + string.digits,
    "lower": string.ascii_lowercase + string.digits,
    "base32": string.ascii_uppercase + "234567",
    "digits": string.digits,
}
_PLACE = re.compile(r"\{(\w+):(\d+)\}")


def made_up(template: str) -> tuple[str, list[str]]:
    """A template with its random parts filled in, as in `key-{hex:32}`, and those parts; the same in every run.

    So that no text in a repository looks like a live token. Doubled braces are braces.
    """
    chooser = random.Random(template)  # noqa: S311 - made up, not secret
    parts: list[str] = []

    def fill(place: re.Match[str]) -> str:
        parts.append(_random(chooser, _ALPHABETS[place[1]], int(place[2])))
        return parts[-1]

    text = _PLACE.sub(fill, template.replace("{uuid}", "{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"))
    return text.replace("{{", "{").replace("}}", "}"), parts


def _random(chooser: random.Random, alphabet: str, length: int) -> str:
    """Random text that begins with a letter and ends in a digit, where its alphabet has both."""
    middle = [chooser.choice(alphabet) for _ in range(length)]
    for place, wanted in ((0, str.isalpha), (-1, str.isdigit)):
        if length > 4 and any(map(wanted, alphabet)):
            middle[place] = next(filter(wanted, iter(lambda: chooser.choice(alphabet), "")))
    return "".join(middle)


def an_entry(category: Category, words: str, detail: AnyDetail | None = None, **fields: Any) -> Entry:
    """Something a person said, as an entry; the fields of an entry say what is different."""
    evidence = [Evidence(session="s1", turn=1, line=1, role="user", quote=words)]
    usual: dict[str, Any] = {
        "id": "e1", "status": "active", "certainty": "confirmed", "confidence": 0.9, "summary": words,
        "detail": detail if detail is not None else DETAILS[category](), "origin": "user", "tags": ["human"],
        "domain": "GENERAL", "subject": [], "session": "s1", "project": None, "agent": None, "created_at": None,
        "superseded_by": None, "repeated": 0, "cue": "", "evidence": evidence,
    }  # fmt: skip
    return Entry(category=category, **{**usual, **fields})
