"""What is written down: transcripts read, left out and forgotten; and what the scribe learns from them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Literal

from steno.verbs.table import Arg, verb

if TYPE_CHECKING:
    from steno.memory import Memory
    from steno.verbs import answers
    from steno.vocabulary import Problem

Paths = Annotated[list[str], Arg(metavar="PATH", kind="path")]
Patterns = Annotated[list[str], Arg(metavar="PATTERN", kind="pattern")]
Source = Annotated[str | None, Arg("Whose transcripts these are, if Steno cannot tell by itself.", "NAME")]


def _is_told_by_them(memory: Memory, given: Mapping[str, Any]) -> bool:
    """Whether somebody names what lies outside the places where hosts write: it says whatever they like."""
    from steno.pipeline.capture import elsewhere

    return not given["dry_run"] and elsewhere(memory.home, given["paths"] or ())


@verb("capture", "notes", slow=True, when=_is_told_by_them)
def capture(
    memory: Memory, progress: Any,
    paths: Annotated[list[str] | None, Arg(metavar="PATH", kind="path")] = None, *,
    source: Source = None,
    dry_run: Annotated[bool, Arg("Say what would be captured, and write nothing.")] = False,
) -> answers.CaptureDone:  # fmt: skip
    """Read everything new in the transcripts at or below each PATH.

    Over HTTP, without a PATH, the hosts' own places are read. Reading twice is harmless: a turn is written down once.
    Secrets are removed before anything is stored. Then the scribe reads what is new (`steno entries learn`), and
    vectors for recall by meaning are made (`steno store embed`) for a minute at most. Ctrl-C ends that; the next
    capture makes the rest.

    `--source notes` reads memory files (CLAUDE.md, MEMORY.md, memory folders, …), and `--source git` the commits of a
    repository. Recall labels their words `file`. They never become rules, and no agent is told of them unasked. They
    are read again when they change.

    $ steno capture --all
    """
    from steno.verbs.answers import CaptureDone

    if strange := [path for path in paths or () if not os.path.isabs(path)]:
        from steno.vocabulary.errors import WrongUse

        raise WrongUse(f"{strange[0]!r} depends on a directory", hint="give absolute paths")
    with progress("Reading", in_bytes=True) as told:
        before = memory.recallable().vectors
        captured = memory.capture(*paths or (), source=source, progress=told, dry_run=dry_run)
    done = CaptureDone(captured=captured, failures=_unread(captured.problems, paths or ()))
    return done if dry_run else _learnt(memory, progress, done, before)


def _learnt(memory: Memory, progress: Any, done: answers.CaptureDone, before: int) -> answers.CaptureDone:
    """What was captured is learnt and gets vectors. Whatever is in the way of that, the capture counts."""
    from msgspec.structs import replace

    from steno.pipeline.embed import MAKE_SECONDS
    from steno.vocabulary.errors import NoEmbedding, StenoError

    new = bool(done.captured.turns)
    if new:  # a long history is found by meaning before the scribe has read it
        with suppress(KeyboardInterrupt, StenoError), progress("Sketching", left=memory.unembedded) as told:
            memory.sketch(told)
    try:
        with progress("Learning", left=memory.unread) as told:
            done = replace(done, learnt=memory.scribe(progress=told))
    except StenoError as error:
        words = "the turns are captured, but the scribe failed; `steno entries learn` tries again"
        done = replace(done, failures=[*done.failures, f"{words}: {error.message}\n  → {error.hint}"])
    # Switched off, this only brings the index of words up to date, which costs next to nothing.
    if memory.recallable().note or new or memory.settings["embedding"] == "off":
        try:
            with suppress(KeyboardInterrupt), progress("Making vectors", left=memory.unembedded) as told:
                memory.embed(told, seconds=MAKE_SECONDS)
        except StenoError as error:
            # Without vectors recall finds by words, which is said when there is something new to find.
            is_off = isinstance(error, NoEmbedding)
            means = "recall finds by words only" if is_off else "vectors wait"
            done = replace(done, trouble=f"{means}: {error.message}; {error.hint}" if new or not is_off else "")
    now = memory.recallable()
    return replace(done, vectors=max(0, now.vectors - before), recall=now)


def _unread(problems: Iterable[Problem], paths: Sequence[str]) -> list[str]:
    """A path that was named and could not be read at all is a failure; its neighbours are captured all the same."""
    # As problems name paths that are no text.
    given = {path.encode("utf-8", "backslashreplace").decode() for path in paths}
    unread = [problem.path for problem in problems if problem.path in given]
    if not unread:
        return []
    hint = "the rest was captured; the problems say what was in the way"
    if len(unread) == len(given):
        hint = "name a transcript or a folder of them; `steno capture --all` knows where your agents keep theirs"
    return [f"{len(unread)} of {len(given)} given paths could not be read: {', '.join(unread)}\n  → {hint}"]


@verb("capture exclude", "rules")
def exclude(memory: Memory, patterns: Patterns) -> list[answers.Excluded]:
    """Leave out a project, a folder of transcripts, or paths with * and ?.

    Prints everything that is left out. What is already captured stays; `steno forget` erases it.

    $ steno capture exclude ~/private "*/secret/*"
    """
    for pattern in _named(patterns):
        memory.exclude(pattern)
    return excluded(memory)


@verb("capture include", "rules")
def include(memory: Memory, patterns: Patterns) -> list[answers.Excluded]:
    """Stop leaving out a pattern, and print what is still left out.

    $ steno capture include ~/private
    """
    for pattern in _named(patterns):
        memory.include(pattern)
    return excluded(memory)


@verb("capture excluded")
def excluded(memory: Memory) -> list[answers.Excluded]:
    """List what is left out of capture.

    $ steno capture excluded
    """
    from steno.verbs.answers import Excluded

    return [Excluded(pattern) for pattern in memory.excluded()]


def _named(patterns: Sequence[str]) -> Sequence[str]:
    if not all(patterns):
        from steno.vocabulary.errors import WrongUse

        raise WrongUse("a pattern is empty", hint="name a folder, or a path with * and ?")
    return patterns


@verb("pause", "rules")
def pause(memory: Memory, switch: Annotated[Literal["on", "off"], Arg()] = "on") -> answers.Paused:
    """Go off the record, until `steno pause off`.

    What is said in between is not captured, not even later.

    $ steno pause off
    """
    from steno.verbs.answers import Paused

    if switch == "on":
        memory.pause()
    else:
        memory.resume()
    return Paused(switch == "on")


@verb("forget", "rules", when=lambda memory, given: not given["only_count"])
def forget(
    memory: Memory, *,
    session: Annotated[str | None, Arg("A whole session: its id, the beginning of it, or `latest`.", "S")] = None,
    turn: Annotated[int | None, Arg("One turn, by its number.", "ID")] = None,
    text: Annotated[str | None, Arg("Every turn that holds this text.", "T")] = None,
    since: Annotated[str | None, Arg("Every turn from this time on.", "TIME", kind="time")] = None,
    until: Annotated[str | None, Arg("… up to, but not including, this time.", "TIME", kind="time")] = None,
    only_count: Annotated[bool, Arg("Only say how many turns would go.")] = False,
) -> answers.Forgotten:  # fmt: skip
    """Erase a session, a turn, a text or a stretch of time for good.

    No byte is left. Only tombstones without words stay, so that the turns do not come back when the transcript is read
    again. The transcript itself belongs to the host and stays as it is.

    $ steno forget --text "my old password"
    """
    return memory.forget(session=session, turn=turn, text=text, since=since, until=until, only_count=only_count)


@verb("entries learn", "notes", slow=True)
def learn(
    memory: Memory, progress: Any, *,
    session: Annotated[str | None, Arg("Only this session: its id, the beginning of it, or `latest`.", "S")] = None,
) -> answers.Learnt:  # fmt: skip
    """Read what is new in the journal, and write down what is worth keeping.

    Each entry has its quote: what was decided and why, what the human said no to, how to behave, what failed, what is
    to be done, what was found out. `steno capture` does this by itself.

    $ steno entries learn --session latest
    """
    with progress("Learning", left=lambda: memory.unread(session)) as told:
        return memory.scribe(session, progress=told)


@verb("entries backtest", "rules", slow=True, when=lambda memory, given: bool(given["apply"]))
def backtest(
    memory: Memory, paths: Paths, *,
    source: Source = None,
    apply: Annotated[bool, Arg("Then do the same in the real store.")] = False,
) -> answers.Backtest:  # fmt: skip
    """Learn from old transcripts in a store that is thrown away.

    Show the entries, the rules in force when the last session ended, what would wait in `steno review`, and flows.

    $ steno entries backtest ~/old-sessions
    """
    from steno.vocabulary.errors import StenoError

    if missing := [path for path in paths if not os.path.exists(path)]:
        words = f"{len(missing)} of {len(paths)} given paths could not be read: {', '.join(missing)}"
        raise StenoError(words, hint="give the path of a transcript, or of a folder of them")
    return memory.backtest(*paths, source=source, apply=apply)
