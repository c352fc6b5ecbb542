"""How to do it: a named procedure with steps and a measured effectiveness."""

from typing import Literal, get_args

from msgspec import Struct, field

from steno.choices import FlowStatus as FlowStatus
from steno.vocabulary.entries import Origin

FLOW_STATUSES: tuple[FlowStatus, ...] = get_args(FlowStatus)
# What its record says about it.
Health = Literal["proven", "broken", "unused", "working"]


class Flow(Struct, frozen=True, kw_only=True):
    """A procedure."""

    # Unique, lower case with hyphens.
    name: str
    domain: str
    agent: str | None
    project: str | None
    # Phrases that call for it.
    triggers: list[str]
    steps: list[str]
    needs_approval: bool = False
    status: FlowStatus = "active"
    version: int = 1
    origin: Origin = "edit"
    created_at: str
    changed_at: str
    used_at: str | None = None
    # Of this version; earlier ones keep their own record in `history`.
    succeeded: int = 0
    failed: int = 0
    history: list["FlowRecord"] = field(default_factory=list)

    @property
    def used(self) -> int:
        """How often it was followed to an end."""
        return self.succeeded + self.failed

    @property
    def effectiveness(self) -> float | None:
        """Share of uses that went well. None: never used."""
        return self.succeeded / self.used if self.used else None


class FlowRecord(Struct, frozen=True, kw_only=True):
    """How an earlier version did."""

    version: int
    steps: list[str]
    succeeded: int
    failed: int
