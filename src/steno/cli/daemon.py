"""`steno up`, `stop`, `daemon logs`, `daemon service`: the daemon, which does everything else by itself."""

import os
import sys
from typing import TYPE_CHECKING

import click

from steno.cli.answering import only_people
from steno.cli.show import json_option, print_json, say, verbatim

if TYPE_CHECKING:
    from pathlib import Path

    from steno.daemon.service import Service
    from steno.vocabulary import Vitals


@click.command(short_help="Start the daemon.")
@click.option("--foreground", is_flag=True, help="Stay in this terminal until Ctrl-C, and show the log.")
@json_option
def up(foreground: bool, as_json: bool) -> None:
    """Start the daemon: it captures, lets the scribe write, and answers hooks, until `steno stop`.

    It runs in the background and is started once per home.
    """
    from steno.daemon.control import ask, check_store, start

    if foreground:
        from steno.daemon.run import until_told

        check_store(_home())
        raise click.exceptions.Exit(until_told(_home(), echo=True))
    vitals, already = ask(_home()), True
    if vitals is None:
        vitals, already = start(_home()), False
    if as_json:
        print_json({"already": already, "daemon": vitals})
        return
    words = f"Steno runs already, since {vitals.started_at}." if already else "Steno runs."
    say((words, "green"), (f"  process {vitals.pid}", "dim"))
    tell_problems(vitals)


@click.command(short_help="Stop the daemon.")
@json_option
def stop(as_json: bool) -> None:
    """Stop the daemon. Hooks leave what they have to tell it for the next `steno up`."""
    from steno.daemon.control import stop as stop_daemon

    only_people("stop")
    pid = stop_daemon(_home())
    if as_json:
        print_json({"stopped": pid})
    elif pid is None:
        say("Steno does not run.")
    else:
        say("Steno stopped.", (f"  process {pid}", "dim"))


@click.command(short_help="Show what the daemon did.")
@click.option("--lines", "-n", type=click.IntRange(1), default=50, show_default=True, help="How many lines.")
@json_option
def logs(lines: int, as_json: bool) -> None:
    """Show the end of the daemon's log: what started, what is in the way, and each hook that was answered.

    A hook's line has its host, event, session, the kind of answer, and how long that took. What came too late went to
    nobody. Nobody's words are in the log.
    """
    from steno.daemon.log import last_lines

    found = last_lines(_home(), lines)
    if as_json:
        print_json(*({"line": line} for line in found))
        return
    if not found:
        say("There is no log yet. `steno up` starts the daemon.")
    for line in found:
        say(line)


@click.command(short_help="Run the daemon whenever you are logged in.")
@click.option(
    "--alarm", metavar="COMMAND", default="", help="What the watchdog also runs, with the words of the alarm."
)
@click.option("--no-restart", is_flag=True, help="The watchdog only warns.")
@click.option("--dry-run", is_flag=True, help="Only show what would be written where, and what would be run.")
def install_service(alarm: str, no_restart: bool, dry_run: bool) -> None:
    """Run the daemon from now on, and after every login, as a service of your own (systemd or launchd).

    It has no rights but yours. Beside it runs a watchdog that shares nothing with it: every two minutes it checks that
    the daemon is alive, and if not, warns and restarts it.
    """
    from steno.daemon import service as services

    both = (service_here(), watchdog_here(alarm=alarm, restart=not no_restart))
    if dry_run:
        _show(both)
        return
    only_people("daemon service install")
    for one in both:
        services.install(one)
    say(("Steno runs now, and whenever you log in.", "green"), (f"  {both[0].path}", "dim"))
    say(("Its watchdog looks whether it is alive.", "green"), (f"  {both[1].path}", "dim"))


@click.command(short_help="Stop running the daemon at login.")
def uninstall_service() -> None:
    """Switch the services off, which stops the daemon and its watchdog, and remove their files."""
    from steno.daemon import service as services

    there = [one for one in (watchdog_here(), service_here()) if one.path.exists()]
    if not there:
        say("There is no service of ours.")
        return
    only_people("daemon service uninstall")
    for one in there:
        services.uninstall(one)
    removed = ", ".join(str(one.path) for one in there)
    say(("Steno does not start by itself any more.", "yellow"), (f"  Removed: {removed}", "dim"))


def _show(services: "tuple[Service, ...]") -> None:
    import shlex

    for one in services:
        say((f"# {one.path}", "dim"))
        verbatim(one.text.rstrip("\n"))
        for words in one.enable:
            verbatim(f"$ {shlex.join(words)}", "dim")


def tell_problems(vitals: "Vitals") -> None:
    """What does not work."""
    for problem in vitals.problems:
        say(("problem   ", "red"), problem)


def service_here() -> "Service":
    """The service of this home on this machine, whether it is installed or not."""
    from steno.daemon.service import service as service_of

    return service_of(_home(), sys.platform, os.environ)


def watchdog_here(*, alarm: str = "", restart: bool = True) -> "Service":
    """The watchdog's."""
    from steno.daemon.service import watchdog

    return watchdog(_home(), sys.platform, os.environ, alarm=alarm, restart=restart)


def _home() -> "Path":
    from steno.settings import home_of

    return home_of(os.environ)
