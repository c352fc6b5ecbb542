"""The store, the daemon beside it, and what comes of moving or making anew."""

import json
import os
from collections.abc import Mapping
from typing import Any, Final

import click

from steno.cli.daemon import tell_problems
from steno.cli.looks.capture import learnt, vectors
from steno.cli.looks.care import model_line
from steno.cli.looks.entries import Once, words_of
from steno.cli.looks.reviews import WAYS, why_end
from steno.cli.show import facts, on_terminal, one_line, say, write
from steno.cli.table import Column, Rows
from steno.cli.words import ago, by_kind, in_words, many, share, size, span, when
from steno.hidden import escaped
from steno.verbs import VERBS

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


OPTIONS: Final = {"status": [click.Option(["--health"], is_flag=True, help="How the store is, session by session.")]}


def _asked(given: dict[str, Any], *, as_json: bool) -> bool:
    """Ask; where the store cannot be opened, the daemon may say since when."""
    from steno.cli.answering import ask

    look = _health if given.pop("health") else _status
    try:
        ask(VERBS["status"], given, as_json=as_json, look=look)
    except Exception as error:
        from steno.vocabulary.errors import StenoError

        if isinstance(error, StenoError) and not as_json:
            from steno.daemon import control
            from steno.settings import home_of

            _daemon(control.ask(home_of(os.environ)))
        raise
    return False


def _status(found: Any, given: Mapping[str, Any]) -> None:
    """What is known of a project, what waits, and what is wrong."""
    here, once = found.here, Once()
    if not found.turns:
        say("Nothing is captured yet. `steno capture --all` reads the whole history.")
        say("Then `steno recall` finds it again; `steno install` lets it happen by itself.")
    ending = {one.id: one for one in here.may_end}
    shown = {entry.id: entry for entry in (*here.newest, *(one.entry for one in here.may_end))}
    say(("holds     ", "dim"), (f"{many(here.rules, 'rule')} and {many(here.refusals, 'refusal')} of yours", "bold"))
    for entry in shown.values():
        if once.is_new(words_of(entry)):
            say((f"  {ago(entry.repeated_at or entry.created_at):<12}", "dim"), f"“{one_line(words_of(entry))}”")
        for line in why_end(ending[entry.id]) if entry.id in ending else ():
            say(" " * 14, (f"may end: {line}", "yellow"))
    if (more := here.rules + here.refusals - len(shown)) > 0:
        say(" " * 14, (f"{more:,} more: `steno rules`", "dim"))
    if here.waits:
        kinds = ((number, WAYS[kind]) for kind, number in here.waits.items())
        waits = ", ".join(many(number, way.thing) + way.rest for number, way in kinds)
        say(("waits     ", "yellow"), f"{waits}: `steno review`, one key each")
    _heard(found, here.project)
    if found.model.model:
        say(("model     ", "dim"), *model_line(found.model))
    _daemon(found.daemon)
    _wrong(found)


def _heard(found: Any, project: str | None) -> None:
    """How much was taken down here, and when last."""
    sessions = [one for one in found.sessions if project in (None, one.project)]
    last = max((one.last_at for one in sessions if one.last_at), default=None)
    if found.turns:
        turns = many(sum(one.turns for one in sessions), "turn")
        said = f", the last {ago(last)}" if last else ""
        say(("heard     ", "dim"), f"{turns} in {many(len(sessions), 'session')}{said}")


def _wrong(found: Any) -> None:
    """What somebody should look at; what waits for them stands apart."""
    paused = f"since {when(found.paused)}: nothing is captured; `steno pause off` goes on" if found.paused else ""
    way_out = ["what need not be read: `steno capture exclude PATH`"] if found.problems else []
    wrong = {
        "paused": [paused],
        "unheard": [found.unheard],
        "flag": [flag for flag in found.flags if "`steno review`" not in flag],
        "silent": found.silent,
        "problem": [*map(in_words, found.problems), *way_out],
    }
    for name, told in wrong.items():
        for words in filter(None, told):
            say((f"{name:<10}", "yellow"), words)


def _health(found: Any, given: Mapping[str, Any]) -> None:
    """How the store is, and how much of each session is in it."""
    turns, now = many(found.turns, "turn"), found.recall
    by_meaning = f"{many(now.vectors, 'turn')} with vectors; {now.note or now.model}"
    known = {
        "kept": f"{turns} in {many(len(found.sessions), 'session')}, {size(found.disk_bytes)}",
        "entries": f"{found.entries:,}",
        "recall": by_meaning if now.note or now.vectors else "by words only; vectors are switched off",
        "lines": f"{found.lines_seen:,} seen, {found.lines_bad:,} bad, {found.lines_mended:,} mended",
        "gaps": f"{found.gaps:,}",
        "redacted": by_kind(found.redacted) if found.redacted else "",
        "excluded": ", ".join(found.excluded),
    }
    facts(known, 10)
    _daemon(found.daemon)
    if found.sessions:
        say()
        Rows(_SESSIONS)(found.sessions)
    _wrong(found)


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


BEFORE: Final = {"status": _asked, "store export": _to_standard_output}


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
