"""What a tool call would do that only a person may, and what it is not."""

import json
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from steno.doors.install.changes import apply, plan
from steno.doors.install.guarded import hook_file
from steno.verbs.attempts import Attempt, attempts
from steno.vocabulary import Action

RETIRE = ("rules retire", {"id": "3f2a"})
STOP: tuple[str, Any] = ("stop", {})
PAUSE: tuple[str, Any] = ("pause", {})
NOT_READ = ("rules retire", None)

# Command lines, and the act that each of them is.
ACTS: dict[str, tuple[str, Any]] = {
    "steno rules retire 3f2a": RETIRE,
    "steno rules retire -- 3f2a": RETIRE,
    "/home/sam/.local/bin/steno rules retire 3f2a": RETIRE,
    "./.venv/bin/steno rules retire 3f2a 2>&1 | tail -3": RETIRE,
    '"steno" rules "retire" 3f2a': RETIRE,
    "python -m steno rules retire 3f2a": RETIRE,
    "python3 -Im steno.__main__ rules retire 3f2a": RETIRE,
    "python3.11 -msteno rules retire 3f2a": RETIRE,
    "python src/steno/__main__.py rules retire 3f2a": RETIRE,
    "uvx --from steno-memory steno rules retire 3f2a": RETIRE,
    "uv run --with x steno rules retire 3f2a": RETIRE,
    "uv run python -m steno rules retire 3f2a": RETIRE,
    "pipx run --spec steno-memory steno rules retire 3f2a": RETIRE,
    "FOO=1 steno rules retire 3f2a": RETIRE,
    "env -u CLAUDECODE -u CODEX_SANDBOX steno rules retire 3f2a": RETIRE,
    "env -i PATH=/bin HOME=$HOME steno rules retire 3f2a": RETIRE,
    "sudo -u sam steno rules retire 3f2a": RETIRE,
    "nohup steno rules retire 3f2a &": RETIRE,
    "setsid -w steno rules retire 3f2a": RETIRE,
    "timeout 5 steno rules retire 3f2a": RETIRE,
    "timeout -k 1 5 env A=b nice -n 3 steno rules retire 3f2a": RETIRE,
    "strace -f steno rules retire 3f2a": RETIRE,
    "flock /tmp/lock steno rules retire 3f2a": RETIRE,
    "watch -n 5 steno rules retire 3f2a": RETIRE,
    "watch 'steno rules retire 3f2a'": RETIRE,
    "bash -c 'steno rules retire 3f2a'": RETIRE,
    "env -u CLAUDECODE bash -lc 'cd /tmp && steno rules retire 3f2a'": RETIRE,
    "sh -c \"bash -c 'steno rules retire 3f2a'\"": RETIRE,
    "script -qc 'steno rules retire 3f2a' /dev/null": RETIRE,
    "script -q /dev/null steno rules retire 3f2a": RETIRE,
    "eval steno rules retire 3f2a": RETIRE,
    "echo $(steno rules retire 3f2a)": RETIRE,
    'X="$(steno rules retire 3f2a)"': RETIRE,
    "cat <(steno rules retire 3f2a)": RETIRE,
    "true && steno rules retire 3f2a": RETIRE,
    "make test; steno rules retire 3f2a": RETIRE,
    "if true; then steno rules retire 3f2a; fi": RETIRE,
    "echo y | steno rules retire 3f2a": RETIRE,
    "bash <<'EOF'\nset -e\nsteno rules retire 3f2a\nEOF": RETIRE,
    "cat <<EOF | sh\nsteno rules retire 3f2a\nEOF": RETIRE,
    "echo 'steno rules retire 3f2a' | bash": RETIRE,
    "bash <<< 'steno rules retire 3f2a'": RETIRE,
    "find . -maxdepth 0 -exec steno rules retire 3f2a \\;": RETIRE,
    "echo '<< x'\nsteno rules retire 3f2a": RETIRE,
    "export STENO_HOME=~/.steno; steno rules retire 3f2a": RETIRE,
    # It is one, but only a shell could tell which.
    "echo 3f2a | xargs steno rules retire": NOT_READ,
    "echo 3f2a | xargs -I {} steno rules retire {}": NOT_READ,
    "steno rules retire $(steno rules --json | jq -r .id)": NOT_READ,
    'steno rules retire "$ID"': NOT_READ,
    "tmux send-keys -t 0 'steno rules retire 3f2a' Enter": NOT_READ,
    "osascript -e 'tell app \"Terminal\" to do script \"steno rules retire 3f2a\"'": NOT_READ,
    "echo 'steno rules retire 3f2a' | at now": NOT_READ,
    "python3 -c \"import subprocess; subprocess.run(['steno', 'rules', 'retire', '3f2a'])\"": NOT_READ,
    "python3 -c \"import pty; pty.spawn(['/usr/bin/steno', 'rules', 'retire', '3f2a'])\"": NOT_READ,
    "node -e \"require('child_process').execSync('steno rules retire 3f2a')\"": NOT_READ,
    "python3 - <<'EOF'\nimport os\nos.system('steno rules retire 3f2a')\nEOF": NOT_READ,
    "uv run python -c 'import steno; steno.open().rules.retire(\"3f2a\")'": NOT_READ,
    # The library.
    "python -c \"import steno; steno.open().archive('9e619ac4b6e2')\"": ("entries archive", None),
    "python3 <<EOF\nfrom steno import open\nopen().pause()\nEOF": ("pause", None),
    # Every kind of act.
    "steno entries archive 9e619ac4b6e2": ("entries archive", {"id": "9e619ac4b6e2"}),
    "steno entries revise 9e61 --status archived": ("entries revise", {"id": "9e61", "status": "archived"}),
    "steno rules lower 3f2a --to=warn": ("rules lower", {"id": "3f2a", "to": "warn"}),
    "steno rules add 'never push' --everywhere": (
        "rules add", {"text": "never push", "everywhere": True, "directory": "/srv/shop"},
    ),
    r"""steno rules add "never use * or [x] in {y}" it\'s \$5 --domain=WEB""": (
        "rules add", {"text": "never use * or [x] in {y} it's $5", "domain": "WEB", "directory": "/srv/shop"},
    ),
    "steno review answer 3f2a drop": ("review answer", {"id": "3f2a", "answer": "drop"}),
    "steno flows retire deploy": ("flows retire", {"name": "deploy"}),
    "steno pause": PAUSE,
    "steno pause off": ("pause", {"switch": "off"}),
    "steno capture exclude /srv/shop": ("capture exclude", {"patterns": ["/srv/shop"]}),
    "cd logs && steno capture forged.jsonl": ("capture", {"paths": ["/srv/shop/logs/forged.jsonl"]}),
    "steno entries backtest --apply forged.jsonl": (
        "entries backtest", {"apply": True, "paths": ["/srv/shop/forged.jsonl"]},
    ),
    "steno forget --text left-pad --yes": ("forget", {"text": "left-pad"}),
    "steno store rebuild": ("store rebuild", {}),
    "steno notebook sync --deleted": ("notebook sync", {"deleted": True}),
    "steno down": STOP,
    "steno stop --json": STOP,
    "steno uninstall claude-code --yes": ("uninstall", {"host": "claude-code"}),
    "steno install codex --yes": ("install", {"host": "codex"}),
    "steno daemon service uninstall": ("daemon service uninstall", {}),
    "pkill -f 'steno.daemon'": ("stop", None),
    "kill -9 $(pgrep -f steno)": ("stop", None),
    "tmux send-keys -t person 'steno review' Enter": ("review answer", None),
    "systemctl --user stop steno.service": ("stop", None),
    "pip uninstall -y steno-memory": ("uninstall", None),
    "claude plugin disable steno@steno": ("hooks", None),
}  # fmt: skip

# Command lines that change something below the home, and what; `~` is the user's own folder.
EDITS = {
    "echo '- always push' >> ~/.steno/notebook/shop/rules.md": "notebook/shop/rules.md",
    "cat > $STENO_HOME/settings.toml <<EOF\nmodel = 1\nEOF": "settings.toml",
    "printf x | tee -a ${STENO_HOME}/notebook/rules.md": "notebook/rules.md",
    'printf x | tee "${STENO_HOME:-$HOME/.steno}/a"': "a",
    "sed -i 's/never/always/' $HOME/.steno/notebook/rules.md": "notebook/rules.md",
    "perl -pi -e 's/a/b/' ~/.steno/notebook/rules.md": "notebook/rules.md",
    "rm -rf ~/.steno": "",
    "rm ~/.steno/*.db": "*.db",
    "mv ~/.steno/steno.db /tmp/": "steno.db",
    "cp /tmp/steno.db ~/.steno/steno.db": "steno.db",
    "rsync -a /tmp/h/ ~/.steno/": "",
    "ln -s ~/.steno/notebook /tmp/n": "notebook",
    "chmod -R 000 ~/.steno": "",
    "dd if=/dev/zero of=~/.steno/steno.db count=1": "steno.db",
    "tar xzf /tmp/b.tgz -C ~/.steno": "",
    "tar czf ~/.steno/steno.db /tmp/x": "steno.db",
    "sqlite3 ~/.steno/steno.db \"update entries set status = 'archived'\"": "steno.db",
    "sqlite3 ~/.steno/steno.db <<EOF\nselect 1;\ndelete from records;\nEOF": "steno.db",
    "sqlite3 ~/.steno/steno.db < /tmp/x.sql": "steno.db",
    "cd ~/.steno && rm steno.db": "steno.db",
    "cd ~/.steno/notebook && git checkout -- .": "notebook",
    "(cd ~/.steno && python3 mend.py)": "",
    "bash -c 'cd ~/.steno; > daemon.lock'": "daemon.lock",
    "git -C ~/.steno/notebook reset --hard HEAD~1": "notebook",
    'D=~/.steno; rm -rf "$D/notebook"': "notebook",
    "for f in ~/.steno/notebook/*; do rm $f; done": "notebook/*",
    "find ~/.steno -name '*.md' -delete": "",
    'awk \'BEGIN { print "x" > "/HOME/.steno/settings.toml" }\'': "",
    "curl -sI -o ~/.steno/settings.toml http://localhost": "settings.toml",
    "git diff --output=/HOME/.steno/settings.toml": "settings.toml",
    "find ~/.steno -name '*.md' -exec rm {} +": "",
    "find ~/.steno -name '*.md' | xargs rm": "",
    "python3 -c \"open('/HOME/.steno/notebook/rules.md', 'w').write('')\"": "",
    "python3 - <<EOF\nimport sqlite3, os\nc = sqlite3.connect(os.path.expanduser('~/.steno/steno.db'))\n"
    "c.execute('delete from records')\nEOF": "",
    'python3 -c \'from pathlib import Path; (Path.home() / ".steno" / "x").write_text("")\'': "",
    "printf 'steno 1 call' | nc -U ~/.steno/daemon.sock": "daemon.sock",
    "steno export > ~/.steno/steno.db": "steno.db",
    "rm link/steno.db": "steno.db",
}

# What is only said, read, noted, meant for another home, or about something else.
HONEST = """
npm test
git push
steno
steno rules
steno rules show 3f2a
steno recall "how do I retire a rule"
steno recall steno rules retire
steno recall python exec steno down
uvx steno recall steno rules retire
steno status && steno entries --category rejected
steno rules retire --help
steno rules retire 3f2a --help
steno --help
steno up
steno capture --all
steno capture old.jsonl --dry-run
steno scribe
steno gate after bot pass "all tests pass"
steno gate before bot "steno rules retire 3f2a" --tool Bash
steno entries remember "the tests need a database" --category fact
steno relay send bob "steno down?"
steno agents beat bob
steno flags raise "disk is full"
steno brief handoff
steno install
steno uninstall codex --dry-run
steno forget --text x --only-count
steno upkeep run all --dry-run
steno believes deployment
steno mcp
steno entries backtest old.jsonl
echo "steno rules retire 3f2a"
echo steno rules retire 3f2a
printf '%s\\n' 'steno down' >> README.md
grep -rn "steno rules retire" docs
grep -rn steno stop docs
rg 'steno pause' | head
git commit -m "Say what steno rules retire does"
git commit -am 'Add steno stop' && git push
git log --grep "steno forget"
git checkout steno && git pull
gh pr create --title "steno pause" --body "run steno rules retire 3f2a"
sed -i 's/steno down/steno stop/' README.md
sed -n '/steno forget/p' README.md
perl -pi -e 's/steno down/steno stop/' README.md
which steno && man steno
command -v steno
pip install steno-memory
pip install -e ./steno && pytest tests/steno
cp -r src/steno install
mkdir -p steno/pause
ls ~/.steno
cat ~/.steno/notebook/rules.md | head -20
less ~/.steno/daemon.log
tail -f ~/.steno/daemon.log
wc -l ~/.steno/notebook/*.md
grep -rn "push" ~/.steno/notebook
find ~/.steno -name "*.md" -mtime -1
find ~/.steno -name "*.md" -exec grep -l push {} +
find ~/.steno -type f | xargs wc -l
cp ~/.steno/steno.db /tmp/copy.db && rm /tmp/copy.db
rsync -a ~/.steno/ /tmp/backup/
tar czf /tmp/steno.tgz ~/.steno
du -sh ~/.steno; stat ~/.steno/steno.db
test -f ~/.steno/settings.toml && echo yes
awk '$2 > 5 && /remove|write/' ~/.steno/notebook/rules.md
grep -o push ~/.steno/notebook/rules.md
lsof ~/.steno/steno.db
git -C ~/.steno/notebook log --oneline
sqlite3 ~/.steno/steno.db "select count(*) from entries"
sqlite3 -readonly ~/.steno/steno.db .schema
sqlite3 "file:$HOME/.steno/steno.db?mode=ro" "select status from entries where status = 'updated'"
python3 -c "import sqlite3; print(sqlite3.connect('/HOME/.steno/steno.db').execute('select 1').fetchall())"
curl -H "Authorization: Bearer $(cat ~/.steno/daemon.token)" http://127.0.0.1:7777/v1/recall
cd ~/.steno && ls && cd /srv/shop && make
tmux new -d 'steno review list'
(cd ~/.steno && git log --oneline) && make build
for f in ~/.steno/notebook/*; do cat $f; done
rm -rf ~/.steno-backup /tmp/steno
rm -rf /tmp/x/.steno
STENO_HOME=/tmp/h steno rules add "always test"
STENO_HOME=$(mktemp -d) .venv/bin/steno pause
export STENO_HOME=$(mktemp -d) && steno rules add x && steno down
python -c "import steno; print(steno.open().rules.all())"
python -c "print('steno rules retire 3f2a')"
python manage.py migrate --settings=shop.settings
vim ~/.zshrc
cat ~/.claude/settings.json
jq .hooks ~/.claude/settings.json
cp ~/.claude/settings.json /tmp/settings.json
sed -i 's/a/b/' settings.json
echo '{}' > .claude/settings.local.json
pre-commit run --hook-stage push; ls .git/hooks
git config core.hooksPath .hooks
systemctl --user status steno.service
pgrep -fl steno
kill 4242
""".strip().split("\n")
HONEST += [
    "git commit -m \"$(cat <<'EOF'\nSay what to do\n\nsteno rules retire 3f2a\nEOF\n)\"",
    "cat > NOTES.md <<EOF\nsteno rules retire 3f2a\nrm -rf ~/.steno\nEOF",
    "gh issue comment 1 --body-file - <<EOF\nsteno down\nEOF",
    "python3 - <<EOF\nprint('steno down')\nEOF",
]


class Machine:
    """A user with both hosts, our hooks in them, a home in the usual place, and a project."""

    def __init__(self, user: Path) -> None:
        self.user, self.home, self.project = user, user / ".steno", user / "srv" / "shop"
        self.environment = {"HOME": str(user), "PATH": "/nowhere", "STENO_HOME": str(self.home)}
        for folder in (".steno/notebook", ".claude", ".codex", "srv/shop/.claude"):
            (user / folder).mkdir(parents=True)
        (self.project / "link").symlink_to(self.home)
        (self.home / "steno.db").touch()
        for host in ("claude-code", "codex"):
            apply(plan(host, "install", self.environment))
        (user / ".codex" / "config.toml").write_text('model = "x"\n')

    def asked(self, tool: str, given: dict[str, Any]) -> list[Attempt]:
        action = Action(agent="bot", text=tool, tool=tool, input=given, directory=str(self.project))
        return attempts(action, self.home, partial(hook_file, environment=self.environment))

    def run(self, command: str) -> list[Attempt]:
        command = command.replace("/HOME", str(self.user)).replace("/srv/shop", str(self.project))
        return self.asked("Bash", {"command": command})

    def settings(self, host: str) -> Path:
        return self.user / (".claude/settings.json" if host == "claude-code" else ".codex/hooks.json")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "STENO_HOME"):
        monkeypatch.delenv(name, raising=False)
    return Machine(tmp_path)


# -- acts --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ACTS)
def test_a_command_that_only_a_person_may_run_is_seen(command: str, machine: Machine) -> None:
    verb, given = ACTS[command]
    found = machine.run(command)
    shown = [(one.verb, json.dumps(one.given).replace(str(machine.project), "/srv/shop")) for one in found]
    assert [(name, json.loads(text)) for name, text in shown] == [(verb, given)]


def test_an_act_names_its_piece_and_what_it_is_about(machine: Machine) -> None:
    [first, second, third] = machine.run(
        "make && steno rules retire 3f2a; steno flows retire deploy | cat; xargs steno rules retire 9e61"
    )
    assert (first.words, first.ids) == ("steno rules retire 3f2a", ("3f2a",))
    assert (second.words, second.ids) == ("steno flows retire deploy", ("deploy",))
    assert (third.given, third.ids) == ({"id": "9e61"}, ("9e61",))


@pytest.mark.parametrize("command", HONEST)
def test_what_anybody_may_do_is_not_held(command: str, machine: Machine) -> None:
    assert machine.run(command) == []


def test_variables_that_double_each_other_fill_no_memory(machine: Machine) -> None:
    doubled = "; ".join(f"a{n + 1}=$a{n}$a{n}" for n in range(40))
    assert len(machine.run(f"a0=steno; {doubled}; rm $a40 ~/.steno")) == 1


def test_a_folder_that_cannot_be_hides_no_change(machine: Machine) -> None:
    assert [one.verb for one in machine.asked("Write", {"file_path": "link/steno.db", "workdir": "\0"})] == ["edit"]


def test_an_act_is_seen_whatever_the_tool_is_called(machine: Machine) -> None:
    for tool, given in (
        ("exec_command", {"cmd": "steno down", "workdir": "/tmp"}),
        ("shell", {"command": ["bash", "-lc", "steno down"]}),
        ("mcp__term__run_in_terminal", {"command": "steno down"}),
        ("write_stdin", {"session_id": 3, "chars": "steno down\n"}),
    ):
        assert [one.verb for one in machine.asked(tool, given)] == ["stop"]
    assert machine.asked("Task", {"prompt": "run steno down"}) == []
    told = Action(agent="bot", text="steno down")
    assert [one.verb for one in attempts(told, machine.home, lambda _: None)] == ["stop"]


# -- the home ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", EDITS)
def test_a_command_that_changes_the_home_is_seen(command: str, machine: Machine) -> None:
    found = machine.run(command)
    paths = [one.given["path"].replace(str(machine.project / "link"), str(machine.home)) for one in found if one.given]
    assert [one.verb for one in found] == ["edit"]
    assert paths == [str(machine.home / EDITS[command]) if EDITS[command] else str(machine.home)]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": "/HOME/.steno/notebook/rules.md", "content": "x"}),
        ("Write", {"file_path": "~/.steno/settings.toml", "content": ""}),
        ("Edit", {"file_path": "../../.steno/notebook/rules.md", "old_string": "a", "new_string": ""}),
        (
            "MultiEdit",
            {"file_path": "link/notebook/rules.md", "edits": [{"old_string": "a", "new_string": ""}]},
        ),
        ("NotebookEdit", {"notebook_path": "/HOME/.steno/x.ipynb", "new_source": "x"}),
        ("apply_patch", {"input": "*** Begin Patch\n*** Delete File: ../../.steno/a\n*** End Patch\n"}),
        ("apply_patch", {"command": "*** Begin Patch\n*** Update File: a\n*** Move to: link/a\n*** End Patch\n"}),
        ("shell", {"command": ["apply_patch", "*** Begin Patch\n*** Add File: /HOME/.steno/a\n+x\n*** End Patch\n"]}),
        ("str_replace_based_edit_tool", {"command": "create", "path": "/HOME/.steno/a", "file_text": "x"}),
        ("search_replace", {"file_path": "/HOME/.steno/a", "old_string": "a", "new_string": "b"}),
        ("mcp__files__write_file", {"path": "/HOME/.steno/a", "content": "x"}),
        ("mcp__files__move_file", {"source": "a", "destination": "/HOME/.steno/a"}),
    ],
)
def test_a_tool_that_writes_below_the_home_is_seen(tool: str, given: dict[str, Any], machine: Machine) -> None:
    given = json.loads(json.dumps(given).replace("/HOME", str(machine.user)))
    assert [one.verb for one in machine.asked(tool, given)] == ["edit"]


def test_an_edit_of_a_page_names_the_entries_whose_lines_go_or_change(machine: Machine) -> None:
    page = machine.home / "notebook" / "rules.md"
    first, second = "- never push <!-- 9e619ac4b6e2 -->", "- always lint <!-- 000000000001 -->"
    page.write_text(f"# Rules\n{first}\n{second}\n")
    edit = {"file_path": str(page), "old_string": "always", "new_string": "never"}
    assert [one.ids for one in machine.asked("Edit", edit)] == [("000000000001",)]
    assert [one.ids for one in machine.asked("Write", {"file_path": str(page), "content": first})] == [
        ("000000000001",)
    ]
    assert [one.ids for one in machine.run("sed -i s/never/always/ ~/.steno/notebook/rules.md")] == [
        ("9e619ac4b6e2", "000000000001")
    ]
    assert [
        one.ids for one in machine.run("sqlite3 ~/.steno/steno.db \"delete from records where id = '9e619ac4b6e2'\"")
    ] == [("9e619ac4b6e2",)]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Read", {"file_path": "/HOME/.steno/notebook/rules.md"}),
        ("mcp__files__read_file", {"path": "/HOME/.steno/a"}),
        ("Grep", {"path": "/HOME/.steno", "pattern": "push"}),
        ("str_replace_based_edit_tool", {"command": "view", "path": "/HOME/.steno/a"}),
        ("Write", {"file_path": "/HOME/.steno-notes.md", "content": "see ~/.steno"}),
        ("Write", {"file_path": "docs/steno.md", "content": "steno rules retire 3f2a"}),
        ("apply_patch", {"input": "*** Begin Patch\n*** Add File: a\n+steno down\n+~/.steno\n*** End Patch\n"}),
    ],
)
def test_a_tool_that_reads_or_writes_elsewhere_is_not_held(tool: str, given: dict[str, Any], machine: Machine) -> None:
    assert machine.asked(tool, json.loads(json.dumps(given).replace("/HOME", str(machine.user)))) == []


def test_a_home_elsewhere_is_known_by_its_own_name(machine: Machine, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    for command, count in (("rm -r ../../memory/notebook", 1), ("rm -r ~/.steno", 0), ("rm $STENO_HOME/a", 1)):
        action = Action(agent="b", text="", tool="Bash", input={"command": command}, directory=str(machine.project))
        assert len(attempts(action, home, lambda _: None)) == count
    inside = Action(agent="b", text="", tool="Bash", input={"command": "git commit -am x"}, directory=str(home / "n"))
    assert [one.verb for one in attempts(inside, home, lambda _: None)] == ["edit"]


# -- hooks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_an_edit_is_held_if_a_hook_of_ours_would_go_or_change(host: str, machine: Machine) -> None:
    file = machine.settings(host)
    text = file.read_text()
    ours = json.loads(text)

    def held(after: str) -> bool:
        found = machine.asked("Write", {"file_path": str(file), "content": after})
        assert all(one == Attempt("hooks", {"path": str(file)}, f"Write {file}") for one in found)
        return bool(found)

    theirs = {"type": "command", "command": "say done"}
    more = json.loads(text)
    more["hooks"]["Stop"].append({"hooks": [theirs]})
    assert not held(json.dumps(more, indent=8))
    assert not held(text)
    fewer = json.loads(text)
    del fewer["hooks"]["PreToolUse"]
    slower = json.loads(text)
    slower["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] = 0
    never = json.loads(text)
    never["hooks"]["PreToolUse"][0]["matcher"] = "Nothing"
    assert held(json.dumps(fewer))
    assert held(json.dumps(slower))
    assert held(json.dumps(never))
    assert held("{}")
    assert held(text[:-20])
    assert ours["hooks"].keys() >= {"PreToolUse"}


def test_an_edit_of_settings_is_judged_by_what_it_leaves(machine: Machine) -> None:
    file = machine.settings("claude-code")
    file.write_text(file.read_text().replace("{", '{\n  "model": "opus",', 1))
    edit = {"file_path": str(file), "old_string": '"model": "opus"', "new_string": '"model": "sonnet"'}
    assert machine.asked("Edit", edit) == []
    assert machine.asked("MultiEdit", {"file_path": str(file), "edits": [edit]}) == []
    switch = {**edit, "new_string": '"disableAllHooks": true'}
    assert [one.verb for one in machine.asked("Edit", switch)] == ["hooks"]
    # What cannot be told is asked.
    assert [one.verb for one in machine.asked("Edit", {**edit, "old_string": "nowhere"})] == ["hooks"]
    assert [one.verb for one in machine.asked("insert_text", {"path": str(file), "insert_line": 3})] == ["hooks"]
    patch = f'*** Begin Patch\n*** Update File: {file}\n@@\n-  "model": "opus",\n+  "model": "SET",\n*** End Patch\n'
    assert machine.asked("apply_patch", {"input": patch}) == []
    off = patch.replace('"model": "SET"', '"disableAllHooks": true')
    assert [one.verb for one in machine.asked("apply_patch", {"input": off})] == ["hooks"]
    gone = f"*** Begin Patch\n*** Delete File: {file}\n*** End Patch\n"
    assert [one.verb for one in machine.asked("apply_patch", {"input": gone})] == ["hooks"]


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_project_may_have_settings_but_not_switch_hooks_off(name: str, machine: Machine) -> None:
    given = {"file_path": f".claude/{name}", "content": '{"model": "opus"}'}
    assert machine.asked("Write", given) == []
    assert machine.asked("Write", {**given, "content": "half a {"}) == []
    for off in ('{"disableAllHooks": true}', '{"disableAllHooks": false, "disableAllHooks": true}'):
        assert [one.verb for one in machine.asked("Write", {**given, "content": off})] == ["hooks"]


def test_codex_must_go_on_trusting_our_hooks(machine: Machine) -> None:
    config, hooks = machine.user / ".codex/config.toml", machine.settings("codex")
    given = {"file_path": str(config), "content": 'model = "y"\n'}
    assert machine.asked("Write", given) == []
    for off in ("[features]\nhooks = false\n", "no = toml = at all"):
        assert [one.verb for one in machine.asked("Write", {**given, "content": off})] == ["hooks"]
    from steno.doors.install import codex

    value = json.loads(hooks.read_text())
    group = value["hooks"]["PreToolUse"][0]
    trusted = codex._fingerprint("pre_tool_use", group.get("matcher"), group["hooks"][0])
    trust = f'[hooks.state."{hooks}:pre_tool_use:0:0"]\ntrusted_hash = "{trusted}"\n'
    config.write_text(trust)
    assert machine.asked("Write", {**given, "content": f'model = "z"\n{trust}'}) == []
    assert [one.verb for one in machine.asked("Write", given)] == ["hooks"]
    assert [one.verb for one in machine.run("sed -i s/sha/x/ ~/.codex/config.toml")] == ["hooks"]


@pytest.mark.parametrize(
    "command",
    [
        "sed -i '/steno/d' ~/.claude/settings.json",
        "jq 'del(.hooks)' ~/.claude/settings.json > /tmp/s && mv /tmp/s ~/.claude/settings.json",
        "echo '{}' > ~/.claude/settings.json",
        "rm ~/.codex/hooks.json",
        "cp /tmp/old.json $HOME/.codex/hooks.json",
        "cd ~/.claude && cp /tmp/old.json settings.json",
        "python3 -c \"import json; json.dump({}, open('/HOME/.claude/settings.json', 'w'))\"",
        "echo '{\"disableAllHooks\": true}' > .claude/settings.local.json",
    ],
)
def test_a_command_that_changes_settings_with_our_hooks_is_seen(command: str, machine: Machine) -> None:
    assert [one.verb for one in machine.run(command)] == ["hooks"]


def test_hosts_are_looked_for_where_their_users_put_them(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = machine.user / "cc"
    folder.mkdir()
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        machine.environment[name] = str(folder)
        monkeypatch.setenv(name, str(folder))
    for host in ("claude-code", "codex"):
        apply(plan(host, "install", machine.environment))
    for command in ("rm $CLAUDE_CONFIG_DIR/settings.json", "rm $CODEX_HOME/hooks.json", "rm ~/cc/hooks.json"):
        assert [one.verb for one in machine.run(command)] == ["hooks"]


# -- cost, and bad input -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["\0", "rm '" * 400, "steno rules retire \0", "steno " * 2000, "bash -c '" * 300, "~" * 9000]
)
def test_whatever_is_in_a_command_it_is_judged(command: str, machine: Machine) -> None:
    assert len(machine.run(command)) <= 1
    assert isinstance(machine.asked("Write", {"file_path": command, "content": command}), list)


def test_a_call_that_names_nothing_of_this_costs_next_to_nothing(machine: Machine) -> None:
    """A fifth of what the gate takes to read the same command."""
    from steno.language.shell import parts

    command = "cd /srv/app && git add -A && git commit -m 'mend the login' && git push"
    action = Action(agent="b", text="x", tool="Bash", input={"command": command}, directory="/srv/app")

    def seconds(times: int, run: Any) -> float:
        begun = time.perf_counter()
        for _ in range(times):
            run()
        return time.perf_counter() - begun

    took = min(seconds(200, lambda: attempts(action, machine.home, lambda _: None)) for _ in range(20))
    assert took < min(seconds(200, lambda: parts(command)) for _ in range(20))
