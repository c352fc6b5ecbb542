"""`steno capture --watch`: a line for each capture that brought something, until somebody ends it."""

import signal
import sys
from typing import TYPE_CHECKING

from steno.cli.show import one_line, plain, print_json, say, short_ids
from steno.cli.words import in_words, many

if TYPE_CHECKING:
    from steno.vocabulary import Captured


def watch(paths: tuple[str, ...], *, source: str | None, as_json: bool) -> None:
    """Capture until Ctrl-C or SIGTERM, which may come at any moment: a batch is written whole or not at all."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        import steno

        with steno.open() as memory:
            if not as_json:
                print("Watching. Ctrl-C ends it.", file=sys.stderr, flush=True)
            memory.watch(*paths, source=source, told=_Teller(as_json=as_json))
    except KeyboardInterrupt:
        return


class _Teller:
    """Prints what each capture brought, and each problem once."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._known: set[tuple[str, str]] = set()

    def __call__(self, captured: "Captured") -> None:
        for problem in captured.problems:
            if (problem.path, problem.reason) not in self._known:
                self._known.add((problem.path, problem.reason))
                print(plain(f"steno: {in_words(problem)}"), file=sys.stderr, flush=True)
        if not captured.turns:
            return
        if self._as_json:
            print_json(captured)
        else:
            _say(captured)
        sys.stdout.flush()


def _say(captured: "Captured") -> None:
    import time

    fresh = [session for session in captured.sessions if session.turns]
    ids = short_ids(session.session for session in fresh)
    names = ", ".join(f"{one_line(ids[session.session])} ({session.source})" for session in fresh[:3])
    more = f" and {len(fresh) - 3} more" if len(fresh) > 3 else ""
    say((time.strftime("%H:%M:%S"), "dim"), "  ", (f"+{many(captured.turns, 'turn')}", "green"), f"  {names}{more}")
