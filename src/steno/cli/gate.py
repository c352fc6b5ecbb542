"""`steno gate`: what stands before an action, and what is made of how it went."""

import json
import os
from typing import TYPE_CHECKING, Any, Final

import click

import steno
from steno.cli.progress import learnt
from steno.cli.show import json_option, laid_out, print_json, say, width, wrapped

if TYPE_CHECKING:
    from steno.vocabulary import Graded, Reason, Verdict

_EXIT: Final = {"ask": 3, "block": 4}
_COLOURS: Final = {"good": "green", "bad": "red", "allow": "green", "warn": "yellow", "ask": "magenta", "block": "red"}
_directory = click.option("--directory", help="Where it is done; the current directory, unless given.")
_session = click.option("--session", help="The session it is done in.")


@click.group(short_help="Before and after an action.")
def gate() -> None:
    """What stands in the way of an action, what should be known first, and what its outcome teaches."""


@gate.command(short_help="What should be known before an action.")
@click.argument("agent")
@click.argument("action")
@click.option("--tool", help="The tool it is done with.")
@click.option("--input", "given", metavar="JSON", help="The tool's input.")
@_directory
@_session
@click.option(
    "--exit-code", is_flag=True, help="Leave with 3 where the human is to be asked, with 4 where it is blocked."
)
@json_option
def before(
    agent: str, action: str, tool: str | None, given: str | None, directory: str | None, session: str | None,
    exit_code: bool, as_json: bool,
) -> None:  # fmt: skip
    """What AGENT should know before it does ACTION: the flow for it, what was refused or has failed, rules, tools.

    The verdict is allow, warn, ask or block.
    """
    from steno.vocabulary import Action

    asked = Action(
        agent=agent, text=action, tool=tool, input=_object(given), directory=directory or _here(), session=session
    )
    with learnt() as memory:
        verdict = memory.before(asked)
    name = _show(verdict, as_json=as_json)
    if exit_code and name in _EXIT:
        raise click.exceptions.Exit(_EXIT[name])


@gate.command(short_help="How an action went.")
@click.argument("agent")
@click.argument("result", type=click.Choice(["pass", "fail"]))
@click.argument("summary")
@click.option("--flow", help="The flow that was followed.")
@click.option("--learned", help="What was learnt; `none` says that nothing was.")
@_directory
@_session
@json_option
def after(
    agent: str, result: str, summary: str, flow: str | None, learned: str | None, directory: str | None,
    session: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Tell that what AGENT did passed or failed: rules and the flow are graded, what was done and learnt is kept once.

    What was done updates the entry that says much the same. A lesson that changed no script, flow, matcher or schema is
    only words; how to make it last is proposed.
    """
    from steno.vocabulary import Outcome

    outcome = Outcome(
        agent=agent, passed=result == "pass", summary=summary, flow=flow, learned=learned,
        directory=directory or _here(), session=session,
    )  # fmt: skip
    with steno.open() as memory:
        graded = memory.after(outcome)
    if as_json:
        print_json(_graded(graded))
    else:
        _tell(graded)


def _here() -> str | None:
    """The current directory, unless it was removed under us."""
    try:
        return os.getcwd()
    except OSError:
        return None


def _object(given: str | None) -> dict[str, Any]:
    if given is None:
        return {}
    try:
        value = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"no JSON: {str(error)[:200]}", param_hint="--input") from error
    if not isinstance(value, dict):
        raise click.BadParameter('a tool\'s input is an object, such as {"command": "…"}', param_hint="--input")
    return value


def _show(verdict: "Verdict", *, as_json: bool) -> str:
    """Print the answer; its name."""
    from steno.briefing.page import WIDTH, drawn, page_rows, page_text, verdict_name

    name, flow = verdict_name(verdict), verdict.page.flow
    if as_json:
        reasons = [_reason(reason) for reason in getattr(verdict, "reasons", ())]
        print_json(
            {"verdict": name, "reasons": reasons, "flow": flow.name if flow else None, "page": page_text(verdict)}
        )
        return name
    most = min(width(), WIDTH) if laid_out() else WIDTH
    for before_, row in drawn(page_rows(verdict), most):
        style = _COLOURS.get(row.tone, "bold" if not row.label else "")
        for number, line in enumerate(wrapped(row.text, most - len(before_)) if laid_out() else [row.text]):
            more = before_[0].replace("╰", " ").ljust(len(before_))
            say((more if number else before_, "dim"), (line, style))
    return name


def _reason(reason: "Reason") -> dict[str, Any]:
    rest = {
        field: getattr(reason, field)
        for field in ("kind", "text", "quote", "at", "by", "said_to", "why", "instead", "reopen")
    }
    return {reason.kind if reason.kind in ("rule", "flow") else "entry": reason.id, **rest}


def _graded(graded: "Graded") -> dict[str, Any]:
    from msgspec import structs

    from steno.cli.entries import flat

    flow, entry = graded.flow, graded.entry
    return structs.asdict(graded) | {
        "flow": {"name": flow.name, "succeeded": flow.succeeded, "failed": flow.failed} if flow else None,
        "entry": flat(entry) if entry else None,
        "lesson": flat(graded.lesson) if graded.lesson else None,
    }


def _tell(graded: "Graded") -> None:
    say(("passed", "green") if graded.passed else ("failed", "red"))
    if graded.flow is not None:
        say(f"flow       {graded.flow.name}: {graded.flow.succeeded} of {graded.flow.used} went well")
    if graded.entry is not None:
        how = "brought up to date" if graded.updated else "new"
        say(f"logged     {graded.entry.summary} ({graded.entry.id}, {how})")
    if graded.lesson is not None:
        how = "said before, counted once more" if graded.repeated else "kept"
        say(f"learnt     {graded.lesson.summary} ({graded.lesson.id}, {how})")
    for name, ids in (("stood up", graded.reinforced), ("broken", graded.violated)):
        if ids:
            say(f"{name:<10} {', '.join(ids)}")
    if graded.permanent is not None:
        changed = ", ".join(graded.changed)
        say(("lasts", "green") if graded.permanent else ("not permanent", "yellow"), f"  {changed or graded.proposal}")
