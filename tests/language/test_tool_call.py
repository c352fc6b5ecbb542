"""A tool call is read the same way whatever a host calls things."""

import pytest

from steno.language.tool_call import Question, ToolCall, patched, read, texts


@pytest.mark.parametrize(
    ("tool", "text", "shell", "command", "paths", "line"),
    [
        ("Bash", '{"command": "ls -l", "description": "look"}', True, "ls -l", [], "ls -l"),
        ("shell", '{"command": ["bash", "-lc", "npm test"]}', True, "npm test", [], "bash -lc npm test"),
        ("exec_command", '{"cmd": "ls"}', True, "ls", [], "ls"),
        ("exec", '{"command": " ", "cmd": "ls"}', True, "ls", [], " "),
        ("mcp__files__Read_File", '{"filePath": "a.py"}', False, "", ["a.py"], "a.py"),
        ("edit", '{"file_path": "a.py", "paths": ["a.py", "b.py", 3]}', False, "", ["a.py", "b.py"], "a.py"),
        ("Grep", '{"pattern": "TODO", "path": "src"}', False, "", ["src"], "src"),
        ("edit", '{"path": ["a.py", "b.py"]}', False, "", ["a.py", "b.py"], "a.py b.py"),
        ("save", '{"filename": "a.md"}', False, "", ["a.md"], "a.md"),
        ("ask", '{"n": 1, "words": "which one?"}', False, "", [], "which one?"),
        ("ask", "{}", False, "", [], ""),
        ("exec", "no JSON", True, "", [], "no JSON"),
        ("exec", '["a", "list"]', True, "", [], '["a", "list"]'),
        (None, '{"command": {"odd": 1}}', False, "", [], "{'odd': 1}"),
    ],
)
def test_what_a_call_runs_and_names_is_read(
    tool: str | None, text: str, shell: bool, command: str, paths: list[str], line: str
) -> None:
    call = read(tool, text)
    assert (call.is_shell, call.command, call.paths, call.line) == (shell, command, paths, line)


def test_a_tool_is_known_by_its_letters_without_its_server() -> None:
    names = [ToolCall(tool, {}).name for tool in ("mcp__files__Read_File", "read-file", "ReadFile")]
    assert names == ["readfile"] * 3


def test_every_text_of_an_input_is_found_in_order() -> None:
    assert texts({"a": "one", "b": [{"c": "two", "d": 2}, "three"], "e": None}) == ["one", "two", "three"]


def test_a_patch_tells_what_becomes_of_each_file() -> None:
    patch = (
        "*** Begin Patch\n*** Add File: new.py\n+x\n*** Update File: a.py\n*** Move to: b.py\n*** Delete File: old.py\n"
    )
    told = [["created", "new.py"], ["deleted", "a.py"], ["created", "b.py"], ["deleted", "old.py"]]
    assert patched(patch) == told
    assert patched(patch.replace("\n", "\\n")) == told


def test_questions_are_read_with_what_they_offer() -> None:
    which = '{"id": 7, "question": "Which?", "options": [{"label": "a"}, {"label": 3}, "b"]}'
    several = f'{{"questions": [{which}, {{"question": 1}}]}}'
    assert read("AskUserQuestion", several).questions == [Question("7", "Which?", ("a",))]
    assert read("ask", '{"question": "Go on?"}').questions == [Question("", "Go on?", ())]
    assert read("ask", "no JSON").questions == []
