"""`steno hook`: what a host calls at every event, and the command line it is given for it."""

import os
from contextlib import suppress

import click


@click.command(short_help="Answer a host's event; hosts call this.")
@click.option("--show", is_flag=True, help="Print the exact command line the host is given.")
@click.argument("host")
@click.argument("event")
def hook(*, show: bool, host: str, event: str) -> None:
    """Answer EVENT of HOST: the host's JSON on standard input, its JSON or nothing on standard output, exit code 0.

    The daemon makes the answer. Hosts are given a quicker way to call the same; --show prints it.
    """
    from steno.doors.install.command import command
    from steno.settings import home_of
    from steno.vocabulary.errors import StenoError

    if show:
        import shlex

        _known(host, event)
        print(shlex.join(command(home_of(os.environ), host, event)))
        return
    with suppress(StenoError):
        from steno.client import hook as carry

        carry(*command(home_of(os.environ), host, event)[-4:])


def _known(host: str, event: str) -> None:
    """Say no to a host or an event nobody knows."""
    from steno.doors.hooks import HOSTS
    from steno.vocabulary.errors import WrongUse

    if host not in HOSTS:
        raise WrongUse(f"no host is called {host!r}", hint=f"the hosts are {', '.join(HOSTS)}")
    events: dict[str, str] = HOSTS[host].EVENTS
    if event not in events:
        raise WrongUse(f"{host} has no event {event!r} for us", hint=f"the events are {', '.join(events)}")
