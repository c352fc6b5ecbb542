"""Threads in which the front desk works, for doors that must not wait: so many, with so much waiting, and no more.

Each thread has a memory of its own, opened at its first work: a long capture in one thread never holds up an answer in
another.
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final, TypeVar

from steno.memory import Memory
from steno.verbs.asking import Asker
from steno.verbs.call import Called, call
from steno.verbs.table import Verb
from steno.vocabulary.errors import StenoError

Answer = TypeVar("Answer")
_WAITING: Final = 32


class Overloaded(StenoError):
    """More is asked at once than can be answered in time."""

    retry = True


class TooSlow(StenoError):
    """An answer that took longer than anybody waits."""

    retry = True


class Workers:
    """Some threads and what waits for them. Close it: it waits for what is being done, so long as it is told."""

    def __init__(self, open_memory: Callable[[], Memory], *, threads: int = 1) -> None:
        self._open = open_memory
        self._waiting: queue.Queue[tuple[Future[Any], Callable[[Memory], Any]] | None] = queue.Queue(_WAITING)
        self._lock = threading.Lock()
        # A thread that waits for work releases it, and who brings work takes it.
        self._idle = threading.Semaphore(0)
        self._closed = False
        self._most = threads
        self._threads: list[threading.Thread] = []

    def submit(self, call: Callable[[Memory], Answer]) -> "Future[Answer]":
        """Have something done; what comes of it."""
        future: Future[Answer] = Future()
        with self._lock:
            if self._closed:
                raise Overloaded("Steno is closing", hint="`steno up` starts it again")
            try:
                self._waiting.put_nowait((future, call))
            except queue.Full:
                raise Overloaded(f"{_WAITING} requests are waiting already", hint="try again later") from None
            if not self._idle.acquire(blocking=False) and len(self._threads) < self._most:
                thread = threading.Thread(target=self._work, name="steno-door", daemon=True)
                self._threads.append(thread)
                thread.start()
        return future

    async def run(self, call: Callable[[Memory], Answer], *, seconds: float) -> Answer:
        """The same for who must not be held up. What is begun is finished; what still waits then is dropped."""
        future = self.submit(call)
        try:
            async with asyncio.timeout(seconds) as limit:
                return await asyncio.wrap_future(future)
        except TimeoutError:
            if limit.expired():
                hint = "what was begun goes on; try again later"
                raise TooSlow(f"no answer within {seconds:g} seconds", hint=hint) from None
            raise

    async def ask(
        self, verb: Verb, given: Mapping[str, Any], asker: Asker, form: Callable[[Any], Answer], *, seconds: float
    ) -> Answer:
        """What a verb answers, in a door's form. Where it comes too late, it counts as never given."""

        def work(memory: Memory) -> tuple[Answer, Called]:
            called = call(verb, given, memory, asker)
            return form(called.answer), called

        told, called = await self.run(work, seconds=seconds)
        if called.arrived:
            await self.run(called.has_arrived, seconds=seconds)
        return told

    def close(self, seconds: float = 5.0) -> None:
        """Take nothing more, drop what waits, and let go of the memories."""
        with self._lock:
            self._closed = True
            with suppress(queue.Empty):
                while dropped := self._waiting.get_nowait():
                    dropped[0].cancel()
            for _ in self._threads:
                self._waiting.put(None)
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _work(self) -> None:
        memory: Memory | None = None
        while (given := self._waiting.get()) is not None:
            future, call = given
            if future.set_running_or_notify_cancel():
                try:
                    memory = memory or self._open()
                    future.set_result(call(memory))
                except BaseException as error:
                    future.set_exception(error)
            # Or they would keep what they hold until the next work comes.
            del future, call, given
            self._idle.release()
        if memory is not None:
            memory.close()
