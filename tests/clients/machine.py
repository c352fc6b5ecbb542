"""A machine on which the real clients run: its own HOME and TMPDIR, a fake key, a project, the stand-in model, and no
way to any other network. Every program has a deadline, and is ended by its id."""

import json
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, TypeVar

import steno

from .model import Model
from .terminal import Terminal, at_a_terminal, in_front_of

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / ".clients" / "node_modules"
# A client answers within two seconds on two idle cores; more than this is a hang.
_SECONDS = 60

T = TypeVar("T")
Speak = Callable[[Any], None]


def program(pattern: str) -> Path | None:
    """The native program of a client, whatever machine it was installed for."""
    return next(iter(sorted(CLIENTS.glob(pattern))), None)


def _folders() -> list[str]:
    found = (program(host.pattern) for host in (ClaudeCode, Codex))
    return [str(path.parent) for path in found if path is not None]


class Machine:
    """One user's machine."""

    def __init__(self, folder: Path, model: Model) -> None:
        self.home = folder / "home"
        self.project = folder / "shop"
        self.model = model
        self.temporary = folder / "tmp"
        for place in (self.home, self.project, self.temporary):
            place.mkdir()
        self.environment = {
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "PATH": ":".join([str(Path(sys.executable).parent), *_folders(), "/usr/bin", "/bin"]),
            "PYTHONPATH": str(Path(steno.__file__).parents[1]),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "STENO_EMBEDDING": "off",
            # What is told counts here; how fast it comes is measured elsewhere, on a machine that does nothing else.
            "STENO_HOOK_MS": "10000",
            "STENO_START_MS": "10000",
            # Whoever wants to go anywhere but to loopback has to ask the stand-in, which refuses and remembers.
            "HTTPS_PROXY": model.url,
            "HTTP_PROXY": model.url,
            "NO_PROXY": "127.0.0.1",
        }
        # Codex takes the PATH of the user's login shell.
        (self.home / ".profile").write_text(f'PATH="{Path(sys.executable).parent}:$PATH"\n', "utf-8")
        self.run(["git", "init", "--quiet"])

    def run(
        self, command: Sequence[str | Path], stdin: int = subprocess.DEVNULL, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """A program run in the project; its process is killed if it does not end."""
        done = subprocess.run(
            [str(part) for part in command], cwd=self.project, env=self.environment | more, stdin=stdin,
            capture_output=True, encoding="utf-8", timeout=_SECONDS, start_new_session=True,
        )  # fmt: skip
        assert done.returncode == 0, f"{command[0]} left with {done.returncode}: {done.stderr}{done.stdout}"
        return done

    @contextmanager
    def running(self, command: Sequence[str | Path], **more: str) -> Iterator[tuple[Speak, Iterator[Any]]]:
        """A program to talk with in lines of JSON; killed if it takes too long."""
        process = subprocess.Popen(
            [str(part) for part in command], cwd=self.project, env=self.environment | more, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8",
        )  # fmt: skip
        alarm = threading.Timer(_SECONDS, process.kill)
        alarm.start()
        try:
            with process:
                assert process.stdin is not None
                assert process.stdout is not None
                sent, heard = process.stdin, process.stdout

                def say(message: Any) -> None:
                    sent.write(f"{json.dumps(message)}\n")
                    sent.flush()

                yield say, (json.loads(line) for line in heard)
                sent.close()
                heard.read()
        finally:
            alarm.cancel()
        assert process.returncode == 0, f"{command[0]} left with {process.returncode}"

    # -- Steno -------------------------------------------------------------------------------------------------------

    def steno(self, *args: str | Path) -> str:
        """What a command of Steno prints that a person types: it has a terminal of its own."""
        end, its = pty.openpty()
        try:
            return self.run(at_a_terminal([sys.executable, "-m", "steno", *args]), stdin=its).stdout
        finally:
            os.close(its)
            os.close(end)

    def rows(self, *args: str | Path) -> list[dict[str, Any]]:
        """What a command of Steno prints as JSON, an object per line."""
        return [json.loads(line) for line in self.steno(*args, "--json").splitlines()]

    def turns(self, session: str) -> list[tuple[str, str, str]]:
        """Role, kind and words of every turn of a session."""
        return [(turn["role"], turn["kind"], turn["text"]) for turn in self.rows("turns", session)]

    def until(self, look: Callable[[], T], wanted: T) -> None:
        """Waits until a look shows what is wanted: what the daemon does behind its clients takes a moment."""
        deadline = monotonic() + _SECONDS
        while (seen := look()) != wanted and monotonic() < deadline:
            threading.Event().wait(0.1)
        assert seen == wanted

    @contextmanager
    def daemon(self) -> Iterator[str]:
        """Steno running in the background, and what it said when it was started."""
        started = self.steno("up")
        try:
            yield started
        finally:
            self.steno("stop")


class Client(Protocol):
    """A host as a person uses it without its screen. Each call gives the id of the session it left behind."""

    name: str
    # Where its native program lies below the installed packages.
    pattern: str

    def start(self, prompt: str) -> str:
        """A new session."""

    def resume(self, session: str, prompt: str) -> str:
        """The same session, later."""

    def fork(self, session: str, prompt: str) -> str:
        """A new session that begins with the words of another."""

    def compact(self, session: str, prompt: str) -> str:
        """The session goes on after its context was compacted."""


class ClaudeCode:
    """Claude Code without a screen."""

    name = "claude-code"
    pattern = "@anthropic-ai/claude-code-*/claude"

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def start(self, prompt: str, *options: str) -> str:
        return self._print(prompt, *options)

    def resume(self, session: str, prompt: str) -> str:
        return self._print(prompt, "--resume", session)

    def fork(self, session: str, prompt: str) -> str:
        return self._print(prompt, "--resume", session, "--fork-session")

    def compact(self, session: str, prompt: str) -> str:
        return self.talk("/compact", prompt, session=session)

    def talk(self, *prompts: str, session: str | None = None) -> str:
        """One process, as somebody has it who stays: each prompt after the answer to the last."""
        going_on = ["--resume", session] if session else []
        command = self._command("stream-json", "--input-format", "stream-json", "--verbose", *going_on)
        with self._machine.running(command, **self._model) as (say, hear):
            for prompt in prompts:
                say({"type": "user", "message": {"role": "user", "content": prompt}})
                # What a turn ends with is of this type, or has none at all.
                result = next(event for event in hear if event.get("type", "result") == "result")
        return str(result["session_id"])

    @contextmanager
    def in_front(self) -> Iterator[Terminal]:
        """Its screen, in the mode that asks; what it asks a new user is answered, and every command allowed."""
        known = {
            "hasCompletedOnboarding": True,
            "customApiKeyResponses": {"approved": [self._model["ANTHROPIC_API_KEY"]], "rejected": []},
            "projects": {str(self._machine.project): {"hasTrustDialogAccepted": True}},
        }
        (self._machine.home / ".claude.json").write_text(json.dumps(known), "utf-8")
        quiet = {"CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1"}
        command = [self._program, "--permission-mode", "default", "--allowedTools=Bash"]
        environment = self._machine.environment | self._model | quiet
        with in_front_of(command, self._machine.project, environment) as terminal:
            terminal.until("/effort")
            yield terminal

    def plain(self, *args: str | Path) -> str:
        """What a command of it prints."""
        return self._machine.run([self._program, *args], **self._model).stdout

    def _print(self, prompt: str, *options: str) -> str:
        printed = self._machine.run([*self._command("json", *options), prompt], **self._model).stdout
        result = json.loads(printed)
        assert not result["is_error"], printed
        return str(result["session_id"])

    def _command(self, output: str, *options: str) -> list[str | Path]:
        return [self._program, "--print", "--allowedTools=Bash", "--output-format", output, *options]

    @property
    def _model(self) -> dict[str, str]:
        return {
            "ANTHROPIC_BASE_URL": self._machine.model.url,
            "ANTHROPIC_API_KEY": "sk-ant-fake",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }

    @property
    def _program(self) -> Path:
        found = program(self.pattern)
        assert found is not None
        return found


class Codex:
    """Codex without a screen."""

    name = "codex"
    pattern = "@openai/codex-*/vendor/*/bin/codex"
    # Whether hooks are run that nobody reviewed; a person does that on its screen.
    trusting = True

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        folder = machine.home / ".codex"
        folder.mkdir()
        (folder / "config.toml").write_text(
            f"""model = "stand-in"
model_provider = "stand-in"
check_for_update_on_startup = false
analytics.enabled = false
features = {{ plugins = false, apps = false }}

[model_providers.stand-in]
name = "stand-in"
base_url = "{machine.model.url}/v1"
env_key = "STAND_IN_KEY"
wire_api = "responses"
supports_websockets = false
""",
            "utf-8",
        )

    def start(self, prompt: str) -> str:
        return self._exec(prompt)

    def resume(self, session: str, prompt: str) -> str:
        return self._exec("resume", session, prompt)

    def fork(self, session: str, prompt: str) -> str:
        return self._exec("fork", session, prompt)

    def compact(self, session: str, prompt: str) -> str:
        """It has no command for it without a screen: the context is full when the session goes on."""
        limit = self._machine.model.used_tokens
        return self._exec("resume", session, prompt, config=f"model_auto_compact_token_limit={limit}")

    @property
    def version(self) -> str:
        """Which one it is."""
        found = program(self.pattern)
        assert found is not None
        return self._machine.run([found, "--version"]).stdout.split()[-1]

    def _exec(self, *args: str, config: str = "hide_agent_reasoning=true") -> str:
        found = program(self.pattern)
        assert found is not None
        command: list[str | Path] = [
            found, "exec", "--json", "--sandbox", "danger-full-access", "--skip-git-repo-check",
            *(["--dangerously-bypass-hook-trust"] if self.trusting else []), "-c", config, *args,
        ]  # fmt: skip
        done = self._machine.run(command, STAND_IN_KEY="fake")
        events = [json.loads(line) for line in done.stdout.splitlines()]
        return str(next(event["thread_id"] for event in events if event["type"] == "thread.started"))
