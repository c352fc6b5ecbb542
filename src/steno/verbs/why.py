"""Why something was asked, told or found: what was noted then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from steno.verbs.table import Arg, verb

if TYPE_CHECKING:
    from steno.memory import Memory
    from steno.verbs import answers

_Thing = Annotated[str, Arg(metavar="ID")]


@verb("why gate")
def gate(
    memory: Memory, id: Annotated[str, Arg("The answer: its id, or that of the call.", "ID")] = "latest"
) -> answers.WhyGate:
    """Show why a call was asked about, stopped or let pass.

    ID is the answer's in `steno brief receipts`, the host's id of the call, or `latest`. What decided comes first, in
    its own words; then what was looked at and did not count. Nothing is computed again: this is what was noted then.

    $ steno why gate latest
    """
    return memory.why.gate(id)


@verb("why line")
def line(memory: Memory, id: _Thing) -> answers.WhyLine:
    """Show why a line was told to agents, or was not.

    ID is an entry, the number of a turn, or the name of a part, such as `goal`. The latest receipts that told it or
    left it out, each with the reason that was noted.

    $ steno why line 9bc82b181ff8
    """
    return memory.why.line(id)


@verb("why hit")
def hit(memory: Memory, id: _Thing) -> answers.WhyHit:
    """Show why something was found.

    ID is an entry, the number of a turn, or a session. The latest recalls that found it, each with its place in the
    answer and what placed it there. Questions are not kept.

    $ steno why hit 12
    """
    return memory.why.hit(id)
