"""`steno install` and `steno uninstall`: our hooks into a host's own settings, and out again."""

import os
import sys
from typing import TYPE_CHECKING

import click

from steno.cli.answering import only_people
from steno.cli.show import json_option, print_json, say, verbatim

if TYPE_CHECKING:
    from pathlib import Path

    from steno.doors.install.changes import Change

_STATES = {
    "installed": ("installed", "green"),
    "outdated": ("installed, but for another place or version of Steno; install again", "yellow"),
    "absent": ("not installed", "dim"),
    "unreadable": ("cannot tell", "red"),
}
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_dry_run = click.option("--dry-run", is_flag=True, help="Show what would be changed, and change nothing.")
_yes = click.option("--yes", is_flag=True, help="Do not ask.")
_diff = click.option("--diff", "whole", is_flag=True, help="Show every line that goes and comes.")


@click.command(short_help="Put our hooks into a host, so that it is captured and briefed.")
@click.argument("host", required=False)
@click.option("--status-line", is_flag=True, help="Claude Code: add a status line, if there is none yet.")
@_diff
@_dry_run
@_yes
@json_option
def install(host: str | None, *, status_line: bool, whole: bool, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Write our hooks into a host's own settings: claude-code or codex. Without a host: how it stands with each.

    What it does, where and how it is undone is said before it is done; --diff shows every line. The file as it was is
    kept beside it, and everything else in it stays as it is. `steno uninstall` takes out what was put in.
    """
    from steno.doors.install.changes import plan

    if host is None:
        _print_survey(as_json)
        return
    change = plan(host, "install", os.environ, status_line=status_line)
    _carry_out(change, whole=whole, dry_run=dry_run, yes=yes, as_json=as_json)


@click.command(short_help="Take our hooks out of a host's settings again.")
@click.argument("host")
@_diff
@_dry_run
@_yes
@json_option
def uninstall(host: str, *, whole: bool, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Take everything of ours out of a host's own settings: claude-code or codex."""
    from steno.doors.install.changes import plan

    _carry_out(plan(host, "uninstall", os.environ), whole=whole, dry_run=dry_run, yes=yes, as_json=as_json)


def _carry_out(change: "Change", *, whole: bool, dry_run: bool, yes: bool, as_json: bool) -> None:
    from steno.doors.install.changes import apply

    if change.changes and not as_json:
        _print_change(change, whole=whole)
    kept = None
    done = change.changes and not dry_run and (yes or _agreed(change))
    if done:
        only_people(change.verb, change.host)
        kept = apply(change)
    if as_json:
        print_json(
            {
                "host": change.host,
                "file": str(change.file),
                "changed": done,
                "diff": change.diff,
                "backup": str(kept) if kept else None,
                "notes": change.notes,
            }
        )
    elif done or not change.changes:
        _print_done(change, kept)
        if change.verb == "uninstall":
            _tell_of_service()
        elif done:
            running = not yes and _offered_service()
            if not yes:
                _offer_model(change.host)
            _print_next(change, running=running)


def _agreed(change: "Change") -> bool:
    from steno.vocabulary.errors import WrongUse

    if not sys.stdin.isatty():
        raise WrongUse(
            f"this would change {change.file}, and there is no terminal to ask on",
            hint="add --yes to change it, or --dry-run to see how",
        )
    agreed = click.confirm(f"Change {change.file}?", err=True)
    if not agreed:
        print("Nothing was changed.", file=sys.stderr)
    return agreed


def _print_change(change: "Change", *, whole: bool) -> None:
    for line in change.diff if whole else ():
        verbatim(line, _COLOURS.get(line[:1], ""))
    for sentence in change.short if not whole else ():
        say(sentence)


def _print_done(change: "Change", kept: "Path | None") -> None:
    from steno.doors.install.changes import HOSTS

    title = HOSTS[change.host].title
    if change.verb == "uninstall":
        say(f"{title} has no hooks of ours any more." if change.changes else f"{title} has no hooks of ours.")
        return
    say(f"{title} has our hooks" + (f", in {change.file}." if change.changes else " already; nothing to change."))
    if kept:
        say(f"The file as it was: {kept}")
    for note in change.notes:
        say((f"! {note}", "yellow"))


def _print_next(change: "Change", *, running: bool) -> None:
    from steno.cli.daemon import service_here
    from steno.doors.install.changes import mcp_line

    if not running:
        one = service_here()
        later = "`steno daemon service install` also after a restart."
        if not one.is_possible:
            later = f"also after a restart: this machine has no {one.manager}."
        say(f"Next: `steno up` starts the daemon that answers the hooks, {later}")
    say("Sessions that start from now on use them. For the tools over MCP as well:")
    verbatim(mcp_line(change.host, os.environ), "bold")


def _offered_service() -> bool:
    """Ask whether the machine shall start the daemon; whether it does. Whatever comes of it, the hooks are in."""
    from steno.cli.daemon import service_here
    from steno.daemon import service as services
    from steno.vocabulary.errors import StenoError

    one = service_here()
    if not one.is_possible:
        return False
    if not one.is_there:
        if not click.confirm(f"Shall {one.manager} start Steno now and whenever you log in?", err=True):
            return False
        try:
            services.install(one)
        except StenoError as error:
            say((f"! {error.message}", "yellow"))
            verbatim(f"  {error.hint}")
            return False
    say(("Steno runs whenever you log in.", "green"), " `steno daemon service uninstall` ends that.")
    return True


def _offer_model(host: str) -> None:
    """Ask once whether the host's own login may be used for better notes. Who does not say yes is not asked again."""
    from steno.doors.install.changes import HOSTS
    from steno.doors.install.model import TOKENS_A_DAY, chosen, command_of, is_open
    from steno.settings import choose, home_of
    from steno.vocabulary.errors import StenoError

    home, title = home_of(os.environ), HOSTS[host].title
    command = command_of(host, os.environ)
    if command is None or not is_open(home, os.environ):
        return
    say("Notes are made on this machine, without a model, and cost nothing. A model makes better ones.")
    say(f"Steno can ask yours, with the login {title} has: it is sent what is new in your sessions, secrets taken out.")
    say("That takes about as many tokens as you and your agents write, often 100,000 to 500,000 on a working day, of")
    say(f"your subscription or your bill, and never more than {TOKENS_A_DAY:,} in 24 hours. It would run:")
    verbatim(f"  {command}", "dim")
    yes = click.confirm(f"May it use the login of {title} for that?", default=False, err=True)
    try:
        file = choose(home, chosen(command if yes else None))
    except (StenoError, OSError) as error:
        say((f"! {error}", "yellow"))
        return
    what = "Better notes are on." if yes else "No model is asked."
    say(what, f" It stands in {file} and can be changed there; `steno model` tells how it stands.")


def _tell_of_service() -> None:
    """Without hooks the daemon still captures; who wants it gone, too, is told how."""
    from steno.cli.daemon import service_here

    if service_here().path.exists():
        say("Steno still starts when you log in, and captures; `steno daemon service uninstall` ends that.")


def _print_survey(as_json: bool) -> None:
    from steno.doors.install.changes import survey

    found = survey(os.environ)
    if as_json:
        print_json(*found)
        return
    for one in found:
        word, colour = _STATES[one.hooks]
        say((one.host, "bold"), f"  {one.program or 'no program on the PATH'}")
        say("  hooks  ", (word, colour), f"  {one.file}")
        for note in one.notes:
            say((f"  ! {note}", "yellow"))
    say(("`steno install HOST` puts our hooks in, `steno uninstall HOST` takes them out.", "dim"))
