"""What a gate says: the framed page for a person, and the few lines an agent gets when something matches.

Everything that was not written by us goes through `safe`, so that no entry can draw a frame or a verdict of its own.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from steno.briefing import entries
from steno.briefing.entries import WORDS, told, whole
from steno.briefing.render import OWN_VOICE, framed, quoted, safe
from steno.flows.record import shown
from steno.tokens import count
from steno.vocabulary import GATE_TOKENS, PEOPLE, Allow, Ask, Block, Flow, Reason, Tool, Verdict, Warn
from steno.vocabulary.gates import ReasonKind

WIDTH: Final = 80
_LABEL: Final = 10
# Characters of one line, and of what is told with it. A person's words are told whole; only what has more tokens than
# any sentence ends earlier, at the end of one.
_LINE, _SHORT = 300, 120
_WHOLE: Final = 250
_MOST: Final = {"rejected": 5, "said": 3, "excluded": 5, "active": 5, "rules": 8, "able": 6, "tools": 6}
# What goes first when the page is too long.
_LEAST: Final = ("more", "active", "tools", "able", "flow", "said", "excluded", "rules", "rejected", "action")
# Tokens of what the words of a reminder answered.
_ANSWERED: Final = 24
_HOW: Final[dict[ReasonKind, str]] = {
    "rejected": "refused", "rule": "instructed", "exclusion": "tried and failed", "said": "said", "flow": "changed",
    "act": "waits",
}  # fmt: skip
_WHO: Final = {"user": "the user", "edit": "the user", "assistant": "an agent"}


class Row(NamedTuple):
    """One line of the page: what it is, its text, and how it is meant ("good", "bad", "" or the verdict's name)."""

    label: str
    text: str
    tone: str = ""


def page_rows(verdict: Verdict) -> list[Row]:
    """The page line by line: a head, what is known, the verdict; never over the budget of a gate."""
    page, rows = verdict.page, list(_rows(verdict))
    head = Row("", f"BEFORE ─ agent {safe(page.action.agent, 40)} ─ domain {safe(page.domain, 20)}")
    foot = Row("verdict", f"{verdict_name(verdict)}: {_why(verdict)}", verdict_name(verdict))
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
    return framed([f"- {_reminder(reason)}" for reason in verdict.reasons], gate=verdict_name(verdict))


def asks(verdict: Ask | Block, *, can_ask: bool = True) -> str:
    """What a person is asked before a call is made, or an agent is told where the host cannot ask, or may not do it:
    what was said, by whom, when, to what, why, what instead. An agent may read it, so it names no way to lift it.

    Every line begins with our name: wherever one of them comes back alone, it is known as ours.
    """
    first = verdict.reasons[0]
    more = (("It was said to", first.said_to), ("Why", first.why), ("Instead", first.instead),
            ("It may be reopened", first.reopen))  # fmt: skip
    lines = [f"{_how(first)}: {_words(first)}"]
    lines += [f"{name}: {safe(text, _SHORT)}" for name, text in more if text and text not in first.quote]
    if len(verdict.reasons) > 1:
        lines.append(f"and {len(verdict.reasons) - 1} more like it")
    if isinstance(verdict, Block):
        lines.append("Do not do this.")
    elif can_ask:
        lines.append("Yes allows it once.")
    else:
        lines += ["It is held: nobody has allowed it yet.", "Ask the human first: a yes allows it once."]
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


def _reminder(reason: Reason) -> str:
    """What was said, whole, and what it answered."""
    to = f", to: {quoted(whole(reason.said_to, _ANSWERED))}" if reason.said_to else ""
    return f"{_HOW[reason.kind]}, {day(reason.at)}: {_words(reason, WORDS)}{to}"


def _words(reason: Reason, most: int = _WHOLE) -> str:
    """The person's words between quotation marks; where there are none, what was noted."""
    words = whole(reason.quote or reason.text, most)
    return f"“{words}”" if reason.quote or reason.by in (*PEOPLE, "edited") else words


def _how(reason: Reason) -> str:
    """How it came, by whom, and when."""
    if reason.by == "edited":
        return f"as the user wrote it later; first {_HOW[reason.kind]} on {day(reason.at)}"
    by = f" by {_WHO.get(reason.by, reason.by)}" if reason.by else ""
    return f"{_HOW[reason.kind]}{by} on {day(reason.at)}"


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
    guesses = isinstance(verdict, Warn)
    return [f"{'reminder' if guesses and not one.on else 'reason'}:{one.id}" for one in _reasons(verdict)]


def _reasons(verdict: Verdict) -> tuple[Reason, ...]:
    return () if isinstance(verdict, Allow) else verdict.reasons


def day(at: str | None) -> str:
    """A moment as a person writes its day: 3 March 2026."""
    return entries.day(at, "") or "some day"


def _is_too_long(text: str) -> bool:
    # No text has more tokens than bytes, and counting those is quicker.
    return len(text.encode()) > GATE_TOKENS and count(text) > GATE_TOKENS


def _drawn(rows: list[Row]) -> str:
    return "\n".join(f"{before}{row.text}" for before, row in drawn(rows))


def _why(verdict: Verdict) -> str:
    """The verdict's sentence: its first reason, whole."""
    if isinstance(verdict, Allow):
        page = verdict.page
        concerned = page.rejected or page.excluded or page.rules or page.said
        return "what stands above concerns it, and was told already" if concerned else "nothing in the way, proceed"
    reason = verdict.reasons[0]
    if reason.kind in ("flow", "act"):
        return safe(reason.text, _SHORT)
    may = "a rule may apply: " if isinstance(verdict, Warn) and reason.kind == "rule" else ""
    return f"{may}{_words(reason)}, {_how(reason)}"


def _rows(verdict: Verdict) -> Iterator[Row]:
    page, action = verdict.page, verdict.page.action
    stops = [reason.id for reason in _reasons(verdict) if isinstance(verdict, Ask | Block)]

    def marked(id_: str, text: str) -> str:
        return f"{text}   ← {verdict_name(verdict)}s" if id_ in stops else text

    yield Row("action", f"{safe(action.text, _LINE)}{f' ({safe(action.tool, 40)})' if action.tool else ''}")
    if page.flow is not None:
        yield from _flow(page.flow)
    for label, found, sign in (
        ("rejected", page.rejected, "✗ "), ("excluded", page.excluded, "✗ "), ("said", page.said, ""),
    ):  # fmt: skip
        for entry in found[: _MOST[label]]:
            yield Row(label, marked(entry.id, sign + told(entry, "", _WHOLE)), "bad" if sign else "")
    for entry in page.active[: _MOST["active"]]:
        yield Row("active", f"{entry.category:<10} {told(entry, '')}")
    for rule in page.rules[: _MOST["rules"]]:
        whose = "" if rule.origin in PEOPLE else f"   (from {rule.origin})"
        yield Row("rules", marked(rule.id, f"{rule.score:>4.1f} {whole(rule.rule, _WHOLE)}{whose}"))
    if page.more:
        yield Row("more", f"{page.more} more {'rules hold' if page.more > 1 else 'rule holds'} here")
    for label, is_able in (("able", True), ("tools", False)):
        tools = [tool for tool in page.tools if (tool.kind == "capability") is is_able]
        yield from (_tool(label, tool) for tool in tools[: _MOST[label]])


def _flow(flow: Flow) -> Iterator[Row]:
    approval = "yes" if flow.needs_approval else "no"
    yield Row("flow", f"{safe(flow.name, 64)}   {shown(flow)}   needs approval: {approval}")
    steps = (f"{place} {safe(step, _SHORT)}" for place, step in enumerate(flow.steps[:12], 1))
    yield Row("flow", "   ".join(steps))


def _tool(label: str, tool: Tool) -> Row:
    """Something that exists already, and of what can be done how its last check went."""
    about = f"   {safe(tool.about, 80)}" if tool.about else ""
    well = True if label == "tools" else tool.healthy
    sign, tone = {True: ("✓", "good"), False: ("⚠", "bad"), None: ("–", "")}[well]
    return Row(
        label, f"{sign} {safe(tool.command, _SHORT)}{': last check failed' if well is False else ''}{about}", tone
    )
