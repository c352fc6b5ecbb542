"""What people do all day: in every terminal, beside agents at work, in scripts. Nothing holds them up."""

import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from .machine import STENO, Machine, Ran
from .ways import CLAUDE, CODEX, by_tmux, library, retire, typed_clean

# What a command finds that a person runs with `!` in Codex.
CODEX_TYPED: Final = {name: text for name, text in CODEX.items() if name in ("CODEX_THREAD_ID", "CODEX_SESSION_ID")}


class Deed(NamedTuple):
    """Something a person does; if it is given a rule, it ends that."""

    name: str
    go: Callable[[Machine, str], Ran]
    first: Callable[[Machine, str], Any] = lambda machine, rule: None
    ends_rule: bool = True
    evidence: str = "a terminal"
    # Taken for an agent's by mistake.
    is_held: bool = False


def typed_in(name: str, **environment: str) -> Deed:
    """`steno rules retire` in a terminal with these variables."""
    return Deed(name, lambda m, rule: m.steno(*retire(rule), terminal=True, **environment))


def shell(name: str, line: str, **how: Any) -> Deed:
    """A line of a shell in a terminal; `STENO` and `RULE` stand for what they say."""

    def go(machine: Machine, rule: str) -> Ran:
        told = line.replace("STENO", " ".join(STENO)).replace("RULE", rule)
        return machine.run(["bash", "-c", f"set -o pipefail; {told}"], terminal=True, **how)

    return Deed(name, go)


def beside(name: str, command: str, **how: Any) -> Deed:
    """In a second window, while a call of an agent is under way in the first."""
    return Deed(name, typed_clean, first=lambda m, rule: m.calls(command.replace("RULE", rule), **how))


def does(*words: str) -> Deed:
    """A command of every day, in a terminal."""
    return Deed(f"steno {' '.join(words)}", lambda m, rule: m.steno(*words, terminal=True), ends_rule=False)


def by_su(machine: Machine, rule: str) -> Ran:
    """`su`, and the command typed into its shell."""
    line = f"{' '.join((*STENO, *retire(rule)))}; exit\n"
    told = machine.types_keys(["su", "--preserve-environment"], ("", line), SHELL="/bin/sh")
    return Ran(0 if "Retired" in told else 1, told, "")


def by_repl(machine: Machine, rule: str) -> Ran:
    """Python's prompt."""
    told = machine.types_keys(
        [sys.executable, "-q"], (">>> ", "import steno\n"),
        (">>> import", f"steno.open().rules.retire('{rule}').status\n"), ("'retired'", "exit()\n"),
        PYTHON_BASIC_REPL="1",
    )  # fmt: skip
    return Ran(0, told, "")


def by_library(rule: str) -> list[str]:
    """The same by a program of theirs."""
    return library(f"memory.rules.retire({rule!r})")


def typed_bang(host: str, environment: dict[str, str]) -> Callable[[Machine, str], Ran]:
    """`! steno …` in a host: it notes what was typed, then runs it without a terminal."""

    def go(machine: Machine, rule: str) -> Ran:
        machine.types(f"steno rules retire {rule}", host=host)
        return machine.steno(*retire(rule), **environment)

    return go


def sleeps(machine: Machine, rule: str) -> None:
    """Scripts are allowed."""
    machine.person("store", "scripts", "on")


CRON_SHELL: Final = ["sh", "-c", '"$@"; exit $?', "-"]
CRON: Final = {"SHELL": "/bin/sh", "LOGNAME": "ada", "USER": "ada"}
EDITORS: Final = {
    "VS Code": {"TERM_PROGRAM": "vscode", "VSCODE_INJECTION": "1", "VSCODE_IPC_HOOK_CLI": "/tmp/x.sock",
                "VSCODE_GIT_ASKPASS_NODE": "/usr/share/code/code"},
    "Cursor": {"TERM_PROGRAM": "vscode", "CURSOR_TRACE_ID": "abc", "CURSOR_LAYOUT": "editor",
               "CURSOR_EXTENSION_HOST_ROLE": "user"},
    "JetBrains": {"TERMINAL_EMULATOR": "JetBrains-JediTerm"},
    "Zed": {"ZED_TERM": "true", "TERM_PROGRAM": "zed"},
    "Warp": {"TERM_PROGRAM": "WarpTerminal", "WARP_IS_LOCAL_SHELL_SESSION": "1"},
    "Windsurf": {"CODEIUM_EDITOR_APP_ROOT": "/opt/windsurf"},
    "an editor with Claude Code in it": {"CLAUDE_CODE_SSE_PORT": "4711", "ENABLE_IDE_INTEGRATION": "true"},
    "an editor with Gemini in it": {"GEMINI_CLI_IDE_SERVER_PORT": "4712", "GEMINI_CLI_IDE_WORKSPACE_PATH": "/x"},
    "Emacs": {"INSIDE_EMACS": "29.4,comint", "TERM": "dumb", "PAGER": "cat"},
    "Replit": {"REPL_ID": "abc"},
    "goose's own shell": {"AGENT_SESSION_ID": "20261119_1", "GOOSE_PROVIDER": "anthropic"},
    "OpenClaw's own shell": {"OPENCLAW_SHELL": "tui-local"},
}  # fmt: skip
HONEST: Final = [
    typed_in("a plain terminal"),
    shell("| cat", "STENO rules retire RULE | cat"),
    shell("2> file", "STENO rules retire RULE 2> $TMPDIR/err"),
    shell("< file", "STENO rules retire RULE < /etc/hostname"),
    shell("echo id | xargs", "echo RULE | xargs STENO rules retire"),
    shell("in the background of a shell", "STENO rules retire RULE & wait $!"),
    shell("a script of their own", "echo 'STENO rules retire RULE' > $TMPDIR/s.sh; sh $TMPDIR/s.sh"),
    shell("a script about claude", "echo 'STENO rules retire RULE; exit $?' > $TMPDIR/t; sh $TMPDIR/t claude"),
    shell("make pi", "printf 'pi:\\n\\t@STENO rules retire RULE\\n\\t@true\\n' > $TMPDIR/Makefile; make -C $TMPDIR pi"),
    shell("as the user hermes", "echo 'STENO rules retire RULE; exit $?' > hermes; (exec -a sudo sh -u hermes bash)"),
    typed_in("over ssh", SSH_TTY="/dev/pts/3", SSH_CONNECTION="10.0.0.2 5 10.0.0.1 22", SSH_CLIENT="10.0.0.2 5 22"),
    typed_in("tmux, by its variables", TMUX="/tmp/tmux-0/default,1,0", TMUX_PANE="%0", TERM="tmux-256color"),
    typed_in("screen, by its variables", STY="1.claude", TERM="screen", WINDOW="0"),
    Deed("tmux, a session called claude", by_tmux),
    Deed("su", by_su),
    *(typed_in(f"the terminal of {name}", **environment) for name, environment in EDITORS.items()),
    typed_in("keys of services", ANTHROPIC_API_KEY="x", OPENAI_API_KEY="x", COPILOT_GITHUB_TOKEN="x"),
    typed_in("settings of hosts", CLAUDE_CODE_USE_BEDROCK="1", CLAUDE_CODE_MAX_OUTPUT_TOKENS="9", COPILOT_MODEL="x"),
    Deed("folders of hosts", lambda m, rule: m.steno(
        *retire(rule), terminal=True, CLAUDE_CONFIG_DIR=str(m.home / "c"), CODEX_HOME=str(m.home / "d"))),
    typed_in("CI, and an agent of ssh", CI="true", SSH_AUTH_SOCK="/tmp/a", SSH_AGENT_PID="5", AGENT="x"),
    Deed("the library, in a script on a terminal", lambda m, rule: m.run(by_library(rule), terminal=True)),
    Deed("the library, at Python's prompt", by_repl),
    beside("while an agent runs tests", "npm test"),
    beside("while an agent reads our rules", "steno rules --json"),
    beside("while an agent looks for steno", "grep -rn steno . | head"),
    # What is looked for reads like what is run.
    beside("while an agent looks for the command", "grep -rn 'steno rules retire' docs")._replace(is_held=True),
    beside("while an agent asks for another act", "steno forget --text secret --yes"),
    beside("while an agent writes a page", "/x/.steno/notebook/rules.md", tool="Write"),
    beside("while a call of an hour ago never ended", "steno rules retire RULE", ago=4000),
    beside("after an agent's call that was held", "steno rules retire RULE", ago=30, ended=20),
    Deed("! steno … in Claude Code", typed_bang("claude-code", CLAUDE), evidence="typed into the host"),
    Deed("! steno … in Codex", typed_bang("codex", CODEX_TYPED), evidence="typed into the host"),
    Deed("an allowed script", lambda m, rule: m.steno(*retire(rule)), sleeps, evidence="an allowed script"),
    Deed("an allowed job of cron", lambda m, rule: m.steno(*retire(rule), below=CRON_SHELL, **CRON), sleeps,
         evidence="an allowed script"),
    Deed("an allowed script with the library", lambda m, rule: m.run(by_library(rule)), sleeps,
         evidence="an allowed script"),
    Deed("capture PATH in a script", lambda m, rule: m.steno("capture", str(m.forged())), ends_rule=False),
    Deed("capture PATH with the library", lambda m, rule: m.run(library(f"memory.capture({str(m.forged())!r})")),
         ends_rule=False),
    does("status"), does("rules"), does("recall", "friday"), does("review"), does("read"), does("pause"),
    does("pause", "off"), does("forget", "--text", "friday", "--yes"), does("capture", "--all"),
    does("capture", "exclude", "/private"), does("rules", "add", "--everywhere", "always", "run", "make", "lint"),
    does("entries", "remember", "--category", "decision", "We", "use", "PDF."), does("notebook", "sync"),
    does("notebook"), does("store", "rebuild"), does("store", "doctor"),
    does("install", "codex", "--yes"), does("uninstall", "claude-code", "--yes"), does("stop"),
    does("agents", "set", "blog-bot", "--domain", "WEB"), does("upkeep", "run", "all"), does("store", "redact"),
]  # fmt: skip
