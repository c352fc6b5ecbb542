"""`steno mcp`: the memory as an MCP server, for the program that starts us."""

import os

import click

import steno
from steno.cli.where import project_option


@click.command(short_help="Serve recall, gate and the other tools over MCP.")
@project_option("Whoever asks works here; without it, in the folder this is started in.")
@click.option("--agent", metavar="A", help="The agent that asks.")
@click.option("--all", "everything", is_flag=True, help="Answer from every project and agent.")
def mcp(project: str | None, agent: str | None, everything: bool) -> None:
    """Serve MCP over standard input and output, until the input is closed: hosts start this by themselves.

    The tools are recall, brief, believes, read, gate, remember, relay and dispatch; the notebook's pages are resources.
    Whoever asks sees what belongs to the project they work in, what holds everywhere, and what was shared with them
    (`steno entries share`). With the setting http_port, `steno up` serves the same under /mcp.
    """
    if everything and (project or agent):
        raise click.UsageError("--all goes without --project and --agent")
    from steno.sources.common import project_of
    from steno.verbs.asking import Asker
    from steno.vocabulary.errors import StenoError

    try:
        from steno.doors.mcp import over_stdio
    except ModuleNotFoundError as error:
        missing = (error.name or "mcp").partition(".")[0]
        hint = "pip install 'steno-memory[server]'"
        raise StenoError(f"MCP needs a package that is not installed: {missing}", hint=hint) from error
    steno.open().close()  # what is wrong with the home is said now, not at the first question
    here = project or project_of(os.getcwd())
    over_stdio(steno.open, Asker() if everything else Asker(project=here, agent=agent))
