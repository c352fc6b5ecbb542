"""Memory files of other programs, and the history of repositories, as turns."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import house, texts
from steno.vocabulary import Turn

from ..conftest import House

CHANGED = 1_772_442_000  # 2026-03-02T09:00:00Z


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (CHANGED, CHANGED))
    return path


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project whose agents keep notes."""
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with house(tmp_path) as memory:
        yield memory


def taken(memory: Memory, path: Path) -> list[tuple[str, int | None, str | None]]:
    """The text, line and day of everything that was taken in."""
    memory.capture(path, source="notes")
    names = [f"{one.session.source}:{one.session.session}" for one in memory.sessions()]
    found = sorted((turn for name in names for turn in memory.turns(name)), key=lambda turn: turn.id)
    return [(one.turn.text, one.turn.line, one.turn.at and one.turn.at[:10]) for one in found]


def offered(memory: Memory, path: Path) -> list[str]:
    return [os.path.relpath(one, path) for one in memory.capture(path, source="notes", dry_run=True).files]


def test_a_section_of_a_memory_file_is_a_turn_exactly_as_it_stands_there(memory: Memory, shop: Path) -> None:
    put(shop / "CLAUDE.md", "# Shop\n\n## Build\n\nRun `make`.\n\n```sh\n# no heading\n```\n\n## Ports\n- 8080: web\n")
    assert taken(memory, shop) == [
        ("# Shop\n\n## Build\n\nRun `make`.\n\n```sh\n# no heading\n```", 1, "2026-03-02"),
        ("## Ports\n- 8080: web", 11, "2026-03-02"),
    ]
    (found,) = memory.sessions()
    assert found.session.session.startswith("CLAUDE.md@")
    assert (found.session.project, found.session.directory) == (str(shop), str(shop))


def test_its_words_are_a_files(memory: Memory, shop: Path) -> None:
    put(shop / "MEMORY.md", "The staging server is called heron.\n")
    memory.capture(shop, source="notes")
    (hit,) = memory.recall("what is the staging server called?", project=str(shop))
    assert (hit.origin, hit.source, hit.line, hit.quote) == ("file", "notes", 1, "The staging server is called heron.")


def test_it_is_found_by_meaning_too_and_stands_by_itself(quick_house: House, shop: Path) -> None:
    put(shop / "MEMORY.md", "# Yard\nThe automobile is behind the shop.\n# Team\nThe physician comes on call.\n")
    with quick_house() as memory:
        memory.capture(shop, source="notes")
        memory.embed()
        hit = memory.recall("car", k=1)[0]
    assert (hit.quote, hit.origin, hit.context) == ("# Yard\nThe automobile is behind the shop.", "file", ())


def test_known_names_and_places_are_taken_and_nothing_else(memory: Memory, shop: Path) -> None:
    wanted = [
        ".cursor/rules/style.mdc", ".cursorrules", "AGENTS.md", "CLAUDE.md", "IDENTITY.md", "MEMORY.md", "TOOLS.md",
        "USER.md", "deep/down/AGENTS.md", "memory/2026-03-01.md", "memory/people/kim.md", "vault/coffee.md", "mem.json",
    ]  # fmt: skip
    for name in [*wanted, "README.md", "docs/how-to.md", "package.json", "node_modules/x/CLAUDE.md", ".git/CLAUDE.md"]:
        put(shop / name, f"This is {name}.\n")
    put(shop / "vault/coffee.md", "---\ntitle: Coffee\ntype: note\npermalink: coffee\n---\n- [method] pour slowly\n")
    put(
        shop / "mem.json",
        json.dumps({"exportedAt": "2026-03-01", "totalObservations": 1, "observations": [{"title": "Tea"}]}),
    )
    (shop / ".git/CLAUDE.md").unlink()
    (shop / ".git").rmdir()
    assert sorted(offered(memory, shop)) == sorted(wanted)


def test_a_day_stands_in_the_name_above_a_section_or_before_the_text(memory: Memory, shop: Path) -> None:
    put(shop / "memory/2026-02-27.md", "We moved the tills.\n")
    put(
        shop / "MEMORY.md",
        "# Log\nOld.\n## 2026-01-05\nOne.\n### Decisions\nTwo.\n## Later\nThree.\n## 2026-13-45\nFour.\n",
    )
    put(shop / "memory/kim.md", "---\ntitle: Kim\nmodified: 2025-12-24\n---\nKim runs the warehouse.\n")
    assert {text.splitlines()[-1]: day for text, _, day in taken(memory, shop)} == {
        "We moved the tills.": "2026-02-27",
        "Old.": "2026-03-02",
        "One.": "2026-01-05",
        "Two.": "2026-01-05",
        "Three.": "2026-03-02",
        "Four.": "2026-03-02",
        "Kim runs the warehouse.": "2025-12-24",
    }


def test_what_claude_code_remembers_by_itself_belongs_to_the_project_its_transcripts_name(
    memory: Memory, tmp_path: Path
) -> None:
    folder = tmp_path / ".claude/projects/-home-sam-my-shop"
    put(folder / "memory/MEMORY.md", "Tests need the tills running.\n")
    put(folder / "5e5.jsonl", json.dumps({"type": "user", "cwd": "/home/sam/my.shop"}) + "\n")
    memory.capture(tmp_path / ".claude", source="notes")
    (found,) = memory.sessions()
    assert found.session.project == "/home/sam/my.shop"


def test_a_hosts_own_file_for_everything_belongs_to_no_project(memory: Memory, tmp_path: Path) -> None:
    memory.capture(put(tmp_path / ".codex/AGENTS.md", "Answer in English.\n"), source="notes")
    (found,) = memory.sessions()
    assert found.session.project is None


def test_records_of_a_claude_mem_export_are_turns(memory: Memory, shop: Path) -> None:
    export = {
        "exportedAt": "2026-03-01T00:00:00Z", "query": "till", "totalObservations": 2,
        "observations": [
            {"project": "shop", "title": "Tills drop receipts", "narrative": "The queue is full at noon.",
             "facts": '["the queue holds 50"]', "created_at_epoch": 1_772_000_000_000},
            {"title": None}, "nonsense",
        ],
        "summaries": [{"request": "fix the tills", "learned": "restart helps", "created_at": "2026-02-26T10:00:00Z"}],
        "prompts": [{"prompt_text": "never restart the tills at noon", "created_at_epoch": 1_772_000_001_000}],
    }  # fmt: skip
    found = taken(memory, put(shop / "mem.json", json.dumps(export)))
    assert found == [
        ("[shop] Tills drop receipts\nThe queue is full at noon.\n- the queue holds 50", 1, "2026-02-25"),
        ("fix the tills\nrestart helps", 1, "2026-02-26"),
        ("never restart the tills at noon", 1, "2026-02-25"),
    ]
    memory.scribe()
    assert memory.entries() == []


def test_an_unchanged_file_is_not_read_again(memory: Memory, shop: Path) -> None:
    put(shop / "CLAUDE.md", "# A\nOne.\n")
    memory.capture(shop, source="notes")
    again = memory.capture(shop, source="notes")
    assert (again.unchanged, again.turns) == (1, 0)


def test_what_moved_in_a_file_is_the_same_turn_and_what_stands_there_no_more_is_not_recalled(
    memory: Memory, shop: Path
) -> None:
    note = put(shop / "CLAUDE.md", "# Web\nThe web port is 8080.\n# Till\nThe till port is 9090.\n")
    memory.capture(shop, source="notes")
    note.write_text("# New\nThe api port is 7070.\n# Till\nThe till port is 9090.\n# Web\nThe web port is 8081.\n")
    assert memory.capture(shop, source="notes", dry_run=True).files == {str(note): 2}
    assert memory.capture(shop, source="notes").turns == 2
    found = {hit.quote for hit in memory.recall("which port", k=10)}
    assert found == {
        "# New\nThe api port is 7070.", "# Till\nThe till port is 9090.", "# Web\nThe web port is 8081.",
    }  # fmt: skip
    assert len(texts(memory)) == 4
    note.write_text("")
    memory.capture(shop, source="notes")
    assert memory.recall("which port", k=10) == []


def test_a_pause_neither_reads_a_memory_file_nor_passes_over_it(memory: Memory, shop: Path) -> None:
    note = put(shop / "CLAUDE.md", "# A\nOne.\n")
    memory.capture(shop, source="notes")
    note.write_text("# A\nOne.\n# B\nTwo.\n")
    os.utime(note, (CHANGED, CHANGED))
    memory.pause()
    assert texts(memory) == ["# A\nOne."]
    memory.resume()
    assert memory.status().problems == []
    memory.capture(shop, source="notes")
    assert texts(memory) == ["# A\nOne.", "# B\nTwo."]


def test_a_note_that_was_forgotten_does_not_come_back(memory: Memory, shop: Path) -> None:
    note = put(shop / "CLAUDE.md", "# A\nThe safe opens with heron.\n")
    memory.capture(shop, source="notes")
    memory.forget(text="heron")
    note.write_text("# A\nThe safe opens with heron.\n# B\nNothing.\n")
    memory.capture(shop, source="notes")
    assert texts(memory) == ["# B\nNothing."]


def test_our_own_pages_are_not_taken_in(memory: Memory, shop: Path) -> None:
    memory.remember("the till prints in red", category="fact", project=str(shop))
    memory.notebook.sync()
    assert offered(memory, memory.home.root) == []


def test_notes_are_read_from_their_places_where_the_setting_names_them(tmp_path: Path) -> None:
    put(tmp_path / "home/.openclaw/workspace/MEMORY.md", "The owner is Kim.\n")
    put(tmp_path / "home/.codex/AGENTS.md", "Answer in English.\n")
    with house(tmp_path, sources="notes") as memory:
        assert memory.capture().turns == 2
    with house(tmp_path / "watching", sources="notes") as memory:
        memory.home.environment = {"HOME": str(tmp_path / "home")}
        memory.watch(stop=lambda: True)
        assert sorted(texts(memory)) == ["Answer in English.", "The owner is Kim."]
    with house(tmp_path / "other") as memory:
        assert memory.capture(tmp_path / "home").turns == 0


# -- repositories ------------------------------------------------------------------------------------------------------


def git(folder: Path, *arguments: str) -> None:
    day = {"GIT_AUTHOR_DATE": "2026-03-01T10:00:00Z", "GIT_COMMITTER_DATE": "2026-03-01T10:00:00Z"}
    who = {f"GIT_{role}_{what}": "Kim" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}
    subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, env={**day, **who, **alone})


def commit(folder: Path, message: str, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--allow-empty-message", "--message", message)


@pytest.fixture
def repository(shop: Path) -> Path:
    git(shop, "init", "--quiet")
    commit(shop, "Sell tea\n\nPeople asked for it.", tea="1", till="1")
    commit(shop, "")
    commit(shop, "Count the till twice", till="2")
    return shop


def commits(memory: Memory) -> list[Turn]:
    (found,) = memory.sessions()
    return [one.turn for one in memory.turns(f"git:{found.session.session}")]


def test_a_commit_is_a_turn_with_its_author_message_and_files(memory: Memory, repository: Path) -> None:
    memory.capture(repository, source="git")
    told = [(one.text.replace((one.native_id or "")[:10], "ID"), one.at, one.role, one.kind) for one in commits(memory)]
    at = "2026-03-01T10:00:00.000Z"
    assert told == [
        ("Sell tea\n\nPeople asked for it.\n\ncommit ID by Kim\nfiles: tea.py, till.py", at, "assistant", "note"),
        ("(no message)\n\ncommit ID by Kim", at, "assistant", "note"),
        ("Count the till twice\n\ncommit ID by Kim\nfiles: till.py", at, "assistant", "note"),
    ]


def test_only_new_commits_are_read_also_after_the_history_was_rewritten(memory: Memory, repository: Path) -> None:
    assert memory.capture(repository, source="git").turns == 3
    assert memory.capture(repository, source="git").turns == 0
    commit(repository, "Sell coffee", coffee="1")
    assert memory.capture(repository, source="git").turns == 1
    git(repository, "commit", "--quiet", "--amend", "--message", "Sell good coffee")
    git(repository, "reflog", "expire", "--expire=now", "--all")
    git(repository, "gc", "--quiet", "--prune=now")
    assert memory.capture(repository, source="git").turns == 1
    assert commits(memory)[-1].text.startswith("Sell good coffee\n")


def test_a_repository_is_followed_and_the_memory_files_in_it_are_not(memory: Memory, repository: Path) -> None:
    put(repository / "CLAUDE.md", "The till is red.\n")
    memory.capture(repository, source="git")
    commit(repository, "Sell coffee", coffee="1")
    memory.follow_notes()
    assert commits(memory)[-1].text.startswith("Sell coffee\n")


def test_a_repository_cannot_have_us_run_its_programs(memory: Memory, repository: Path, tmp_path: Path) -> None:
    trap = put(tmp_path / "trap", f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    trap.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "gpg.program", "diff.external", "core.sshCommand", "core.editor"):
        git(repository, "config", name, str(trap))
    git(repository, "config", "log.showSignature", "true")
    assert memory.capture(repository, source="git").turns == 3
    assert not (tmp_path / "ran").exists()


def test_a_repository_without_commits_or_that_is_none_is_no_failure(memory: Memory, shop: Path) -> None:
    git(shop, "init", "--quiet")
    assert memory.capture(shop, source="git").turns == 0
    (shop / ".git/HEAD").write_text("nonsense")
    assert memory.capture(shop, source="git").turns == 0
