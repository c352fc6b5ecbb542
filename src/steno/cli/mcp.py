"""`steno mcp`: the memory as an MCP server, for the program that starts us."""

import click


@click.command(short_help="Serve recall, brief, believes, read, gate and remember over MCP.")
def mcp() -> None:
    """Serve MCP over standard input and output, until the input is closed: hosts start this by themselves.

    The tools are recall, brief, believes, read, gate and remember; the notebook's pages are resources. With the setting
    http_port, `steno up` serves the same under /mcp.
    """
    import steno
    from steno.vocabulary.errors import StenoError

    try:
        from steno.doors.mcp import over_stdio
    except ModuleNotFoundError as error:
        missing = (error.name or "mcp").partition(".")[0]
        hint = "pip install 'steno-memory[server]'"
        raise StenoError(f"MCP needs a package that is not installed: {missing}", hint=hint) from error
    steno.open().close()  # what is wrong with the home is said now, not at the first question
    over_stdio(steno.open)
