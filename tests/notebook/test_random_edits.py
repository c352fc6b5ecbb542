"""Any sequence of edits, with the store changing meanwhile: nothing is lost, and all agree at the end."""

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from steno.testing import SteppingClock, house
from steno.vocabulary.notebooks import Synced

from .conftest import PROJECT, Desk

EXAMPLES = int(os.environ.get("STENO_EDITS", "60"))
PAGES = ("topics/projects/shop.md", "topics/people/team.md", "decisions.md", "observations.md")
HEADINGS = ("What holds", "To do", "Learnt", "My own heading", "What was decided", "Found out")
NOUNS = (
    "anchor basket candle drawer engine feather garden hammer island jacket kettle ladder magnet needle orchard "
    "pepper quiver ribbon saddle teapot umbrella violin walnut yarn zipper almond bucket copper dragon ember"
).split()
ACTS = (
    "change", "delete", "add", "prose", "tick", "move", "copy", "strip", "wrap", "windows", "swap", "unlink", "half",
    "told", "revised", "laid aside", "sync", "bom", "stranger",
)  # fmt: skip
edits = st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 50), st.integers(0, 50)), max_size=14)


class Editor:
    """Does what people and other processes do, and knows what must not be lost."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.made: list[str] = []
        # What was told, or was saved when somebody looked.
        self.kept: set[str] = set()

    def words(self) -> str:
        """Words nobody used before."""
        number = len(self.made) + 1
        one, other = NOUNS[number % len(NOUNS)], NOUNS[number * 7 % len(NOUNS)]
        self.made.append(f"{one}{number} beside {other}")
        return self.made[-1]

    def sync(self, *, deleted: bool = False) -> Synced:
        """Have it taken in; whatever was saved by then must not be lost. What waits may still be changed by whoever
        wrote it."""
        pages = {str(path.relative_to(self.desk.root)): path.read_text() for path in self.desk.root.rglob("*.md")}
        synced = self.desk.memory.notebook.sync(deleted=deleted)
        waiting = {held.page for held in synced.held}
        texts = " ".join(" ".join(text for page, text in pages.items() if page not in waiting).split())
        self.kept |= {words for words in self.made if f" {words} " in texts}
        return synced

    def do(self, act: str, one: int, other: int) -> None:
        """One act."""
        desk, name = self.desk, PAGES[other % len(PAGES)]
        match act:
            case "sync":
                self.sync()
            case "told":
                words = self.words()
                desk.told(words, ("fact", "task", "decision", "discovery", "learning")[one % 5])
                self.kept.add(words)
            case "revised" | "laid aside":
                self._in_the_store(act, one)
            case "add" | "prose":
                self._add(act, name, HEADINGS[one % len(HEADINGS)])
            case _ if (desk.shop / name).exists():
                self._edit(act, name, one)

    def _in_the_store(self, act: str, one: int) -> None:
        found = self.desk.memory.entries(status="active")
        if found and act == "revised":
            words = self.words()
            self.desk.memory.revise(found[one % len(found)].id, summary=words)
            self.kept.add(words)
        elif found:
            self.desk.memory.archive(found[one % len(found)].id)

    def _add(self, act: str, name: str, heading: str) -> None:
        path, words = self.desk.shop / name, self.words()
        text = path.read_bytes().decode() if path.exists() else ""
        line = f"{words} and more of it\n" if act == "prose" else f"- {words}\n"
        mark = f"## {heading}\n\n"
        text = text.replace(mark, f"{mark}{line}\n", 1) if mark in text else f"{text}\n\n{mark}{line}"
        self.desk.save(text, name)

    def _edit(self, act: str, name: str, one: int) -> None:
        desk = self.desk
        text = desk.read(name)
        lines = text.split("\n")
        items = [place for place, line in enumerate(lines) if line.startswith("- ")]
        if act == "windows":
            desk.save(text.replace("\r\n", "\n").replace("\n", "\r\n"), name)
        elif act == "bom":
            desk.save("\ufeff" + text.removeprefix("\ufeff"), name)
        elif act == "unlink":
            self.sync()
            (desk.shop / name).unlink()
        elif act == "half":
            desk.save(text[: len(text) * one // 50], name)
            self.sync()
            desk.save(text, name)
        elif items:
            place = items[one % len(items)]
            lines[place : place + 1] = self._line(act, lines[place], one)
            if act == "swap":
                lines[items[0]], lines[items[-1]] = lines[items[-1]], lines[items[0]]
            desk.save("\n".join(lines), name)

    def _line(self, act: str, line: str, one: int) -> list[str]:
        words, mark = line.partition(" <!--")[0], line.partition(" <!--")[2]
        ending = f" <!--{mark}" if mark else ""
        new = self.words()
        match act:
            case "change" | "copy" | "strip" | "stranger":
                changed = f"- {new}{ending}"
                if act == "copy":
                    return [line, changed]
                if act == "strip":
                    return [words]
                return [line, f"- {new} <!-- 0123456789ab -->"] if act == "stranger" else [changed]
            case "delete":
                return []
            case "tick":
                return [line.replace("- [ ] ", "- [x] ") if "[ ]" in line else line.replace("- [x] ", "- [ ] ")]
            case "wrap":
                head, _, tail = line.partition(" beside ")
                return [f"{head}", f"  beside {tail}"] if tail else [line]
            case "move":
                target = PAGES[one % len(PAGES)]
                path = self.desk.shop / target
                text = path.read_bytes().decode() if path.exists() else "# New\n"
                self.desk.save(f"{text.rstrip()}\n\n## My own heading\n\n{line}\n", target)
                return []
        return [line]


@settings(max_examples=EXAMPLES, derandomize=EXAMPLES < 100, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits)
@example([("delete", 0, 0), ("prose", 0, 0), ("unlink", 0, 0)])
@example([("delete", 0, 0), ("add", 0, 0), ("add", 0, 0), ("sync", 0, 0), ("change", 0, 0)])
@example([("told", 0, 0), ("sync", 0, 0), ("copy", 0, 0), ("change", 0, 0), ("revised", 0, 0), ("sync", 0, 0)])
@example([("told", 0, 0), ("told", 0, 0), ("sync", 0, 0), ("move", 1, 0), ("strip", 0, 0), ("half", 30, 0)])
def test_nothing_is_lost_and_all_agree_at_the_end(acts: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), clock=SteppingClock()) as memory:
        desk = Desk(memory, SteppingClock())
        desk.told("there is a shop", "fact")
        desk.sync()
        editor = Editor(desk)
        for act in acts:
            editor.do(*act)
        editor.sync(deleted=True)
        again = editor.sync(deleted=True)
        assert (again.edits, again.conflicts, again.written, again.held) == ([], [], [], [])
        told = "\n".join(value for _, _, _, value in memory.home.store.entries.records())
        texts, beside = desk.texts(), desk.texts("*.md*")
        assert {words for words in editor.kept if words not in told and words not in beside} == set()
        holds = [entry for entry in memory.entries() if entry.status in ("active", "done") and entry.origin == "edit"]
        assert {entry.id for entry in holds if texts.count(f"<!-- {entry.id} -->") != 1} == set()
        there = {entry.id for entry in memory.entries(project=PROJECT)}
        ids = {
            line.rpartition("<!-- ")[2][:12] for line in texts.splitlines() if line.endswith("-->") and "](" not in line
        }
        assert ids <= there
