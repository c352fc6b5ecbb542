"""Our hooks in a host's own file: what is put in, what is left alone, what is refused, and what goes out again."""

import hashlib
import json
import os
import shlex
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steno
from steno.doors import hooks as door
from steno.doors.install import files
from steno.doors.install.changes import HOSTS, apply, mcp_line, plan, survey
from steno.doors.install.codex import trust_of
from steno.doors.install.command import command
from steno.doors.install.hookfile import UnsafeFile

PLUGIN = Path(steno.__file__).parent / "plugins" / "steno"
THEIRS = {"type": "command", "command": "say done"}
# As people write it: comments aside, every oddity that JSON allows.
WRITTEN = """{
    "model": "opus",   "env": {"A": "\\u00e4", "B": 1.50e2},

    "hooks": {
        "Stop": [ {"hooks": [{"type":"command","command":"say done"}]} ],
        "Notification": []
    },
    "permissions": { "allow": ["Bash(ls:*)",
                               "Read"] }
}"""


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """The environment of a user who has both hosts, with a home that a careless shell would take apart."""
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".codex").mkdir()
    home = tmp_path / "it's my $HOME"
    home.mkdir()
    return {"HOME": str(tmp_path), "PATH": "/nowhere", "STENO_HOME": str(home)}


def host_file(name: str, environment: dict[str, str]) -> Path:
    return HOSTS[name].file(environment)


def put(name: str, environment: dict[str, str], text: str) -> Path:
    file = host_file(name, environment)
    file.write_text(text, "utf-8")
    return file


def install(name: str, environment: dict[str, str], **choices: bool) -> Path | None:
    return apply(plan(name, "install", environment, **choices))


def uninstall(name: str, environment: dict[str, str]) -> None:
    apply(plan(name, "uninstall", environment))


def words_of(handler: dict[str, Any]) -> list[str]:
    """What a host makes of a handler: words to execute, or a line for a shell."""
    return [handler["command"], *handler["args"]] if "args" in handler else ["sh", "-c", handler["command"]]


# -- what is put in ----------------------------------------------------------------------------------------------------


def test_claude_code_gets_a_hook_per_event_in_exec_form(machine: dict[str, str]) -> None:
    install("claude-code", machine)
    hooks = json.loads(host_file("claude-code", machine).read_text())["hooks"]
    home = Path(machine["STENO_HOME"])
    slow = {"SessionStart", "PreCompact", "SubagentStart"}
    quick = {"UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"}
    assert hooks.keys() == slow | quick
    for event, groups in hooks.items():
        python, *arguments = command(home, "claude-code", event)
        handler = {"type": "command", "command": python, "args": arguments, "timeout": 3 if event in slow else 2}
        # At a /compact each hook would be a line on the person's screen.
        matchers = {"SessionStart": "startup|resume|clear|compact|fork", "PreCompact": "auto"}
        matcher = {"matcher": matchers[event]} if event in matchers else {}
        assert groups == [{**matcher, "hooks": [handler]}]


def test_codex_gets_a_shell_line_per_event_and_no_args(machine: dict[str, str]) -> None:
    install("codex", machine)
    value = json.loads(host_file("codex", machine).read_text())
    assert value.keys() == {"hooks"}
    assert value["hooks"].keys() == {
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact",
        "SubagentStart", "SubagentStop", "Stop", "SessionEnd",
    }  # fmt: skip
    home = Path(machine["STENO_HOME"])
    line = shlex.join(command(home, "codex", "SessionStart"))
    handler = {"type": "command", "command": line, "timeout": 3}
    assert value["hooks"]["SessionStart"] == [{"matcher": "startup|resume|clear|compact", "hooks": [handler]}]


def test_codex_never_gets_a_longer_timeout_at_the_end_than_it_takes(machine: dict[str, str], monkeypatch) -> None:
    monkeypatch.setenv("STENO_HOOK_MS", "9000")
    install("codex", machine)
    hooks = json.loads(host_file("codex", machine).read_text())["hooks"]
    assert (hooks["SessionEnd"][0]["hooks"][0]["timeout"], hooks["Stop"][0]["hooks"][0]["timeout"]) == (3, 11)


def test_the_command_line_names_interpreter_client_socket_deadline_host_and_event(tmp_path: Path) -> None:
    client = str(Path(steno.__file__).parent / "doors" / "hooks" / "run.py")
    begin = [sys.executable, "-I", "-S", client, str(tmp_path / "daemon.sock")]
    assert command(tmp_path, "codex", "SessionStart") == [*begin, "1000", "codex", "SessionStart"]
    assert command(tmp_path, "claude-code", "Stop") == [*begin, "300", "claude-code", "Stop"]
    (tmp_path / "settings.toml").write_text("hook_ms = 450")
    assert command(tmp_path, "claude-code", "Stop") == [*begin, "450", "claude-code", "Stop"]


@pytest.mark.parametrize("name", HOSTS)
def test_every_event_we_ask_for_is_one_the_door_answers(name: str, machine: dict[str, str]) -> None:
    install(name, machine)
    asked = json.loads(host_file(name, machine).read_text())["hooks"].keys()
    assert asked <= door.HOSTS[name].EVENTS.keys()


@pytest.mark.parametrize("name", HOSTS)
def test_what_is_written_runs_our_client_for_this_home_whatever_its_name(name: str, machine: dict[str, str]) -> None:
    machine |= {"STENO_HOOK_MS": "60000", "STENO_START_MS": "60000"}  # however busy this machine is
    install(name, machine)
    hooks = json.loads(host_file(name, machine).read_text())["hooks"]
    for event, [group] in hooks.items():
        said = json.dumps({"transcript_path": f"/t/{event}"}).encode()
        ran = subprocess.run(words_of(group["hooks"][0]), input=said, capture_output=True, cwd="/")
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    nudges = {file.read_text() for file in (Path(machine["STENO_HOME"]) / "spool").iterdir()}
    assert nudges == {f"/t/{event}" for event in hooks}


# -- what is left alone ------------------------------------------------------------------------------------------------


def test_every_line_of_the_user_stays_and_ours_come_in(machine: dict[str, str]) -> None:
    file = put("claude-code", machine, WRITTEN)
    change = plan("claude-code", "install", machine)
    gone = [line for line in change.diff[2:] if line.startswith("-")]
    assert gone == [
        '-        "Stop": [ {"hooks": [{"type":"command","command":"say done"}]} ],',
        '-        "Notification": []',
    ]
    apply(change)
    now = file.read_text()
    assert '"Stop": [ {"hooks": [{"type":"command","command":"say done"}]}, {"hooks": [{"type": "command"' in now
    assert '        "Notification": [],\n        "SessionStart": [\n            {"matcher": ' in now
    assert now.startswith(WRITTEN[: WRITTEN.index('"Stop"')])
    assert now.endswith(WRITTEN[WRITTEN.index("    },\n") :])


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize(
    "text", [WRITTEN, "{}", "{}\n", '{"hooks": {}}', '{"a":1}', '{\r\n\t"a": 1\r\n}\r\n', "", " \n"]
)
def test_uninstalling_gives_back_every_byte(name: str, text: str, machine: dict[str, str]) -> None:
    file = host_file(name, machine)
    file.write_bytes(text.encode())
    install(name, machine)
    assert json.loads(file.read_text())["hooks"]["PreCompact"]
    uninstall(name, machine)
    assert file.read_bytes() == text.encode()
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_file_on_one_line_stays_on_one_line(machine: dict[str, str]) -> None:
    file = put("claude-code", machine, '{"hooks": {}}\n')
    install("claude-code", machine, status_line=True)
    [line] = file.read_text().splitlines()
    assert line.startswith('{"hooks": {"SessionStart": [{"matcher": ')


def test_lines_that_end_as_on_windows_still_do(machine: dict[str, str]) -> None:
    file = host_file("claude-code", machine)
    file.write_bytes(b'{\r\n\t"a": 1\r\n}\r\n')
    install("claude-code", machine, status_line=True)
    assert file.read_bytes().count(b"\n") == file.read_bytes().count(b"\r\n") > 30


@pytest.mark.parametrize("name", HOSTS)
def test_a_file_we_made_is_gone_after_uninstalling(name: str, machine: dict[str, str]) -> None:
    assert install(name, machine) is None
    uninstall(name, machine)
    assert list(host_file(name, machine).parent.iterdir()) == []


def test_what_the_user_changed_since_stays_when_ours_go(machine: dict[str, str]) -> None:
    file = put("claude-code", machine, '{\n  "model": "opus"\n}\n')
    install("claude-code", machine)
    value = json.loads(file.read_text())
    value["hooks"]["Stop"].append({"hooks": [THEIRS]})
    value["hooks"]["PreToolUse"][0]["hooks"].insert(0, THEIRS)  # moved into one group with ours
    file.write_text(json.dumps({"theme": "dark", **value}, indent=2))
    uninstall("claude-code", machine)
    assert json.loads(file.read_text()) == {
        "theme": "dark",
        "model": "opus",
        "hooks": {"PreToolUse": [{"hooks": [THEIRS]}], "Stop": [{"hooks": [THEIRS]}]},
    }


@pytest.mark.parametrize("name", HOSTS)
def test_installing_twice_changes_nothing(name: str, machine: dict[str, str]) -> None:
    file = put(name, machine, WRITTEN)
    install(name, machine)
    value = json.loads(file.read_text())
    value["hooks"]["SessionStart"].append({"hooks": [THEIRS]})
    file.write_text(json.dumps(value, indent=4))  # as the host itself may write it anew
    assert not plan(name, "install", machine).changes
    assert HOSTS[name].state(file.read_text(), Path(machine["STENO_HOME"])) == "installed"


@pytest.mark.parametrize("name", HOSTS)
def test_a_moved_interpreter_is_repaired_in_place(name: str, machine: dict[str, str], monkeypatch) -> None:
    file = put(name, machine, WRITTEN)
    install(name, machine)
    right = file.read_text()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/gone/bin/python")
        install(name, machine)
    assert file.read_text() == right.replace(sys.executable, "/gone/bin/python")
    assert HOSTS[name].state(file.read_text(), Path(machine["STENO_HOME"])) == "outdated"
    install(name, machine)
    assert file.read_text() == right
    assert files.backup_of(file).read_text() == WRITTEN  # the copy is still of the time before us


def test_hooks_of_ours_at_an_event_we_no_longer_use_go(machine: dict[str, str]) -> None:
    install("claude-code", machine)
    file = host_file("claude-code", machine)
    right = file.read_text()
    value = json.loads(right)
    value["hooks"]["Setup"] = value["hooks"]["Stop"]
    file.write_text(json.dumps(value))
    install("claude-code", machine)
    assert json.loads(file.read_text()) == json.loads(right)


@pytest.mark.parametrize(
    "theirs", ["python -m steno.client", "steno hook claude-code Stop", "say 'not closed", 7, None]
)
def test_what_only_looks_like_ours_is_theirs(theirs: object, machine: dict[str, str]) -> None:
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": theirs}]}, 3, {"hooks": "x"}]}})
    for name in HOSTS:
        put(name, machine, text)
        assert not plan(name, "uninstall", machine).changes


@pytest.mark.parametrize(("place", "word"), [(2, "-E"), (3, "/x/other/client.py"), (4, "/x/own.sock"), (6, "gemini")])
def test_a_call_that_differs_in_one_word_of_ours_is_theirs(place: int, word: str, machine: dict[str, str]) -> None:
    for name in HOSTS:
        words = command(Path(machine["STENO_HOME"]), name, "Stop")
        words[place] = word
        forms = [{"command": words[0], "args": words[1:]}, {"command": shlex.join(words)}]
        put(name, machine, json.dumps({"hooks": {"Stop": [{"hooks": forms}]}}))
        assert not plan(name, "uninstall", machine).changes


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
groups = st.lists(st.just({"hooks": [THEIRS]}) | values, min_size=1, max_size=3)
events = st.dictionaries(st.sampled_from(["Stop", "PreToolUse", "Other"]), groups, min_size=1, max_size=3)


@settings(max_examples=60)
@given(others=st.dictionaries(st.text(max_size=5), values, max_size=4), hooks=st.none() | events, data=st.data())
def test_any_document_keeps_its_values_and_gets_its_bytes_back(others: Any, hooks: Any, data: st.DataObject) -> None:
    others.pop("statusLine", None)
    others.pop("enabledPlugins", None)
    whole = {**others, **({"hooks": hooks} if hooks else {})}
    whole = dict(data.draw(st.permutations(list(whole.items()))))
    whole = {**whole, "hooks": hooks} if hooks else {k: v for k, v in whole.items() if k != "hooks"}
    layout = data.draw(st.sampled_from([{}, {"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}]))
    text = json.dumps(whole, ensure_ascii=data.draw(st.booleans()), **layout) + data.draw(st.sampled_from(["", "\n"]))
    for host in HOSTS.values():
        ours = host.installed(text, Path("/home/of/steno"), status_line=True)
        assert list(json.loads(ours))[: len(whole)] == list(whole)
        assert host.state(ours, Path("/home/of/steno")) == "installed"
        assert host.installed(ours, Path("/home/of/steno"), status_line=True) == ours
        assert host.removed(ours) == text


# -- the status line ---------------------------------------------------------------------------------------------------


def test_a_status_line_is_added_only_when_asked_for(machine: dict[str, str]) -> None:
    install("claude-code", machine)
    file = host_file("claude-code", machine)
    assert "statusLine" not in json.loads(file.read_text())
    install("claude-code", machine, status_line=True)
    line = shlex.join(command(Path(machine["STENO_HOME"]), "claude-code", "StatusLine"))
    assert json.loads(file.read_text())["statusLine"] == {"type": "command", "command": line}
    assert not plan("claude-code", "install", machine).changes  # and stays without being asked for again


def test_a_status_line_of_the_users_own_is_left_as_it_is(machine: dict[str, str]) -> None:
    file = put("claude-code", machine, '{"statusLine": {"type": "command", "command": "date"}}')
    change = plan("claude-code", "install", machine, status_line=True)
    assert "no status line was added: you have one of your own, or Claude Code knows none" in change.notes
    apply(change)
    assert json.loads(file.read_text())["statusLine"] == {"type": "command", "command": "date"}


# -- what is refused ---------------------------------------------------------------------------------------------------

REFUSED = {
    "comment": (b'{\n  // mine\n  "a": 1\n}', "it holds comments, which are no JSON: "),
    "comment behind": (b'{\n  "a": 1, /* mine */\n  "b": 2\n}', "it holds comments, which are no JSON: "),
    "trailing comma": (b'{"a": 1,}', "it is no sound JSON: "),
    "cut short": (b'{"hooks": {"Stop": [', "it is no sound JSON: "),
    "no value": (b'{"a": NaN}', "it is no sound JSON: NaN is no value"),
    "two documents": (b"{} {}", "it is no sound JSON: "),
    "a list": (b"[]", "it holds no JSON object"),
    "byte order mark": (b"\xef\xbb\xbf{}", "it is no sound JSON: "),
    "not UTF-8": (b'{"a": "\xff"}', "settings.json is not UTF-8"),
    "a key twice": (b'{"hooks": {}, "hooks": {}}', "it has 'hooks' twice in one object"),
    "hooks of another shape": (b'{"hooks": []}', "its `hooks` is no object"),
    "an event of another shape": (b'{"hooks": {"Stop": {}}}', "its `hooks.Stop` is no list"),
    "nested too deeply": (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "it is nested too deeply"),
    "the plugin is on": (b'{"enabledPlugins": {"steno@steno": true}}', "the plugin steno@steno is switched on in it"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_cannot_be_changed_safely_is_refused_and_left_alone(case: str, machine: dict[str, str]) -> None:
    written, why = REFUSED[case]
    file = host_file("claude-code", machine)
    file.write_bytes(written)
    with pytest.raises(UnsafeFile) as refused:
        plan("claude-code", "install", machine)
    assert why in refused.value.message
    assert str(file) in refused.value.message
    assert refused.value.hint
    assert file.read_bytes() == written


# -- how it is written -------------------------------------------------------------------------------------------------


def test_the_file_keeps_its_mode_and_a_copy_lies_beside_it(machine: dict[str, str]) -> None:
    file = put("claude-code", machine, WRITTEN)
    file.chmod(0o640)
    kept = install("claude-code", machine)
    assert kept == file.with_name("settings.json.before-steno")
    assert (kept.read_text(), stat.S_IMODE(kept.stat().st_mode)) == (WRITTEN, 0o600)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert sorted(path.name for path in file.parent.iterdir()) == ["settings.json", "settings.json.before-steno"]


def test_a_link_stays_a_link_and_its_target_is_written(machine: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_text(WRITTEN)
    file = host_file("claude-code", machine)
    file.symlink_to(target)
    install("claude-code", machine)
    assert file.readlink() == target
    assert "SessionStart" in target.read_text()
    assert [path.name for path in target.parent.iterdir()] == ["claude.json"]
    uninstall("claude-code", machine)
    assert (file.readlink(), target.read_text()) == (target, WRITTEN)


def test_a_link_that_leads_nowhere_is_named(machine: dict[str, str], tmp_path: Path) -> None:
    host_file("claude-code", machine).symlink_to(tmp_path / "gone")
    with pytest.raises(UnsafeFile, match="is a link that leads nowhere"):
        plan("claude-code", "install", machine)


def test_a_file_that_changed_while_the_user_was_asked_is_not_overwritten(machine: dict[str, str]) -> None:
    file = put("claude-code", machine, WRITTEN)
    change = plan("claude-code", "install", machine)
    file.write_text("{}")
    with pytest.raises(UnsafeFile, match="was changed meanwhile"):
        apply(change)
    assert file.read_text() == "{}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_somebody_else_is_not_touched(machine: dict[str, str]) -> None:
    file = put("claude-code", machine, WRITTEN)
    os.chown(file, 12345, 12345)
    with pytest.raises(UnsafeFile, match="belongs to somebody else"):
        install("claude-code", machine)
    assert (file.read_text(), file.stat().st_uid) == (WRITTEN, 12345)


def test_a_damaged_copy_does_not_keep_ours_from_being_taken_out(machine: dict[str, str]) -> None:
    file = put("claude-code", machine, '{"a": 1}')
    install("claude-code", machine)
    files.backup_of(file).write_text("{")
    uninstall("claude-code", machine)
    assert file.read_text() == '{"a": 1}'


# -- trust -------------------------------------------------------------------------------------------------------------


def test_hooks_that_codex_does_not_trust_are_told_with_the_remedy_and_trust_is_never_written(
    machine: dict[str, str],
) -> None:
    config = host_file("codex", machine).with_name("config.toml")
    config.write_text('model = "m"\n')
    change = plan("codex", "install", machine)
    apply(change)
    review = "start `codex`, type /hooks, look at the hooks of Steno and trust them"
    untrusted = f"Codex does not run these hooks yet, and does not say so: {review} (all of them)"
    assert change.notes == [untrusted]
    assert config.read_text() == 'model = "m"\n'
    [_, codex] = survey(machine)
    assert (codex.hooks, codex.notes) == ("installed", [untrusted])


def trusted_by_codex(file: Path, event: str, place: str, whole: dict[str, Any]) -> str:
    """What Codex 0.166 writes when its user trusts a hook."""
    packed = json.dumps({"event_name": event, **whole}, sort_keys=True, separators=(",", ":")).encode()
    key = json.dumps(f"{file}:{event}:{place}")
    return f'[hooks.state.{key}]\ntrusted_hash = "sha256:{hashlib.sha256(packed).hexdigest()}"\n'


def test_trust_is_read_as_codex_keeps_it(machine: dict[str, str]) -> None:
    file = put("codex", machine, json.dumps({"hooks": {"Stop": [{"hooks": [THEIRS]}]}}))
    install("codex", machine)
    hooks = json.loads(file.read_text())["hooks"]
    start, [_, stop] = hooks["SessionStart"][0], hooks["Stop"]
    stop["hooks"][0]["async"] = start["hooks"][0]["async"] = False
    end = {"hooks": [{**hooks["SessionEnd"][0]["hooks"][0], "async": False, "timeout": 1}]}
    states = [
        trusted_by_codex(file, "session_start", "0:0", start),
        trusted_by_codex(file, "stop", "1:0", stop),
        trusted_by_codex(file, "session_end", "0:0", end),
        trusted_by_codex(file, "pre_compact", "0:0", {}) + "enabled = false\n",
    ]
    config = file.with_name("config.toml")
    config.write_text("".join(states))
    found = trust_of(file.read_text(), file, tomllib.loads(config.read_text()))
    assert found == {
        **dict.fromkeys(hooks, "untrusted"),
        "SessionStart": "trusted",
        "Stop": "trusted",
        "SessionEnd": "changed",
        "PreCompact": "off",
    }
    notes = plan("codex", "install", machine).notes
    assert [note.rpartition(" (")[2] for note in notes[1:]] == ["SessionEnd)", "PreCompact)"]
    assert "no longer runs these hooks, because they changed since you trusted them" in notes[1]


@pytest.mark.parametrize(
    ("hooks", "config", "note"),
    [
        (
            "{}",
            "[features]\nhooks = false",
            "hooks are switched off in config.toml (`hooks = false` under `[features]`)",
        ),
        ('{"version": 1}', "", "Codex refuses the whole file, because 'version' stands in it; take that out"),
        (
            "{}",
            '[plugins."steno@steno"]\nenabled = true',
            "the plugin steno@steno is on as well, so everything is said twice; keep one of the two",
        ),
    ],
)
def test_what_keeps_codex_from_running_hooks_is_said(
    hooks: str, config: str, note: str, machine: dict[str, str]
) -> None:
    put("codex", machine, hooks).with_name("config.toml").write_text(config)
    assert plan("codex", "install", machine).notes[0] == note


def test_hooks_switched_off_in_claude_code_are_said(machine: dict[str, str]) -> None:
    put("claude-code", machine, '{"disableAllHooks": true}')
    assert "hooks are switched off by `disableAllHooks` in this file" in plan("claude-code", "install", machine).notes


# -- MCP and the plugin ------------------------------------------------------------------------------------------------


def test_the_mcp_server_is_left_to_the_hosts_own_command(machine: dict[str, str]) -> None:
    line = shlex.split(mcp_line("claude-code", machine))
    home = f"STENO_HOME={machine['STENO_HOME']}"
    server = [sys.executable, "-m", "steno", "mcp"]
    assert line == ["claude", "mcp", "add", "--scope", "user", "steno", "-e", home, "--", *server]
    assert shlex.split(mcp_line("codex", {})) == ["codex", "mcp", "add", "steno", "--", *server]


@pytest.mark.parametrize(("name", "file"), [("claude-code", "hooks.json"), ("codex", "codex-hooks.json")])
def test_the_plugin_has_the_same_hooks_by_name(name: str, file: str, machine: dict[str, str]) -> None:
    install(name, machine)
    installed = json.loads(host_file(name, machine).read_text())["hooks"]
    hooks = json.loads((PLUGIN / "hooks" / file).read_text())["hooks"]
    root = "CLAUDE_PLUGIN_ROOT" if name == "claude-code" else "PLUGIN_ROOT"
    for event, [group] in installed.items():
        [handler] = group["hooks"]
        words = [f"${{{root}}}/hooks/call", name, event]
        call = (
            {"command": "sh", "args": words}
            if name == "claude-code"
            else {"command": f'sh "{words[0]}" {name} {event}'}
        )
        handler = {"type": "command", **call, "timeout": handler["timeout"]}
        assert hooks.pop(event) == [{**group, "hooks": [handler]}]
    assert hooks == {}


def test_the_plugin_is_of_this_version() -> None:
    manifests = [json.loads((PLUGIN / f".{host}-plugin" / "plugin.json").read_text()) for host in ("claude", "codex")]
    assert [(one["name"], one["version"]) for one in manifests] == [("steno", steno.__version__)] * 2


def test_the_plugin_says_nothing_where_there_is_no_steno(tmp_path: Path) -> None:
    ran = call_of_the_plugin(tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_the_plugin_hands_the_hook_to_steno_also_where_it_is_not_on_the_path(tmp_path: Path) -> None:
    program = tmp_path / ".local" / "bin" / "steno"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$@"\nread line\necho "$line"\n')
    program.chmod(0o755)
    assert call_of_the_plugin(tmp_path).stdout == b"hook codex Stop\n{}\n"


def call_of_the_plugin(home: Path) -> subprocess.CompletedProcess[bytes]:
    words = ["/bin/sh", str(PLUGIN / "hooks" / "call"), "codex", "Stop"]
    environment = {"HOME": str(home), "PATH": "/nowhere"}
    return subprocess.run(words, input=b"{}\n", capture_output=True, env=environment)
