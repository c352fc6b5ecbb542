"""Wakes agents whose work stands still, in a thread and with a memory of its own. Where no agent is to be woken, it
asks the store one small question every few minutes."""

import threading
import time
from typing import Final

from steno.daemon.health import Health
from steno.memory import Memory
from steno.vocabulary.errors import StenoError
from steno.vocabulary.pulse import Wake

# How often somebody looks whether those who were woken are done.
_SETTLE_SECONDS: Final = 5.0


class Pulsing:
    """Beats until everybody is to stop. Agents that were woken are processes of their own and work on."""

    def __init__(self, health: Health, stop: threading.Event) -> None:
        self._health = health
        self._stop = stop

    def beat(self, memory: Memory) -> None:
        """Look again and again."""
        self._health.well("pulse")
        pulse, every = memory.fleet.pulse, memory.settings["pulse_minutes"] * 60
        due = time.monotonic() + every
        while not self._stop.wait(_SETTLE_SECONDS if pulse.is_at_work else max(1.0, due - time.monotonic())):
            for wake in pulse.settle():
                self._settled(wake)
            if time.monotonic() >= due:
                due = time.monotonic() + every
                for look in pulse.beat():
                    self._health.note(f"pulse: wakes {look.agent}: {look.why}")
                    if look.last is not None:
                        self._settled(look.last)

    def _settled(self, wake: Wake) -> None:
        if wake.passed is False:
            self._health.trouble(f"pulse {wake.agent}", StenoError(wake.said, hint="`steno agents pulse`"))
        else:
            self._health.well(f"pulse {wake.agent}")
