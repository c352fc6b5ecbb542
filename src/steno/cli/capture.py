"""`steno capture`: read transcripts into the journal, once or as they grow; let the scribe read them; make vectors."""

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

import steno
from steno.cli.embed import vectors
from steno.cli.progress import bar, counter
from steno.cli.show import json_option, plain, print_json, say, valid
from steno.cli.table import Column, table
from steno.cli.words import by_kind, in_words, many

if TYPE_CHECKING:
    from steno import Memory
    from steno.vocabulary import Captured, Learnt, Problem, Recallable


_FILES: Final = (Column("transcript", "path", telling=True), Column("new turns", "number"))


class Embedded(NamedTuple):
    """What came of making vectors."""

    # Turns that have got theirs since the capture began.
    made: int
    now: "Recallable"
    trouble: Exception | None


@click.command(short_help="Read transcripts into the journal.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--source", metavar="NAME", help="Whose transcripts these are, if Steno cannot tell by itself.")
@click.option("--all", "everything", is_flag=True, help="Read the whole history of every host, from its own place.")
@click.option("--watch", "on_and_on", is_flag=True, help="Go on as transcripts grow, until Ctrl-C.")
@click.option("--dry-run", is_flag=True, help="Say what would be captured, and write nothing.")
@json_option
def capture(
    paths: tuple[str, ...], source: str | None, everything: bool, on_and_on: bool, dry_run: bool, as_json: bool
) -> None:
    """Read everything new in the transcripts at or below each PATH.

    Reading twice is harmless: a turn is written down once. Secrets are removed before anything is stored. A long
    history is sketched, so that it is found by meaning at once. Then the scribe reads what is new, as `steno scribe`
    does, and vectors for recall by meaning are made, as `steno embed` does, but no longer than a
    minute. Ctrl-C ends that; what is missing comes with the next capture.

    `--source notes` reads memory files (CLAUDE.md, MEMORY.md, memory folders, …) and `--source git` the commits of a
    repository. What stands there is recalled with the label `file`. It is never a rule, and no agent is told of it
    unasked. It is read again when it changes; what stands there no more is recalled no more.
    """
    _check(paths, everything=everything, on_and_on=on_and_on, dry_run=dry_run)
    if on_and_on:
        from steno.cli.watch import watch

        watch(paths, source=source, as_json=as_json)
        return
    if dry_run:
        _preview(paths, source, as_json=as_json)
        return
    with steno.open() as memory:
        before = memory.recallable().vectors
        with bar("Reading", in_bytes=True) as progress:
            captured = memory.capture(*paths, source=source, progress=progress)
        _sketch(memory, new=bool(captured.turns))
        learnt = _learn(memory)
        embedded = _embed(memory, before, new=bool(captured.turns))
    if as_json:
        print_json({**flat(captured, learnt), "vectors": embedded.made})
    else:
        _summary(captured, learnt, embedded, paths)
    _tell_of_trouble(embedded.trouble, new=bool(captured.turns))
    _fail_if_unlearnt(learnt)
    _fail_if_unread(captured.problems, paths)


def _preview(paths: tuple[str, ...], source: str | None, *, as_json: bool) -> None:
    """What a capture would bring, by file."""
    with steno.open() as memory, bar("Reading", in_bytes=True) as progress:
        captured = memory.capture(*paths, source=source, progress=progress, dry_run=True)
    if as_json:
        print_json(captured)
    else:
        new, read = many(captured.turns, "new turn"), many(captured.transcripts, "transcript")
        say(("Would capture ", "green"), (new, "bold"), f" of {read}. Nothing was written.")
        if captured.files:
            table(_FILES, list(captured.files.items()))
        _say_facts(_facts(captured), captured.problems)
    _fail_if_unread(captured.problems, paths)


def flat(captured: "Captured", learnt: "Learnt | Exception") -> dict[str, Any]:
    """What a capture did, with the number of new entries; null if the scribe failed."""
    from msgspec import structs

    return {**structs.asdict(captured), "entries": None if isinstance(learnt, Exception) else learnt.entries}


def _learn(memory: "Memory") -> "Learnt | Exception":
    """What the scribe wrote down, or why it could not: the capture counts all the same."""
    try:
        with counter("Learning", left=memory.unread) as progress:
            return memory.scribe(progress=progress)
    except Exception as error:
        return error


def _sketch(memory: "Memory", *, new: bool) -> None:
    """Have a long history found by meaning before the scribe reads it. What is in the way is told of when it embeds."""
    from steno.vocabulary.errors import StenoError

    if new:
        with suppress(KeyboardInterrupt, StenoError), counter("Sketching", left=memory.unembedded) as progress:
            memory.sketch(progress)


def _embed(memory: "Memory", before: int, *, new: bool) -> Embedded:
    """Index words, and make vectors for a while. Whatever ends it, the capture counts."""
    from steno.pipeline.embed import MAKE_SECONDS

    trouble: Exception | None = None
    # Switched off, it only brings the index of words up to date, which costs next to nothing.
    if memory.recallable().note or new or memory.settings["embedding"] == "off":
        try:
            with counter("Making vectors", left=memory.unembedded) as progress:
                memory.embed(progress, seconds=MAKE_SECONDS)
        except KeyboardInterrupt:
            pass
        except Exception as error:
            trouble = error
    now = memory.recallable()
    return Embedded(max(0, now.vectors - before), now, trouble)


def _check(paths: tuple[str, ...], *, everything: bool, on_and_on: bool, dry_run: bool) -> None:
    if dry_run and on_and_on:
        raise click.UsageError("--dry-run says what there is now: it does not go with --watch")
    if paths and everything:
        raise click.UsageError("--all reads the hosts' own places: it takes no PATH")
    if not (paths or everything or on_and_on):
        raise click.UsageError(
            "say what to read: a PATH (a transcript or a folder of them), or --all for the hosts' own places"
        )
    if not all(paths):
        raise click.UsageError("a PATH is empty")


def _summary(captured: "Captured", learnt: "Learnt | Exception", embedded: Embedded, paths: tuple[str, ...]) -> None:
    fresh = sum(1 for session in captured.sessions if session.turns)
    if captured.turns:
        say(("Captured ", "green"), (many(captured.turns, "new turn"), "bold"), f" in {many(fresh, 'session')}.")
    elif captured.transcripts:
        say(f"Nothing new in {many(captured.transcripts, 'transcript')}.")
    else:
        say("No transcripts found.", "" if paths else " `steno settings` shows which hosts are read.")
    _say_facts([*_facts(captured), *_learnt(learnt), *_embedded(embedded)], captured.problems)


def _say_facts(facts: list[tuple[str, str, str]], problems: "list[Problem]") -> None:
    for name, value, style in facts:
        if value:
            say((f"  {name:<13}", "dim"), (value, style))
    for problem in problems:
        say(("  problem      ", "red"), in_words(problem))


def _facts(captured: "Captured") -> list[tuple[str, str, str]]:
    bad = f", {captured.lines_bad:,} bad" if captured.lines_bad else ""
    mended = f", {captured.lines_mended:,} mended" if captured.lines_mended else ""
    lines = f"{captured.lines_read:,} read, {captured.lines_skipped:,} skipped{bad}{mended}"
    unchanged = f" ({captured.unchanged:,} unchanged)" if captured.unchanged else ""
    return [
        ("transcripts", f"{captured.transcripts:,}{unchanged}" if captured.transcripts else "", ""),
        ("lines", lines if captured.lines_seen else "", "yellow" if bad else ""),
        ("redacted", by_kind(captured.redacted) if captured.redacted else "", ""),
        ("left out", many(captured.excluded, "transcript") if captured.excluded else "", ""),
        ("gaps", f"{captured.gaps:,}" if captured.gaps else "", "yellow"),
    ]


def _learnt(learnt: "Learnt | Exception") -> list[tuple[str, str, str]]:
    if isinstance(learnt, Exception):
        return []
    return [
        ("entries", f"{learnt.entries:,} new" if learnt.entries else "", ""),
        ("reviews", f"{learnt.reviews:,} new: `steno review` shows them" if learnt.reviews else "", "yellow"),
    ]


def _embedded(embedded: Embedded) -> list[tuple[str, str, str]]:
    """Nothing where nothing was made and nothing waits."""
    waits = embedded.now.waiting and embedded.trouble is None
    return [("vectors", vectors(embedded.now) if embedded.made or waits else "", "")]


def _tell_of_trouble(trouble: Exception | None, *, new: bool) -> None:
    """Without vectors recall finds by words: that is said when there is something new to find, and is no failure."""
    from steno.vocabulary.errors import NoEmbedding, StenoError

    if trouble is None:
        return
    if not isinstance(trouble, StenoError):
        raise trouble
    sys.stdout.flush()
    if new or not isinstance(trouble, NoEmbedding):
        means = "recall finds by words only" if isinstance(trouble, NoEmbedding) else "vectors wait"
        print(plain(f"steno: {means}: {trouble.message}; {trouble.hint}"), file=sys.stderr)


def _fail_if_unlearnt(learnt: "Learnt | Exception") -> None:
    if isinstance(learnt, Exception):
        sys.stdout.flush()
        print("steno: the turns are captured, but the scribe failed; `steno scribe` tries again", file=sys.stderr)
        raise learnt


def _fail_if_unread(problems: "list[Problem]", paths: tuple[str, ...]) -> None:
    """A path the user named that could not be read at all is a failure; its neighbours were captured all the same."""
    from steno.vocabulary.errors import StenoError

    given = {valid(os.path.abspath(path)) for path in paths}
    if unread := [problem.path for problem in problems if valid(problem.path) in given]:
        hint = "the rest was captured; what was in the way is listed under problems"
        if len(unread) == len(given):
            hint = "name a transcript or a folder of them; `steno capture --all` knows where your agents keep theirs"
        raise StenoError(
            f"{len(unread)} of {many(len(given), 'given path')} could not be read: {', '.join(unread)}", hint=hint
        )
