"""What was captured, left out, forgotten and learnt."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import click

from steno.cli.show import facts, say
from steno.cli.table import Column, Rows, table
from steno.cli.words import by_kind, in_words, many

_FILES: Final = (Column("transcript", "path", telling=True), Column("new turns", "number"))
_BY_CATEGORY: Final = (Column("category"), Column("entries", "number"))
_RULES: Final = Rows((Column("status"), Column("score", "right"), Column("rule", telling=True)))
_ENTRIES: Final = Rows((Column("category"), Column("created_at", "time"), Column("summary", telling=True)))
_FLOWS: Final = Rows((Column("name"), Column("triggers", telling=True, of=lambda one: ", ".join(one.triggers))))

OPTIONS: Final = {
    "capture": [
        click.Option(["--all", "everything"], is_flag=True, help="Read the whole history of every host."),
        click.Option(["--watch"], is_flag=True, help="Go on as transcripts grow, until Ctrl-C."),
    ],
    "forget": [click.Option(["--yes"], is_flag=True, help="Do not ask.")],
}


# -- before ----------------------------------------------------------------------------------------------------------


def _may_capture(given: dict[str, Any], *, as_json: bool) -> bool:
    everything, watch = given.pop("everything"), given.pop("watch")
    if given["dry_run"] and watch:
        raise click.UsageError("--dry-run says what there is now: it does not go with --watch")
    if given["paths"] and everything:
        raise click.UsageError("--all reads the hosts' own places: it takes no PATH")
    if not (given["paths"] or everything or watch):
        raise click.UsageError(
            "say what to read: a PATH (a transcript or a folder of them), or --all for the hosts' own places"
        )
    if watch:
        from steno.cli.watch import watch as go_on

        go_on(given["paths"] or [], source=given["source"], as_json=as_json)
    return not watch


def _agreed(given: dict[str, Any], *, as_json: bool) -> bool:
    """Say what would be erased, and ask."""
    from steno.cli.answering import ask
    from steno.verbs import VERBS
    from steno.vocabulary.errors import WrongUse

    if given.pop("yes") or given["only_count"]:
        return True
    counted: list[int] = []
    ask(
        VERBS["forget"], {**given, "only_count": True}, as_json=False,
        look=lambda found, given: counted.append(found.turns),
    )  # fmt: skip
    [count] = counted
    if not count and given["text"] is None:
        print("There is no such turn.", file=sys.stderr)
        return False
    # A text that no turn holds may be in a record or in the name of a session.
    what = [many(count, "turn")] if count else []
    what += ["the text wherever else it is kept"] if given["text"] is not None else []
    if not sys.stdin.isatty():
        raise WrongUse(
            f"this would erase {' and '.join(what)}, and there is no terminal to ask on", hint="add --yes to erase it"
        )
    lead = "" if count else "No turn holds that. "
    agreed = click.confirm(f"{lead}Erase {', and '.join(what)}? This cannot be undone.", err=True)
    if not agreed:
        print("Nothing was erased.", file=sys.stderr)
    return agreed


BEFORE: Final = {"capture": _may_capture, "forget": _agreed}


# -- how answers look ------------------------------------------------------------------------------------------------


def _captured(found: Any, given: Mapping[str, Any]) -> None:
    captured = found.captured
    new, fresh = many(captured.turns, "new turn"), sum(1 for session in captured.sessions if session.turns)
    if given["dry_run"]:
        read = many(captured.transcripts, "transcript")
        say(("Would capture ", "green"), (new, "bold"), f" of {read}. Nothing was written.")
        if captured.files:
            table(_FILES, list(captured.files.items()))
    elif captured.turns:
        say(("Captured ", "green"), (new, "bold"), f" in {many(fresh, 'session')}.")
    elif captured.transcripts:
        say(f"Nothing new in {many(captured.transcripts, 'transcript')}.")
    else:
        more = "" if given["paths"] else " `steno store settings` shows which hosts are read."
        say("No transcripts found.", more)
    for name, value, style in _facts(captured, found):
        say((f"  {name:<13}", "dim"), (value, style))
    for problem in captured.problems:
        say(("  problem      ", "red"), in_words(problem))


def _facts(captured: Any, found: Any) -> Iterator[tuple[str, str, str]]:
    if captured.transcripts:
        unchanged = f" ({captured.unchanged:,} unchanged)" if captured.unchanged else ""
        yield "transcripts", f"{captured.transcripts:,}{unchanged}", ""
    if captured.lines_seen:
        bad = f", {captured.lines_bad:,} bad" if captured.lines_bad else ""
        mended = f", {captured.lines_mended:,} mended" if captured.lines_mended else ""
        lines = f"{captured.lines_read:,} read, {captured.lines_skipped:,} skipped{bad}{mended}"
        yield "lines", lines, "yellow" if bad else ""
    if captured.redacted:
        yield "redacted", by_kind(captured.redacted), ""
    if captured.excluded:
        yield "left out", many(captured.excluded, "transcript"), ""
    if captured.gaps:
        yield "gaps", f"{captured.gaps:,}", "yellow"
    if found.learnt and found.learnt.entries:
        yield "entries", f"{found.learnt.entries:,} new", ""
    if found.learnt and found.learnt.reviews:
        yield "reviews", f"{found.learnt.reviews:,} new: `steno review` shows them", "yellow"
    if found.vectors or (found.recall and found.recall.waiting and not found.trouble):
        yield "vectors", vectors(found.recall), ""


def vectors(now: Any) -> str:
    """How many turns have vectors, and about how many wait for theirs."""
    wait = f", about {now.waiting:,} wait" if now.waiting else ""
    return many(now.vectors, "turn") + wait + (f", {now.sketched:,} are sketched" if now.sketched else "")


def _stays(_: Any) -> None:
    say(("What is captured already stays; `steno forget` erases it.", "dim"))


def _paused(found: Any, given: Mapping[str, Any]) -> None:
    if found.paused:
        say(("Off the record.", "yellow"), " What is said until `steno pause off` is not captured, not even later.")
    else:
        say(("On record again.", "green"))


def _forgotten(found: Any, given: Mapping[str, Any]) -> None:
    if given["only_count"]:
        say(f"Would forget {many(found.turns, 'turn')}.")
    else:
        say(f"Forgot {many(found.turns, 'turn')} and {many(found.sessions, 'whole session')}.")


def learnt(done: str, found: Any, *, kept: bool = True) -> None:
    """What a run of the scribe did; what was not `kept` waits nowhere."""
    read = f"{many(found.turns, 'turn')} in {many(found.sessions, 'session')}"
    say((f"{done} ", "green"), f"{read}: ", (f"{many(found.entries, 'new entry')}.", "bold"))
    known = {
        "  repeated": f"{many(found.repeated, 'time')} something known was said again" if found.repeated else "",
        "  superseded": many(found.superseded, "older entry") if found.superseded else "",
        "  reviews": f"{found.reviews:,} new: `steno review` shows them" if found.reviews and kept else "",
        "  refused": by_kind(found.refused, "candidate") if found.refused else "",
    }
    facts(known, 15)


def _learnt(found: Any, given: Mapping[str, Any]) -> None:
    learnt("Read", found) if found.turns else say("Nothing new to read.")


def _backtest(found: Any, given: Mapping[str, Any]) -> None:
    if found.entries:
        _report(found)
    learnt("Learnt from" if given["apply"] else "Tried out", found.learnt, kept=given["apply"])
    if not given["apply"]:
        say(("Nothing was kept; --apply does the same to the real store.", "dim"))


def _report(found: Any) -> None:
    by_category = Counter(entry.category for entry in found.entries)
    table(_BY_CATEGORY, list(map(list, by_category.most_common())))
    say()
    critical = sum(rule.status == "critical" for rule in found.rules)
    offered = [review.entry for review in found.reviews if hasattr(review, "entry")]
    lessons = [entry for entry in found.entries if entry.category == "learning"]
    of_rules = f"{critical:,} critical, {len(found.rules) - critical:,} active"
    for rows, below, title, more in (
        (_RULES, found.rules, many(len(found.rules), "rule"), of_rules),
        (_ENTRIES, offered, many(len(offered), "offer"), "`steno review` would offer to make them last"),
        (_FLOWS, found.flows, many(len(found.flows), "flow"), "candidates wait for `steno flows activate`"),
        (_ENTRIES, lessons, many(len(lessons), "lesson"), ""),
    ):
        say((title, "bold"), (f"  {more}" if more and below else "", "dim"))
        if below:
            rows(below)
    say()


_EXCLUDED: Final = (Column("pattern", telling=True),)
_NONE_EXCLUDED: Final = "Nothing is left out."

LOOKS: Final = {
    "capture": _captured,
    "capture exclude": Rows(_EXCLUDED, _NONE_EXCLUDED, _stays),
    "capture include": Rows(_EXCLUDED, _NONE_EXCLUDED),
    "capture excluded": Rows(_EXCLUDED, _NONE_EXCLUDED),
    "pause": _paused,
    "forget": _forgotten,
    "entries learn": _learnt,
    "entries backtest": _backtest,
}
