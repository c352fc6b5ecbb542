"""What a gate says: the framed page for a person, and the few lines an agent gets when something matches.

Everything that was not written by us goes through `safe`, so that no entry can draw a frame or a verdict of its own.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final, NamedTuple

from steno.briefing.render import OWN_VOICE, framed, safe
from steno.briefing.report import sentences_of
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
# Characters of one line, of what was answered or tried, and of the rest. A person's words are told whole; only what is
# longer than any sentence ends earlier, at the end of one.
_LINE, _QUOTE, _SHORT, _WHOLE = 300, 200, 120, 1_000
_MOST: Final = {"rejected": 5, "excluded": 5, "active": 5, "rules": 8, "able": 4, "tools": 6}
# What goes first when the page is too long.
_LEAST: Final = ("active", "tools", "able", "rules", "flow", "excluded", "said", "rejected", "action")
_MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)  # fmt: skip
# An exchange laid beside a call costs so many tokens at most.
REMINDER_TOKENS: Final = 60
# Characters of what was answered, and of the words themselves, the longest pair that fits first.
_LENGTHS: Final = ((400, 400), (80, 400), (0, 400), (0, 160), (0, 100), (0, 60), (0, 36), (0, 20))
_HOW: Final[dict[ReasonKind, str]] = {
    "rejected": "refused", "rule": "instructed", "exclusion": "tried and failed", "said": "said", "flow": "changed",
}  # fmt: skip
_WHO: Final = {"user": "the user", "edit": "the user", "assistant": "an agent"}
_NOTHING: Final = "nothing in the way, proceed"
_MAY_APPLY: Final = "nothing refused comes again; what stands above may apply"


class Row(NamedTuple):
    """One line of the page: what it is, its text, and how it is meant ("good", "bad", "" or the verdict's name)."""

    label: str
    text: str
    tone: str = ""


def page_rows(verdict: Verdict) -> list[Row]:
    """The page line by line: a head, what is known, the verdict; never over the budget of a gate."""
    rows = list(_rows(verdict))
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


def said(verdict: Warn) -> str:
    """What an agent is reminded of: each exchange in a framed line."""
    return framed([f"- {_exchange(reason)}" for reason in verdict.reasons], gate=verdict_name(verdict))


def asks(verdict: Ask | Block, *, can_ask: bool = True) -> str:
    """What a person is asked before a call is made, or an agent is told where the host cannot ask, or may not do it:
    what was said, by whom, when, why, what instead. An agent may read it, so it names no way to lift what was said.

    Every line begins with our name: wherever one of them comes back alone, it is known as ours.
    """
    first = verdict.reasons[0]
    lines = [f"{_how(first)}: {_words(first)}"]
    lines += [f"{name}: {safe(text, _SHORT)}" for name, text in _more(first) if text and text not in first.quote]
    if len(verdict.reasons) > 1:
        lines.append(f"and {len(verdict.reasons) - 1} more like it")
    if isinstance(verdict, Block):
        lines.append("Do not do this.")
    else:
        lines.append("Yes allows it once." if can_ask else "Ask the human first: a yes allows it once.")
    return "\n".join(f"{OWN_VOICE}{line}" for line in lines)


def waits(held: Iterable[tuple[str, str]], *, can_ask: bool) -> str:
    """What a person is asked before a call does what only people may, or an agent is told where nobody is asked: each
    thing as it would be typed, and in full what it would end. Every line begins with our name."""
    lines: list[str] = []
    for words, ends in held:
        shown = safe(words, _LINE).replace("`", "'")
        lines.append(f"This waits for a person: `{shown}`")
        lines += [f"It would end {safe(line)}" for line in ends.splitlines()]
    lines += ["Yes allows it once."] if can_ask else []
    return "\n".join(f"{OWN_VOICE}{line}" for line in lines)


def _exchange(reason: Reason) -> str:
    """What was said, whole, and what it answered, as far as a reminder may cost that."""
    for to, words in _LENGTHS:
        text = f"{_HOW[reason.kind]}, {day(reason.at)}: {_words(reason, words)}{_to(reason.said_to, to)}"
        if count(text) <= REMINDER_TOKENS:
            break
    return text


def _words(reason: Reason, most: int = _WHOLE) -> str:
    """The person's words; where there are none, what was noted."""
    words = sentences_of(reason.quote or reason.text, most)
    return f"“{words}”" if reason.quote else words


def _to(answered: str, most: int) -> str:
    return f", to: “{sentences_of(answered, most)}”" if answered and most else ""


def _how(reason: Reason) -> str:
    """How it came, by whom, and when."""
    by = f" by {_WHO.get(reason.by, reason.by)}" if reason.by else ""
    return f"{_HOW[reason.kind]}{by} on {day(reason.at)}"


def _more(reason: Reason) -> tuple[tuple[str, str], ...]:
    """What else there is to a reason, by name."""
    return (
        ("It was said to", reason.said_to), ("Why", reason.why), ("Instead", reason.instead),
        ("It may be reopened", reason.reopen),
    )  # fmt: skip


def to_allow(kind: ReasonKind, id_: str) -> str:
    """How a person allows it for good: for a person's eyes only."""
    if kind == "flow":
        return f"steno flows edit {safe(id_, 64)} says whether it needs approval."
    return f"steno entries archive {safe(id_, 20)} allows it for good."


def verdict_name(verdict: Verdict) -> str:
    """allow, warn, ask or block."""
    return type(verdict).__name__.lower()


def named(verdict: Verdict) -> list[str]:
    """Why, as a receipt names it. A guess reminds; it is no reason to blame anybody for."""
    guesses, reasons = isinstance(verdict, Warn), _reasons(verdict)
    return [f"{'reminder' if guesses and not reason.on else 'reason'}:{reason.id}" for reason in reasons]


def _reasons(verdict: Verdict) -> tuple[Reason, ...]:
    return () if isinstance(verdict, Allow) else verdict.reasons


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
    name, page = verdict_name(verdict), verdict.page
    if isinstance(verdict, Allow):
        why = _MAY_APPLY if page.rejected or page.excluded or page.rules else _NOTHING
        return Row("verdict", f"{name}: {why}", name)
    reason = verdict.reasons[0]
    why = safe(reason.text, _SHORT) if reason.kind == "flow" else f"{_words(reason, _LINE).rstrip('.')}, {_how(reason)}"
    return Row("verdict", f"{name}: {why}", name)


def _rows(verdict: Verdict) -> Iterator[Row]:
    page, action = verdict.page, verdict.page.action
    tool = f" ({safe(action.tool, 40)})" if action.tool else ""
    yield Row("action", f"{safe(action.text, _LINE)}{tool}")
    if page.flow is not None:
        yield from _flow(page.flow)
    first = {reason.id for reason in _reasons(verdict)[:1]}
    for entry in page.rejected[: _MOST["rejected"]]:
        yield Row("rejected", _refusal(entry), "bad")
    for reason in _reasons(verdict)[1:]:
        if reason.kind == "said":
            yield Row("said", f"{_words(reason)}{_to(reason.said_to, _QUOTE)}")
    for entry in page.excluded[: _MOST["excluded"]]:
        yield Row("excluded", _failure(entry), "bad")
    for entry in page.active[: _MOST["active"]]:
        yield Row("active", f"{entry.category:<10} {safe(entry.summary, _LINE)}{_label(entry)}")
    # What stands above, or is the verdict, is not said twice.
    told = {entry.id for entry in page.rejected} | first
    for rule in [rule for rule in page.rules if rule.id not in told][: _MOST["rules"]]:
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
    stance, exchange = entry.detail.stance, entry.detail.exchange
    answered = f"{exchange.call.tool} {exchange.call.given}" if exchange.call is not None else exchange.answered
    more = (("why", stance.why), ("instead", stance.wanted), ("reopen", stance.until))
    # Words of theirs that stand in the quote already are not said twice.
    named = "".join(_named(name, text) for name, text in more if text not in quote)
    return f"✗ {entry.origin}, {day(entry.created_at)}: “{sentences_of(quote, _WHOLE)}”{_to(answered, _QUOTE)}{named}"


def _failure(entry: Entry) -> str:
    what = entry.detail.what or (entry.evidence[0].quote if entry.evidence else entry.summary)
    # The symptom is a tool's text: `steno entries show` has it.
    cause = _named("cause", entry.detail.why)
    return f"✗ {sentences_of(what, _WHOLE)}   failed on {day(entry.created_at)}{cause}"


def _rule(rule: Rule) -> str:
    return f"{rule.score:>4.1f} {sentences_of(rule.rule, _WHOLE)}{_label(rule)}"


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


def _named(name: str, text: str) -> str:
    return f"   {name}: {safe(text, _SHORT)}" if text else ""
