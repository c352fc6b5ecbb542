"""A time as somebody types it."""

from typing import Any

import click


class Moment(click.ParamType[str]):
    """A date or a moment, as ISO 8601 writes it; given back as the journal writes it."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Without a zone it is the time of this machine."""
        from steno.clock import written

        try:
            return written(value)
        except ValueError:
            self.fail(f"{value!r} is no time; write 2026-03-31 or 2026-03-31T18:00", param, ctx)
