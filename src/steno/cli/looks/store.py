"""The store, the daemon beside it, and what comes of moving or making anew."""

import json
import os
from collections.abc import Mapping
from typing import Any, Final

from steno.cli.daemon import tell_problems
from steno.cli.looks.capture import learnt, vectors
from steno.cli.looks.care import model_line
from steno.cli.show import Piece, laid_out, on_terminal, say, write
from steno.cli.table import Column, Rows
from steno.cli.words import by_kind, in_words, many, share, size, span, when
from steno.hidden import escaped
from steno.verbs import VERBS

# More rows than a screen has lines help nobody.
_ROWS: Final = 20
# What is counted, in words for a person; a record is called by what it does.
_NAMES: Final = {
    "turn": "turn",
    "pause": "pause",
    "excluded": "exclusion",
    "tombstone": "tombstone",
    "receipt": "receipt",
    "remember": "remembered entry",
}


# -- status ----------------------------------------------------------------------------------------------------------


def _status(found: Any, given: Mapping[str, Any]) -> None:
    _totals(found)
    _daemon(found.daemon)
    if found.sessions:
        say()
        shown = found.sessions[:_ROWS] if laid_out() else found.sessions
        Rows(_SESSIONS)(shown)
        if len(shown) < len(found.sessions):
            older = f"… and {len(found.sessions) - _ROWS:,} older sessions: `steno status | less` shows all"
            say((older, "dim"))
    if found.unheard:
        say(("unheard  ", "red"), found.unheard)
    for flag in found.flags:
        say(("flag     ", "yellow"), flag)
    for silent in found.silent:
        say(("silent   ", "yellow"), silent)
    for problem in found.problems:
        say(("problem  ", "red"), in_words(problem))
    if found.problems:
        say(("         what need not be read: `steno capture exclude PATH`", "dim"))


def _without_store(given: Mapping[str, Any], *, as_json: bool) -> bool:
    """Ask; where the store cannot be opened, the daemon may say since when."""
    from steno.cli.answering import ask

    try:
        ask(VERBS["status"], given, as_json=as_json, look=_status)
    except Exception as error:
        from steno.vocabulary.errors import StenoError

        if isinstance(error, StenoError) and not as_json:
            from steno.daemon import control
            from steno.settings import home_of

            _daemon(control.ask(home_of(os.environ)))
        raise
    return False


def _totals(found: Any) -> None:
    say((many(found.turns, "turn"), "bold"), f" in {many(len(found.sessions), 'session')}, {size(found.disk_bytes)}")
    if not found.turns:
        say("Nothing is captured yet. `steno capture --all` reads the whole history.")
        say("Then `steno recall` finds it again; `steno install` lets it happen by itself.")
    if found.paused:
        say((f"paused    since {when(found.paused)}: nothing is captured; `steno pause off` goes on", "yellow"))
    if found.entries:
        say(("entries   ", "dim"), f"{found.entries:,}")
    if found.turns:
        say(("recall    ", "dim"), *_recall(found.recall))
    if found.model.model:
        say(("model     ", "dim"), *model_line(found.model))
    if found.lines_seen:
        lines = f"{found.lines_seen:,} seen, {found.lines_bad:,} bad, {found.lines_mended:,} mended"
        say(("lines     ", "dim"), (lines, "yellow" if found.lines_bad else ""))
        say(("gaps      ", "dim"), (f"{found.gaps:,}", "yellow" if found.gaps else ""))
    if found.redacted:
        say(("redacted  ", "dim"), by_kind(found.redacted))
    for pattern in found.excluded:
        say(("excluded  ", "dim"), pattern)


def _recall(now: Any) -> list[Piece]:
    if now.note:
        return [f"{many(now.vectors, 'turn')} with vectors; ", (now.note, "yellow")]
    if not now.vectors:
        return ["by words only; vectors are switched off"]
    return [f"{many(now.vectors, 'turn')} with vectors", (f"  {now.model}", "dim")]


def _daemon(vitals: Any) -> None:
    """How the daemon is."""
    from steno.daemon.heartbeat import alarms
    from steno.daemon.lock import holder
    from steno.settings import home_of

    home = home_of(os.environ)
    for alarm in alarms(home):
        say(("alarm     ", "red"), alarm)
    if vitals is not None:
        since = f"runs for {span(vitals.uptime_s)}, process {vitals.pid}, {vitals.anonymous_mb:g} MB"
        hooks = f", {many(vitals.hooks.get('answered', 0), 'hook')} answered"
        missed = vitals.hooks.get("spooled", 0)
        away = (f", {missed:,} missed while it was away" if missed else "", "yellow")
        say(("daemon    ", "dim"), since + hooks, away)
        tell_problems(vitals)
    elif one := holder(home):
        say(("daemon    ", "dim"), (f"process {one.pid} runs and does not answer", "yellow"))
    else:
        say(("daemon    ", "dim"), "does not run; `steno up` starts it")


_SESSIONS: Final = (
    Column("source", spare=1),
    Column("session", "id"),
    Column("project", "path", telling=True),
    Column("turns", "number"),
    Column("seen", "number", "lines", spare=2, of=lambda one: one.lines_seen),
    Column("read", "number", spare=3, of=lambda one: one.lines_read),
    Column("skipped", "number", spare=3, of=lambda one: one.lines_skipped),
    Column("bad", "number", of=lambda one: (one.lines_bad, "yellow" if one.lines_bad else "")),
    Column("gaps", "number", of=lambda one: (one.gaps, "yellow" if one.gaps else "")),
    Column("lag", "right", spare=1, of=lambda one: span(one.lag_s)),
    Column("context", "right", of=lambda one: share(one.context_fill)),
    # What is wrong with a transcript stands below the table.
    Column("problem", spare=4),
)


# -- moving ----------------------------------------------------------------------------------------------------------


def _to_standard_output(given: dict[str, Any], *, as_json: bool) -> bool:
    """An export without a file is printed, and nothing else is."""
    if given["file"] != "-":
        return True
    import steno

    with steno.open() as memory:
        for line in memory.export():
            # On a terminal nobody will import it from there; elsewhere it must be as it was signed.
            write((escaped(line) if on_terminal() else line) + b"\n")
    return False


BEFORE: Final = {"status": _without_store, "store export": _to_standard_output}


def _imported(found: Any, given: Mapping[str, Any]) -> None:
    """What came in, what did not, and why."""
    done = found.imported
    entries = {"learnt entry": done.entries} if done.entries else {}
    came = {f"new {_name(kind)}": number for kind, number in done.new.items()} | entries
    say(f"Imported {_counted(came) or 'nothing new'}; {done.known:,} known already.")
    if not done.own:
        say("This home did not write this export, or it was changed since.")
        say("It can be found (origin `file`), and nothing is learnt from it.")
    if done.held:
        say(f"Not applied: {_counted({_name(kind): number for kind, number in done.held.items()})}.")
    if not done.own:
        say("  → if it is your own export, look at it, then `steno store import --trust FILE`")
    for number, reason in done.bad:
        say(f"line {number}: {reason}")
    if done.bad_lines > len(done.bad):
        say(f"… and {many(done.bad_lines - len(done.bad), 'more bad line')}")
    if done.cut_off:
        say("The last line is missing: the file was cut off, or is of an older Steno.")


def _name(kind: str) -> str:
    return _NAMES.get(kind, f"{kind} record")


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(many(number, thing) for thing, number in counts.items())


# -- all of it -------------------------------------------------------------------------------------------------------


def _doctor(found: Any, given: Mapping[str, Any]) -> None:
    for check in found.checks:
        say(("ok  ", "green") if check.ok else ("BAD ", "bold red"), f"{check.name}: {check.detail}")


def _settings(found: Any, given: Mapping[str, Any]) -> None:
    from steno.settings import home_of

    file = home_of(os.environ) / "settings.toml"
    say(("file  ", "dim"), str(file), "" if file.exists() else " (not there yet)")
    for one in found:
        changed = "" if one.origin == "default" else f"  (from the {one.origin}; default {_toml(one.default)})"
        say()
        say((one.name, "bold"), f" = {_toml(one.value)}", (changed, "yellow"))
        say((f"  {one.help}", "dim"))


def _toml(value: Any) -> str:
    """A value as it is written in settings.toml."""
    return json.dumps(value, ensure_ascii=False)


def _embedded(found: Any, given: Mapping[str, Any]) -> None:
    """How many turns and entries got vectors, and what is still missing."""
    if found.made:
        what = "of one turn or entry." if found.made == 1 else f"of {found.made:,} turns and entries."
        say(("Made vectors ", "green"), what)
    else:
        nothing = "Nothing to do." if found.vectors else "There is nothing to embed."
        say("No vectors were made." if found.note else nothing)
    if found.vectors:
        say(("  vectors      ", "dim"), vectors(found), (f"  {found.model}", "dim"))
    if found.note:
        say(("  missing      ", "dim"), (found.note, "yellow"))


def _rebuilt(found: Any, given: Mapping[str, Any]) -> None:
    _embedded(found.embedded, given) if found.embedded else learnt("Read again", found.learnt)


def _redacted(found: Any, given: Mapping[str, Any]) -> None:
    nothing = "Nothing to redact: no stored turn holds what the patterns find."
    say(f"Redacted {by_kind(found.redacted)}." if found.redacted else nothing)


def _scripts(found: Any, given: Mapping[str, Any]) -> None:
    if found.allowed:
        say(("Scripts count as you.", "yellow"), " What runs without a terminal is no longer taken for an agent.")
    else:
        say("Scripts wait for you: what runs without a terminal is taken for an agent.")


LOOKS: Final = {
    "status": _status,
    "store scripts": _scripts,
    "store doctor": _doctor,
    "store settings": _settings,
    "store export": lambda found, given: say(f"Wrote {many(found.lines, 'line')} to {given['file']}."),
    "store import": _imported,
    "store rebuild": _rebuilt,
    "store embed": _embedded,
    "store redact": _redacted,
}
