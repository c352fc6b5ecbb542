"""`steno install` and `uninstall` through their real door, with a stand-in for the host's program on the PATH."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

AGAIN = f"also after a restart: this machine has no {'launchd' if sys.platform == 'darwin' else 'systemd'}."


@pytest.fixture(autouse=True)
def no_host(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for programs, the only one on the PATH."""
    folder = home / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return folder


@pytest.fixture
def program(no_host: Path) -> Callable[..., Path]:
    """Puts a program on the PATH that says its version."""

    def put(name: str, says: str) -> Path:
        path = no_host / name
        path.write_text(f"#!/bin/sh\necho {shlex.quote(says)}\n")
        path.chmod(0o755)
        return path

    return put


@pytest.fixture
def claude(program: Callable[..., Path]) -> Path:
    return program("claude", "2.1.325 (Claude Code)")


def hooks_of(home: Path) -> list[str]:
    return list(json.loads((home / ".claude" / "settings.json").read_text())["hooks"])


def test_the_change_is_shown_made_and_followed_by_what_to_do_next(home, steno, claude):
    (home / ".claude").mkdir()
    file = home / ".claude" / "settings.json"
    file.write_text('{\n  "model": "opus"\n}\n')
    shown = steno("install", "claude-code", "--yes").stdout.splitlines()
    assert shown[:3] == [
        "Claude Code is to run our client at 9 events: SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, "
        "PostToolUseFailure, PreCompact, SubagentStart, Stop, SessionEnd.",
        f"They stand in {file}. Everything else in it stays as it is, and as it is now beside it as "
        "settings.json.before-steno.",
        "`steno uninstall claude-code` takes them out again; --diff shows the whole change.",
    ]
    server = shlex.join([sys.executable, "-m", "steno", "mcp"])
    place = shlex.quote(f"STENO_HOME={home / 'steno'}")
    assert shown[-5:] == [
        f"Claude Code has our hooks, in {file}.",
        f"The file as it was: {file}.before-steno",
        f"Next: `steno up` starts the daemon that answers the hooks, {AGAIN}",
        "Sessions that start from now on use them. For the tools over MCP as well:",
        f"claude mcp add --scope user steno -e {place} -- {server}",
    ]
    assert "SessionStart" in hooks_of(home)


def test_the_change_of_a_file_on_one_line_is_shown_laid_out(home, steno, claude):
    (home / ".claude").mkdir()
    file = home / ".claude" / "settings.json"
    theirs = '{"type": "command", "command": "beep"}'
    file.write_text(
        f'{{"model":"opus","permissions":{{"allow":["Read"]}},"hooks":{{"Stop":[{{"hooks":[{theirs}]}}]}}}}'
    )
    shown = steno("install", "claude-code", "--dry-run", "--diff").stdout.splitlines()
    shown = shown[next(at for at, line in enumerate(shown) if line.startswith("--- ")) :]
    said = "\t(one line, laid out here)"
    assert shown[:2] == [f"--- {file}{said}", f"+++ {file}{said}"]
    assert [line for line in shown[2:] if line.startswith("-")] == [f'-      {{"hooks": [{theirs}]}}']
    added = [line for line in shown[2:] if line.startswith("+")]
    assert (added[0], added[2]) == (f'+      {{"hooks": [{theirs}]}},', "+    ],")
    assert added[3] == '+    "SessionStart": ['
    assert max(map(len, shown)) < 500
    assert len(file.read_text().splitlines()) == 1


def test_installing_again_says_that_there_is_nothing_to_do(home, steno, claude):
    steno("install", "claude-code", "--yes")
    assert steno("install", "claude-code").stdout == "Claude Code has our hooks already; nothing to change.\n"


def test_a_dry_run_shows_the_change_and_makes_none(home, steno, claude):
    shown = steno("install", "claude-code", "--dry-run")
    assert (shown.exit_code, len(shown.stdout.splitlines())) == (0, 3)
    assert f"They stand in {home}/.claude/settings.json. The file is new." in shown.stdout
    whole = steno("install", "claude-code", "--dry-run", "--diff").stdout.splitlines()
    assert whole[:2] == ["--- /dev/null", f"+++ {home}/.claude/settings.json"]
    assert not (home / ".claude").exists()


def test_without_a_terminal_nothing_is_done_unasked(home, steno, claude):
    answer = steno("install", "claude-code")
    assert answer.exit_code == 2
    assert answer.stderr.splitlines() == [
        f"steno: this would change {home}/.claude/settings.json, and there is no terminal to ask on",
        "  → add --yes to change it, or --dry-run to see how",
    ]
    assert not (home / ".claude").exists()


def test_on_a_terminal_the_user_is_asked(home, terminal, without_colours, claude):
    code, drawn = terminal("install", "claude-code", typed="n\n")
    assert code == 0
    assert without_colours(drawn).endswith("? [y/N]: Nothing was changed.\n")
    assert not (home / ".claude").exists()
    code, drawn = terminal("install", "claude-code", "--diff", typed="y\nn\n")
    assert code == 0
    assert "\x1b[32m+" in drawn
    assert "Stop" in hooks_of(home)


UNIT = Path(".config") / "systemd" / "user" / "steno.service"
linux = pytest.mark.skipif(sys.platform != "linux", reason="systemd is Linux's")


@linux
def test_on_a_terminal_the_machine_is_asked_to_start_the_daemon(home, terminal, steno, program, claude):
    program("systemctl", "")
    code, drawn = terminal("install", "claude-code", typed="y\nn\nn\n")
    assert (code, (home / UNIT).exists()) == (0, False)
    assert "Shall systemd start Steno" in drawn
    assert "`steno daemon service install` also after a restart." in " ".join(drawn.split())
    steno("uninstall", "claude-code", "--yes")
    code, drawn = terminal("install", "claude-code", typed="y\ny\n")
    assert (code, (home / UNIT).exists()) == (0, True)
    assert "Steno runs whenever you log in." in drawn
    assert "Next: `steno up`" not in drawn
    told = steno("uninstall", "claude-code", "--yes").stdout.splitlines()
    assert told[-1] == "Steno still starts when you log in, and captures; `steno daemon service uninstall` ends that."


@linux
def test_hooks_are_installed_also_where_the_machine_cannot_start_the_daemon(
    home, terminal, without_colours, no_host, steno, claude
):
    code, drawn = terminal("install", "claude-code", typed="y\nn\n")
    assert code == 0
    assert "also after a restart: this machine has no systemd." in " ".join(without_colours(drawn).split())
    steno("uninstall", "claude-code", "--yes")
    broken = no_host / "systemctl"
    broken.write_text("#!/bin/sh\necho no bus >&2\nexit 1\n")
    broken.chmod(0o755)
    code, drawn = terminal("install", "claude-code", typed="y\ny\n")
    assert code == 0
    assert "does not switch it on: no bus" in " ".join(without_colours(drawn).split())
    assert "Stop" in hooks_of(home)


def test_on_a_terminal_the_user_is_asked_once_whether_their_login_may_make_better_notes(
    home, terminal, without_colours, steno, claude, program
):
    _, drawn = terminal("install", "claude-code", typed="y\n\n")
    words = " ".join(without_colours(drawn).split())
    assert "never more than 500,000 in 24 hours" in words
    assert "May it use the login of Claude Code for that? [y/N]: No model is asked." in words
    assert (home / "steno" / "settings.toml").read_text() == 'model = ""\n'
    program("codex", "codex-cli 0.166.0")
    _, drawn = terminal("install", "codex", typed="y\n")
    assert "May it use" not in drawn


def test_who_agrees_has_a_model_and_a_budget(home, terminal, steno, claude):
    (home / "steno").mkdir()
    (home / "steno" / "settings.toml").write_text("done_days = 4")
    terminal("install", "claude-code", typed="y\ny\n")
    command = (
        f"{claude} -p --model sonnet --safe-mode --tools '' --strict-mcp-config --no-session-persistence "
        "--output-format json"
    )
    assert (home / "steno" / "settings.toml").read_text() == (
        f'done_days = 4\nmodel = "command:{command}"\nmodel_tokens_a_day = 500000\n'
    )
    assert steno("model").stdout.splitlines()[:2] == [
        f"command:{command} costs no money",
        "may be asked; 500,000 tokens of 24 hours left",
    ]


def test_who_is_not_asked_has_no_model(home, steno, claude):
    steno("install", "claude-code", "--yes")
    assert not (home / "steno" / "settings.toml").exists()


def test_uninstalling_takes_everything_out_again(home, steno, claude):
    steno("install", "claude-code", "--yes", "--status-line")
    assert steno("uninstall", "claude-code", "--yes").stdout.endswith("Claude Code has no hooks of ours any more.\n")
    assert list((home / ".claude").iterdir()) == []
    assert steno("uninstall", "claude-code").stdout == "Claude Code has no hooks of ours.\n"


def test_the_change_as_json(home, steno, claude):
    (home / ".claude").mkdir()
    file = home / ".claude" / "settings.json"
    file.write_text("{}")
    told = json.loads(steno("install", "claude-code", "--yes", "--json").stdout)
    diff = told.pop("diff")
    assert told == {
        "host": "claude-code", "file": str(file), "changed": True, "backup": f"{file}.before-steno", "notes": [],
    }  # fmt: skip
    assert diff[0] == f"--- {file}"
    assert json.loads(steno("install", "claude-code", "--json").stdout)["changed"] is False


def test_a_host_too_old_for_our_hooks_is_refused(home, steno, program):
    old = program("claude", "2.1.138 (Claude Code)")
    answer = steno("install", "claude-code", "--yes")
    assert answer.exit_code == 2
    assert answer.stderr.splitlines() == [
        "steno: Claude Code 2.1.138 cannot run our hooks; 2.1.139 is the oldest that can",
        f"  → update {old}",
    ]
    assert not (home / ".claude").exists()


def test_a_host_that_does_not_say_its_version_gets_the_benefit_of_the_doubt(home, steno, program):
    mute = program("claude", "hello")
    shown = steno("install", "claude-code", "--yes").stdout
    assert f"! {mute} did not say its version; 2.1.139 is needed" in shown.splitlines()


def test_a_host_that_is_not_there_is_named(home, steno):
    answer = steno("install", "codex", "--yes")
    assert answer.exit_code == 2
    assert answer.stderr.splitlines() == [
        f"steno: Codex is not on this machine: no program `codex`, no {home}/.codex",
        "  → install Codex first",
    ]


def test_an_unknown_host_gets_the_choices(steno):
    for verb in ("install", "uninstall"):
        answer = steno(verb, "emacs")
        assert answer.exit_code == 2
        assert answer.stderr.splitlines() == ["steno: there is no host 'emacs'", "  → the hosts are claude-code, codex"]


def test_a_file_with_comments_is_refused_in_words(home, steno, claude):
    (home / ".claude").mkdir()
    file = home / ".claude" / "settings.json"
    file.write_text('{\n  // mine\n  "model": "opus"\n}\n')
    answer = steno("install", "claude-code", "--yes")
    assert answer.exit_code == 1
    assert answer.stderr.startswith(f"steno: {file} is left as it is: it holds comments, which are no JSON: ")
    assert "in line 2\n  → mend the file, then try again\n" in answer.stderr
    assert "  // mine" in file.read_text()


def test_without_a_host_it_is_told_how_it_stands_with_each(home, steno, claude, monkeypatch):
    assert steno("install").stdout.splitlines() == [
        f"claude-code  {claude}",
        f"  hooks  not installed  {home}/.claude/settings.json",
        "codex  no program on the PATH",
        f"  hooks  not installed  {home}/.codex/hooks.json",
        "`steno install HOST` puts our hooks in, `steno uninstall HOST` takes them out.",
    ]
    (home / ".codex").mkdir()
    steno("install", "codex", "--yes")
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text("{")
    monkeypatch.setenv("STENO_HOME", str(home / "another"))
    found = [json.loads(line) for line in steno("install", "--json").stdout.splitlines()]
    assert [(one["host"], one["program"], one["hooks"]) for one in found] == [
        ("claude-code", str(claude), "unreadable"),
        ("codex", None, "outdated"),
    ]
    assert "does not run these hooks yet" in found[1]["notes"][0]


def test_hooks_of_codex_go_where_codex_looks(home, steno, monkeypatch):
    elsewhere = home / "else where"
    elsewhere.mkdir()
    monkeypatch.setenv("CODEX_HOME", str(elsewhere))
    assert steno("install", "codex", "--yes").exit_code == 0
    assert "SubagentStop" in json.loads((elsewhere / "hooks.json").read_text())["hooks"]
