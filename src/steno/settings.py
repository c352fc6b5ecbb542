"""Settings are data: one table with name, default and a line of help. File, environment and reference page read it."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from steno import client
from steno.files import write_whole
from steno.vocabulary.errors import BadSetting


class Setting(Struct, frozen=True):
    """One thing a user may choose."""

    name: str
    default: bool | int | float | str | list[str]
    help: str
    # Of a text. Empty: any.
    choices: tuple[str, ...] = ()


SETTINGS: Final = (
    Setting(
        "sources",
        ["claude-code", "codex", "openclaw", "pi"],
        "hosts whose own places `capture --all` and `--watch` read",
    ),
    Setting("capture_assistant", True, "keep what the assistant and its tools said, not only the human"),
    Setting("auto_capture", True, "capture by itself: `steno up` and hooks; off: only `steno capture` does"),
    Setting("redact_patterns", [], "your own patterns (RE2) of text that must never be stored"),
    Setting(
        "embedding",
        "minilm",
        "what turns text into vectors: minilm (on this machine), off, ollama:NAME, openai:NAME",
    ),
    Setting(
        "embedding_url",
        "",
        "the server of an ollama: model (unset: this machine's) or of an openai: model (no default)",
    ),
    Setting("embedding_key", "", "the key that server asks for; better set as STENO_EMBEDDING_KEY than in the file"),
    Setting(
        "model",
        "",
        "the model that makes better notes: anthropic:NAME, openai:NAME, gemini:NAME or command:PROGRAM; empty: none",
    ),
    Setting(
        "model_url", "", "its server, where that is not the provider's own: Ollama, llama.cpp, vLLM, OpenRouter, …"
    ),
    Setting("model_key", "", "the key that server asks for; better set as STENO_MODEL_KEY than in the file"),
    Setting("model_fallback", "", "the model that is asked where the first one fails; empty: none"),
    Setting("model_fallback_url", "", "the server of that one"),
    Setting("model_fallback_key", "", "the key for it; better set as STENO_MODEL_FALLBACK_KEY"),
    Setting("model_money_a_day", 0.0, "dollars a model may cost in 24 hours; 0: none that costs money is asked"),
    Setting(
        "model_tokens_a_day",
        0,
        "tokens in and out in 24 hours; 0: no model that is free (local, or on a subscription) is asked",
    ),
    Setting("model_tokens_a_call", 60_000, "tokens in and out that one call may take"),
    Setting("model_hours", "", "the hours in which it is asked, such as 22-6, by this machine's time; empty: all"),
    Setting("model_seconds", 60, "how long an answer may take"),
    Setting("model_not_for", [], "folders and projects of which no model is told anything"),
    Setting(
        "auto_recall",
        "strict",
        "what an agent is told unasked at a prompt: strict (only what it names), top_k (what fits best), off",
        ("strict", "top_k", "off"),
    ),
    Setting("recall_top_k", 5, "how many entries `top_k` tells at a prompt, at most"),
    Setting(
        "session_reflection",
        True,
        "at a session's end take in at once what it taught; that loses weight while nobody uses it",
    ),
    Setting(
        "reflection_half_days", 60, "after how many days without use it has lost half of that; 0: it loses nothing"
    ),
    Setting("reflection_slope", 15, "over about how many days, before and after, it loses most of it"),
    Setting("hook_ms", 300, "how many milliseconds an agent waits for us at a prompt or a tool call, at most"),
    Setting("start_ms", 1000, "the same at the start of a session and around a compaction"),
    Setting("done_days", 3, "after how many days what is done is laid aside (archived)"),
    Setting("open_days", 30, "after how many days without a word an open task or promise is laid aside"),
    Setting("night_at", "03:00", "when the night's upkeep begins, by this machine's time"),
    Setting("curate_pause_minutes", 30, "how long the night waits after its audit"),
    Setting("prune_pause_minutes", 45, "how long it waits before it prunes"),
    Setting("off_peak_hours", "22-8", "hours in which it does what takes longer"),
    Setting("fresh_hours", 24, "how old something must be before upkeep lays it aside or calls it stale"),
    Setting("prune_days", 7, "after how many days what expires, or nobody needed, is laid aside"),
    Setting("prune_share", 0.05, "share of what holds that one night may lay aside, at most; 0: nothing"),
    Setting("observations_most", 100, "observations of a project without a tag at which they are trimmed"),
    Setting("observations_kept", 60, "how many of them stay then; what has a tag or a person said always stays"),
    Setting("index_days", 3, "after how many days an index of the notebook that lags behind is flagged"),
    Setting("rules_most", 100, "rules in force for one agent beyond which the audit says so"),
    Setting("recent_days", 7, "how many days back upkeep looks for what belongs together and for drift"),
    Setting("quiet_minutes", 30, "after how many minutes without a word upkeep goes over the day"),
    Setting("curate_most", 8, "how many facts worth knowing for good upkeep takes from one day, at most"),
    Setting("unused_days", 30, "after how many days what nobody recalled or used is flagged"),
    Setting("link_half_days", 30, "in how many days a link between two entries that nobody uses loses half its weight"),
    Setting("memory_bytes", 5_000, "how many bytes an index of the notebook (MEMORY.md) may have, at most"),
    Setting("pulse_minutes", 5, "how often `steno up` looks whether the work of an agent with pulse on stands still"),
    Setting("pulse_quiet_minutes", 10, "after how many minutes without a word it does"),
    Setting("pulse_human_minutes", 30, "for how many minutes after a person's last word nobody is woken beside them"),
    Setting("pulse_key", "", "the key that agents' webhooks ask for; better set as STENO_PULSE_KEY than in the file"),
    Setting(
        "keychain", False, "ask the machine's keychain which capabilities have an entry there: names, never values"
    ),
    Setting("rescan_seconds", 30, "how often `--watch` looks at everything again, should an event be missed"),
    Setting("http_port", 0, "the port of this machine on which `steno up` serves HTTP and MCP; 0: none"),
    Setting("busy_seconds", 90, "how long to wait for somebody else's lock on a database"),
)


class Chosen(Struct, frozen=True):
    """A setting with its value and where it came from: `default`, `file` or `environment`."""

    setting: Setting
    value: Any
    origin: str


class Settings:
    """The values in force for one home."""

    def __init__(self, home: Path, environment: Mapping[str, str]) -> None:
        self.home = home
        self.file = home / "settings.toml"
        written = _read(self.file)
        known = {setting.name for setting in SETTINGS}
        if strangers := sorted(written.keys() - known):
            raise BadSetting(
                f"{self.file} sets {strangers[0]!r}, which is no setting", hint="`steno store settings` lists them"
            )
        self._chosen = {setting.name: _choose(setting, written, environment) for setting in SETTINGS}

    def __getitem__(self, name: str) -> Any:
        return self._chosen[name].value

    def all(self) -> list[Chosen]:
        """Every setting, in the order of the table."""
        return list(self._chosen.values())


def choose(home: Path, values: Mapping[str, str | int]) -> Path:
    """Write what a user chose into the file of a home that does not say it yet, below what is there."""
    file = home / "settings.toml"
    chosen = _read(file)
    # A text of JSON is one of TOML, and so is a number.
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in values.items() if name not in chosen]
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = file.read_text("utf-8") if file.exists() else ""
    text = before + ("\n" if before and not before.endswith("\n") else "") + "".join(lines)
    with write_whole(file) as fresh:
        fresh.write(text.encode())
    return file


def home_of(environment: Mapping[str, str]) -> Path:
    """STENO_HOME, else ~/.steno."""
    return Path(client.home_of(environment.get("STENO_HOME")))


def _choose(setting: Setting, written: dict[str, Any], environment: Mapping[str, str]) -> Chosen:
    variable = f"STENO_{setting.name.upper()}"
    if variable in environment:
        return Chosen(setting, _parse(setting, environment[variable], variable), "environment")
    if setting.name in written:
        return Chosen(setting, _check(setting, written[setting.name], "settings.toml"), "file")
    return Chosen(setting, setting.default, "default")


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSetting(f"cannot read {file}: {error}", hint="mend the file or remove it") from error


def _parse(setting: Setting, text: str, place: str) -> Any:
    """A value given as text. A list is a TOML list, or its parts one per line, or (names only) separated by commas."""
    value: Any = text
    try:
        if isinstance(setting.default, bool):
            value = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}[text.lower()]
        elif isinstance(setting.default, int | float):
            value = float(text) if "." in text else int(text)
        elif isinstance(setting.default, list):
            value = _parse_list(setting, text)
    except (KeyError, ValueError):
        value = None
    return _check(setting, value, place, shown=text)


def _parse_list(setting: Setting, text: str) -> Any:
    if text.lstrip().startswith("["):
        try:
            return tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            pass
    # A pattern or a path may hold a comma; the name of a source cannot.
    separator = "," if setting.name == "sources" else "\n"
    return [part.strip() for part in text.split(separator) if part.strip()]


def _check(setting: Setting, value: Any, place: str, *, shown: str | None = None) -> Any:
    default = setting.default
    number = isinstance(default, int | float) and not isinstance(default, bool)
    good = (
        isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
        if number
        else isinstance(value, type(default))
        and (not isinstance(value, list) or all(isinstance(v, str) for v in value))
        and (not setting.choices or value in setting.choices)
    )
    if not good:
        wanted = "a number" if number else {bool: "true or false", list: "a list of texts"}.get(type(default), "a text")
        wanted = f"one of {', '.join(setting.choices)}" if setting.choices else wanted
        raise BadSetting(f"{setting.name} in {place} must be {wanted}, not {shown or value!r}", hint=setting.help)
    return value
