"""The model, upkeep, and the pages of the notebook."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from steno.cli.show import Piece, laid_out, one_line, paragraph, plain, say, verbatim
from steno.cli.table import Cell, Column, Rows, table
from steno.cli.words import many, share, span, when

# More calls than a screen has lines help nobody; --json has them all.
_ROWS: Final = 15
_STYLES: Final = {"ok": "green", "failed": "red", "skipped": "yellow", "stopped": "yellow", "running": "bold"}


# -- the model -------------------------------------------------------------------------------------------------------


def model_line(state: Any, *, named: bool = True) -> list[Piece]:
    """Whether it may be asked, on one line."""
    name = f"{state.model}: " if named else ""
    if state.why_not:
        return [name, (f"not asked now: {state.why_not}", "yellow")]
    return [f"{name}may be asked; {_left(state)}"]


def _left(state: Any) -> str:
    tokens = "" if state.tokens_left is None else f"{state.tokens_left:,} tokens"
    money = "" if state.money_left is None else f"${state.money_left:.2f}"
    return f"{' and '.join(filter(None, (tokens, money)))} of 24 hours left"


def _model(found: Any, given: Mapping[str, Any]) -> None:
    if not found.model:
        say("No model is configured: notes are made on this machine, without one, and cost nothing.")
        say("`steno store settings` lists model, model_tokens_a_day and the other settings that change that.")
        return
    say((found.model, "bold"), *([" costs no money"] if found.is_free else []))
    say(*model_line(found, named=False))
    if found.fallback:
        say(("where it fails  ", "dim"), found.fallback)
    if found.problem:
        say(("it failed last  ", "yellow"), found.problem)
    say(("`steno model spend` tells what it took, `steno model show` what it was told.", "dim"))


def _read_by_model(found: Any, given: Mapping[str, Any]) -> None:
    if found.portions:
        say(f"{many(found.portions, 'portion')} read, {many(found.entries, 'new entry')}")
    for reason, times in found.refused.items():
        say((f"{times:,} not kept: {reason}", "dim"))
    if found.reviews:
        say(f"{many(found.reviews, 'thing')} for you to decide: `steno review`")
    if found.why_not:
        say((f"no more is read: {found.why_not}", "yellow"))
    elif not found.portions:
        say("There is nothing a model has not read.")


def _last_sent(found: Any, given: Mapping[str, Any]) -> None:
    if found.text:
        verbatim(found.text)
    else:
        say("No model was sent anything, or what it was sent has been forgotten since.")


def _spent(found: Any, given: Mapping[str, Any]) -> None:
    state = found.state
    if state.model:
        spent = f"{state.tokens_spent:,} tokens and ${state.money_spent:.2f} in the last 24 hours"
        say((state.model, "bold"), f"  {spent}; {_left(state)}")
        if state.why_not:
            say((f"not asked now: {state.why_not}", "yellow"))
        if state.down_until:
            say(("down until ", "yellow"), when(state.down_until))
    else:
        say("No model is configured.")
    if found.calls:
        for name, of in _BY.items():
            say()
            names = list(dict.fromkeys(map(of, found.totals)))
            rows = [[one, *_sum(total for total in found.totals if of(total) == one)] for one in names]
            table((Column(name, telling=True), *_TOOK), rows)
        say()
        Rows(_CALLS)(found.calls[:_ROWS])
        if len(found.calls) > _ROWS:
            say((f"… and {len(found.calls) - _ROWS:,} earlier calls: --json has them", "dim"))
    else:
        say("No model was ever asked.")
    for one in found.given[:_ROWS]:
        say((f"{one.day}  ", "dim"), f"{many(one.briefings, 'briefing')} gave agents {one.tokens:,} tokens")


_BY: Final[Mapping[str, Callable[[Any], str]]] = {
    "day": lambda total: str(total.day),
    "purpose": lambda total: str(total.purpose),
    "agent": lambda total: total.agent or "–",
}
_TOOK: Final = (
    Column("calls", "number"),
    Column("failed", "number", spare=2),
    Column("in", "number"),
    Column("out", "number"),
    Column("cached", "number", spare=1),
    # In and out; where nobody knows, what was reserved.
    Column("counted", "number"),
    Column("dollars", "right"),
)
_CALLS: Final = (
    Column("at", "time"),
    Column("purpose", heading="for"),
    Column("model", telling=True),
    Column("state", of=lambda call: (call.state, {"failed": "red", "begun": "yellow"}.get(call.state, ""))),
    Column("tokens_in", "number", "in"),
    Column("tokens_out", "number", "out"),
    Column("tokens_cached", "number", "cached", spare=2),
    Column("tokens", "number", "counted", spare=1),
    Column("dollars", "right", of=lambda call: _dollars(call.money)),
    Column("agent", spare=3),
    Column("session", "id", spare=4),
    Column("problem", spare=1),
)


def _sum(totals: Iterable[Any]) -> list[Cell]:
    rows = [
        (one.calls, one.failed, one.tokens_in, one.tokens_out, one.tokens_cached, one.tokens, one.money)
        for one in totals
    ]
    *counts, money = (sum(column) for column in zip(*rows, strict=True))
    return [*map(int, counts), _dollars(money)]


def _dollars(money: float) -> str:
    return f"{money:.4f}" if money else "0"


# -- upkeep ----------------------------------------------------------------------------------------------------------


def _flags(jobs: Any) -> None:
    for job in jobs:
        for flag in job.last.report.flags if job.last else ():
            say(("flag     ", "yellow"), f"{job.name}: {flag}")


def _night(found: Any, given: Mapping[str, Any]) -> None:
    _runs(found)
    if not found:
        say(f"No upkeep for {given['day']}." if given["day"] else "No upkeep yet. `steno up` does it every night.")


def _explained(job: Any, given: Mapping[str, Any]) -> None:
    say((job.name, "bold"), "" if job.writes else "  never writes")
    paragraph(job.explain)
    also = "" if job.every == "night" else f", and every {job.every}"
    needs = f"; only after {' and '.join(job.after)} went well" if job.after else ""
    say(("runs      ", "dim"), f"every night{also}{needs}")
    say(("next      ", "dim"), when(job.due))
    if job.last:
        _run(job.last)


def _runs(runs: Any) -> None:
    for run in runs:
        _run(run)


def _run(run: Any) -> None:
    number = f"  run {run.id}, {when(run.began)}, {_took(run)}" if run.id else "  dry run"
    told = {"possible": f"; `steno upkeep undo {run.id}` brings it back", "done": "; was brought back", "": ""}
    back = f", {run.report.changed:,} changed{told[run.undo]}"
    say((run.job, "bold"), (f"  {run.state}", _STYLES[run.state]), number, back)
    for line in filter(None, (run.error, *run.report.lines)):
        say("  ", line)
    for flag in run.report.flags:
        say(("  flag  ", "yellow"), flag)


def _took(run: Any) -> str:
    from steno.clock import seconds_between

    return span(max(0.0, seconds_between(run.began, run.ended))) if run.ended else ""


def _of_last(get: Callable[[Any], Cell]) -> Callable[[Any], Cell]:
    """What stands in a column about the last run of a job, if there was one."""
    return lambda job: get(job.last) if job.last else None


# -- the notebook ----------------------------------------------------------------------------------------------------


def _notebook(state: Any, given: Mapping[str, Any]) -> None:
    if not state.folders:
        say("No notebook yet. `steno notebook sync` writes it; `steno up` keeps it.")
        return
    Rows(_FOLDERS)(state.folders)
    for page in state.changed:
        say(("changed: ", "yellow"), page)
    _held(state.held)
    if state.due:
        say((f"{many(state.due, 'entry')} changed since the pages were written", "dim"))
    say((f"git history: {'on' if state.git else 'off'}", "dim"))


_FOLDERS: Final = (
    Column("project", "path", telling=True, of=lambda one: one.project or "(no project)"),
    Column("pages", "number"),
    Column("lines", "number"),
    Column("path", "path", telling=True),
)


def _synced(synced: Any, given: Mapping[str, Any]) -> None:
    for one in synced.edits:
        say((f"{one.act} ", "green"), (f"{one.id} ", "dim"), one_line(one.text))
    for one in synced.conflicts:
        say(("changed on both sides ", "yellow"), (f"{one.id} ", "dim"), one_line(one.text), "; see `steno review`")
    _held(synced.held)
    say(f"{many(len(synced.edits), 'edit')} taken in, {many(len(synced.written), 'page')} written.")


def _held(held: Any) -> None:
    for one in held:
        say(("left alone: ", "yellow"), f"{one.page} {one.reason}", (f" ({one.hint})" if one.hint else "", "dim"))


def _proposed(found: Any, given: Mapping[str, Any]) -> None:
    for one in found:
        if one.diff:
            verbatim(one.diff.rstrip("\n"))
        if one.held:
            say(("held back ", "yellow"), f"{one.path}: {one.held}")
    written = [one for one in found if one.written]
    if written:
        say(("Wrote ", "green"), many(len(written), "file"), ".")
    elif not found:
        say("Nothing to propose: no such file, or it says all of it.")
    elif not given["apply"]:
        say("Nothing was written; --apply writes it.")


def _cuts(found: Any) -> None:
    for one in found:
        if one.cut:
            lines = f"{one.path} lines {one.cut.first:,}-{one.cut.last:,}, {one.cut.characters:,} characters: "
            ends = f" … {one_line(one.cut.ends)}" if one.cut.ends else ""
            say(("cut  ", "red"), f"{lines}“{one_line(one.cut.begins)}{ends}”")


def _share(one: Any) -> Cell:
    return share(one.used / one.most), "red" if one.used > one.most else "yellow" if one.is_near else ""


def _git(state: Any, given: Mapping[str, Any]) -> None:
    say(f"The history of {state.path} is {'kept every night' if state.git else 'kept no more; what there is stays'}.")


def _committed(kept: Any, given: Mapping[str, Any]) -> None:
    for name in kept.left_out:
        say(("left out: ", "yellow"), f"{name} holds what looks like a secret")
    say(f"Kept {many(kept.pages, 'page')}." if kept.at else "Nothing changed since the last time.")


def _opened(found: Any, given: Mapping[str, Any]) -> None:
    if found.page is None:
        _PAGES(found.pages, given)
        return
    if laid_out():
        say((found.page.name, "dim"))
    for line in plain(found.page.text).rstrip("\n").split("\n"):
        say((line, "bold") if line.startswith("#") else line)


_PAGES: Final = Rows(
    (Column("name", telling=True), Column("bytes", "number"), Column("changed_at", "time", "changed")),
    "No pages here yet. `steno notebook sync` writes them; `steno read --everywhere` lists all there are.",
)

LOOKS: Final = {
    "model status": _model,
    "model run": _read_by_model,
    "model show": _last_sent,
    "model spend": _spent,
    "upkeep status": Rows(
        (
            Column("job", of=lambda job: job.name),
            Column("run", "number", of=_of_last(lambda run: run.id)),
            Column("state", of=lambda job: (job.last.state, _STYLES[job.last.state]) if job.last else "never"),
            Column("began", "time", "last", of=_of_last(lambda run: run.began)),
            Column("took", "right", spare=2, of=_of_last(_took)),
            Column("changed", "number", of=_of_last(lambda run: run.report.changed)),
            Column("due", "time", "next"),
            Column("told", telling=True, of=_of_last(lambda run: run.error or "; ".join(run.report.lines[:2]))),
        ),
        "No jobs.",
        _flags,
    ),
    "upkeep run": lambda found, given: _runs(found.runs),
    "upkeep report": _night,
    "upkeep explain": _explained,
    "upkeep undo": lambda found, given: say(
        (f"Run {found.run.id} of {found.run.job} is taken back", "green"), f": {many(found.back, 'entry')} as before"
    ),
    "notebook status": _notebook,
    "notebook sync": _synced,
    "notebook propose": _proposed,
    "notebook limits": Rows(
        (
            Column("host", spare=1),
            Column("file", "path", telling=True, of=lambda one: one.path),
            Column("used", "number"),
            Column("most", "number"),
            Column("unit"),
            Column("share", "right", of=_share),
        ),
        "No host on this machine has such a file.",
        _cuts,
    ),
    "notebook git": _git,
    "notebook commit": _committed,
    "read": _opened,
}
