"""What a gate says: the framed page for a person, and the few lines an agent gets when something matches.

Everything that was not written by us goes through `safe`, so that no entry can draw a frame or a verdict of its own.
"""

from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from steno.briefing.render import framed, quoted, safe
from steno.flows.record import shown
from steno.tokens import count
from steno.vocabulary import (
    GATE_TOKENS,
    PEOPLE,
    Allow,
    Ask,
    Block,
    Entry,
    Flow,
    Page,
    Reason,
    Rule,
    Tool,
    Verdict,
    Warn,
)
from steno.vocabulary.gates import ReasonKind

WIDTH: Final = 80
_LABEL: Final = 10
# Characters of one line, of a quote in it, and of the rest.
_LINE, _QUOTE, _SHORT = 300, 200, 120
_MOST: Final = {"rejected": 5, "excluded": 5, "active": 5, "rules": 8, "able": 4, "tools": 6}
# What goes first when the page is too long.
_LEAST: Final = ("active", "tools", "able", "rules", "flow", "excluded", "rejected", "action", "to allow")
_SAID_REASONS: Final = 3
_MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)  # fmt: skip
_TELLS: Final = {"ask": "ask the human first", "block": "do not do this"}
# An exchange laid beside a call costs so many tokens at most.
REMINDER_TOKENS: Final = 60
# Characters of the quote and of what it answered, the longest pair that fits first.
_LENGTHS: Final = ((160, 80), (120, 60), (100, 40), (100, 0), (60, 0), (36, 0), (20, 0))
_HOW: Final[dict[ReasonKind, str]] = {
    "rejected": "refused", "rule": "instructed", "exclusion": "tried and failed", "decision": "decided",
    "said": "said", "flow": "changed",
}  # fmt: skip
_NOTHING: Final = "nothing in the way, proceed"


class Row(NamedTuple):
    """One line of the page: what it is, its text, and how it is meant ("good", "bad", "" or the verdict's name)."""

    label: str
    text: str
    tone: str = ""


def page_rows(verdict: Verdict) -> list[Row]:
    """The page line by line: a head, what is known, the verdict; never over the budget of a gate."""
    rows = list(_rows(verdict.page))
    if isinstance(verdict, Ask | Block):
        rows.append(Row("to allow", _to_allow(verdict.reasons[0])))
    head, foot = _head(verdict.page), _foot(verdict)
    while rows and _is_too_long(_drawn([head, *rows, foot])):
        # The last of what matters least.
        del rows[max(range(len(rows)), key=lambda place: (-_LEAST.index(rows[place].label), place))]
    return [head, *rows, foot]


def page_text(verdict: Verdict) -> str:
    """The whole page as text."""
    return _drawn(page_rows(verdict))


def drawn(rows: list[Row], width: int = WIDTH) -> Iterator[tuple[str, Row]]:
    """Each row with the sign and the label it is drawn behind; the first and the last as wide as the page."""
    shown = ""
    for place, row in enumerate(rows):
        sign = "╭" if place == 0 else "╰" if place == len(rows) - 1 else "│"
        label = row.label if row.label != shown else ""
        shown = row.label
        before = f"{sign} {label:<{_LABEL}}" if place else f"{sign} "
        yield before, row if sign == "│" else row._replace(text=f"{row.text} ".ljust(width - len(before), "─"))


def said(verdict: Verdict) -> str:
    """What an agent is told: nothing where nothing stands in the way, else the reasons in a few framed lines."""
    if isinstance(verdict, Allow):
        return ""
    name = verdict_name(verdict)
    if isinstance(verdict, Warn):
        return framed([f"- {_exchange(reason)}" for reason in verdict.reasons], gate=name)
    told = [f"- {_told(reason)}" for reason, _ in zip(verdict.reasons, range(_SAID_REASONS), strict=False)]
    return framed([f"{_TELLS[name]}:", *told], gate=name)


def asks(verdict: Ask) -> str:
    """What a person is asked before a call is made: what they said, when, why, what instead, and how to allow it."""
    first = verdict.reasons[0]
    lines = [f"Steno: {_HOW[first.kind]} on {day(first.at)}: {_words(first)}"]
    lines += [f"{name}: {safe(text, _SHORT)}" for name, text in _more(first) if text and text not in first.quote]
    if len(verdict.reasons) > 1:
        lines.append(f"and {len(verdict.reasons) - 1} more like it")
    return "\n".join([*lines, f"Yes allows it once. {_to_allow(first)}"])


def _exchange(reason: Reason) -> str:
    """What was said and what it answered, as much of both as a reminder may cost."""
    for quote, to in _LENGTHS:
        before = f" (to {quoted(reason.said_to, to)})" if reason.said_to and to else ""
        text = f"{_HOW[reason.kind]}, {day(reason.at)}: {_words(reason, quote)}{before}"
        if count(text) <= REMINDER_TOKENS:
            break
    return text


def _words(reason: Reason, most: int = _QUOTE) -> str:
    """The person's words; where there are none, what was noted."""
    return quoted(reason.quote, most) if reason.quote else safe(reason.text, most)


def _more(reason: Reason) -> tuple[tuple[str, str], ...]:
    """What else there is to a reason, by name."""
    return (
        ("It was said to", reason.said_to), ("Why", reason.why), ("Instead", reason.instead),
        ("It may be reopened", reason.reopen),
    )  # fmt: skip


def _to_allow(reason: Reason) -> str:
    """How a person allows it for good."""
    if reason.kind == "flow":
        return f"steno flows edit {safe(reason.id, 64)} says whether it needs approval."
    return f"steno archive {safe(reason.id, 20)} allows it for good."


def verdict_name(verdict: Verdict) -> str:
    """allow, warn, ask or block."""
    return type(verdict).__name__.lower()


def named(verdict: Verdict) -> list[str]:
    """Why, as a receipt names it. A guess reminds; it is no reason to blame anybody for."""
    guesses = isinstance(verdict, Warn)
    reasons = () if isinstance(verdict, Allow) else verdict.reasons
    return [f"{'reminder' if guesses and not reason.fired else 'reason'}:{reason.id}" for reason in reasons]


def day(at: str | None) -> str:
    """A moment as a person writes its day: 3 March 2026."""
    try:
        when = date.fromisoformat((at or "")[:10])
    except ValueError:
        return "some day"
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"


def _is_too_long(text: str) -> bool:
    # No text has more tokens than bytes, and counting those is quicker.
    return len(text.encode()) > GATE_TOKENS and count(text) > GATE_TOKENS


def _drawn(rows: list[Row]) -> str:
    return "\n".join(f"{before}{row.text}" for before, row in drawn(rows))


def _head(page: Page) -> Row:
    return Row("", f"BEFORE ─ agent {safe(page.action.agent, 40)} ─ domain {safe(page.domain, 20)}")


def _foot(verdict: Verdict) -> Row:
    name = verdict_name(verdict)
    why = _NOTHING if isinstance(verdict, Allow) else _verdict(verdict.reasons[0])
    return Row("verdict", f"{name}: {why}", name)


def _verdict(reason: Reason) -> str:
    """The reason on the last line. A refusal is quoted above; of a rule this is the one place that names it."""
    if reason.kind == "rule" and reason.text in reason.quote:
        return f"{safe(reason.quote, _SHORT).rstrip(' .!?,;:')}, {_HOW[reason.kind]} on {day(reason.at)}"
    return _short(reason)


def _short(reason: Reason) -> str:
    """The reason in a few words. The quote stands above it already."""
    if reason.kind == "flow":
        return safe(reason.text, _SHORT)
    what = "" if reason.text in reason.quote else f"{safe(reason.text, _SHORT).rstrip(' .!?,;:')}, "
    return f"{what}{_HOW[reason.kind]} on {day(reason.at)}"


def _rows(page: Page) -> Iterator[Row]:
    action = page.action
    tool = f" ({safe(action.tool, 40)})" if action.tool else ""
    yield Row("action", f"{safe(action.text, _LINE)}{tool}")
    if page.flow is not None:
        yield from _flow(page.flow)
    for entry in page.rejected[: _MOST["rejected"]]:
        yield Row("rejected", _refusal(entry), "bad")
    for entry in page.excluded[: _MOST["excluded"]]:
        yield Row("excluded", _failure(entry), "bad")
    for entry in page.active[: _MOST["active"]]:
        yield Row("active", f"{entry.category:<10} {safe(entry.summary, _LINE)}{_label(entry)}")
    for rule in page.rules[: _MOST["rules"]]:
        yield Row("rules", _rule(rule))
    able = [tool for tool in page.tools if tool.kind == "capability"]
    for one in able[: _MOST["able"]]:
        yield Row("able", _able(one), "bad" if one.healthy is False else "good" if one.healthy else "")
    for tool_ in [tool for tool in page.tools if tool not in able][: _MOST["tools"]]:
        yield Row("tools", _tool(tool_), "good")


def _flow(flow: Flow) -> Iterator[Row]:
    approval = "yes" if flow.needs_approval else "no"
    yield Row("flow", f"{safe(flow.name, 64)}   {shown(flow)}   needs approval: {approval}")
    steps = (f"{place} {safe(step, _SHORT)}" for place, step in enumerate(flow.steps[:12], 1))
    yield Row("flow", "   ".join(steps))


def _refusal(entry: Entry) -> str:
    quote = entry.evidence[0].quote if entry.evidence else entry.summary
    what = entry.detail.what
    said_ = f"{entry.origin}, {day(entry.created_at)}: {quoted(quote, _QUOTE)}"
    shown = f"{safe(what, _SHORT)}   {said_}" if what and what not in quote else said_
    stance = entry.detail.stance
    more = (("why", stance.why), ("instead", stance.wanted), ("reopen", stance.until))
    # Words of theirs that stand in the quote already are not said twice.
    return f"✗ {shown}" + "".join(_named(name, text) for name, text in more if text not in quote[:_QUOTE])


def _failure(entry: Entry) -> str:
    what = entry.detail.what or entry.summary
    # The symptom is a tool's text: `steno show` has it.
    cause = _named("cause", entry.detail.why)
    return f"✗ {safe(what, _QUOTE)}   failed on {day(entry.created_at)}{cause}"


def _rule(rule: Rule) -> str:
    return f"{rule.score:>4.1f} {safe(rule.rule, _QUOTE)}{_label(rule)}"


def _label(thing: Rule | Entry) -> str:
    """Whose words it is, unless a person's."""
    return "" if thing.origin in PEOPLE else f"   (from {thing.origin})"


def _tool(tool: Tool) -> str:
    about = f"   {safe(tool.about, 80)}" if tool.about else ""
    return f"✓ {safe(tool.command, _SHORT)}{about}"


def _able(tool: Tool) -> str:
    """Something that can be done, and how its last check went."""
    about = f"   {safe(tool.about, 80)}" if tool.about else ""
    if tool.healthy is False:
        return f"⚠ {safe(tool.command, _SHORT)}: last check failed{about}"
    return f"{'✓' if tool.healthy else '–'} {safe(tool.command, _SHORT)}{about}"


def _told(reason: Reason) -> str:
    quote = f" {quoted(reason.quote, _QUOTE)}" if reason.quote else ""
    more = f"{_named('why', reason.why)}{_named('may be reopened', reason.reopen)}"
    return f"{_short(reason)} (entry {safe(reason.id, 20)}){quote}{more}"


def _named(name: str, text: str) -> str:
    return f"   {name}: {safe(text, _SHORT)}" if text else ""
