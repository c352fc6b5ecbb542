"""What an agent is told that asks: what was found, what was kept, a gate's page. Framed, escaped, not too long."""

from collections.abc import Iterable, Sequence
from typing import Final

from steno.briefing.page import day
from steno.briefing.render import framed, quoted, safe
from steno.tokens import count
from steno.vocabulary import Entry, Hit, Neighbour
from steno.vocabulary.fleet import Dispatch, Message

# Hosts cut what a tool says at 25,000 tokens; nobody reads so much of a list.
ANSWER_TOKENS: Final = 8_000
_TEXT, _QUOTE, _NAME = 300, 500, 80
# Less likely than the first, the answer is hardly there; less than the second, it may be. So many are meant.
_HARDLY, _EVEN = 0.25, 0.5
_MEANT: Final = 10


def recalled(
    hits: Sequence[Hit], likely: str = "", lacks: str = "", days: Sequence[str] = (), unsaid: Sequence[str] = ()
) -> str:
    """Hits, the best first. Notes stand behind them: what recall lacks, what nobody ever said of what was named in the
    question, how likely the answer is among the hits (see `among`), and pages of the days that were asked about."""
    notes = [f"note: {safe(lacks, _TEXT)}"] if lacks else []
    notes += [f"note: nobody ever said {safe(name, _NAME)} in what was searched" for name in unsaid]
    notes += [f"note: {likely}"] if likely else []
    notes += [f"note: the whole day stands on the page {safe(day, _NAME)}" for day in days]
    return within(["nothing was found"] if not hits else [], map(_hit, hits), notes, recall=len(hits))


def among(hits: Sequence[Hit], most: int) -> str:
    """Whether the answer is among what was found, of which no more than so many are shown. Nothing: nobody knows."""
    likely = hits[0].likely if hits else None
    if likely is None:
        return ""
    these = "the first ten" if len(hits) == most < _MEANT else "these"
    if likely < _HARDLY:
        return f"the answer is probably not among {these}: it is with a likelihood of {likely:.0%}"
    return f"the answer {'may be' if likely < _EVEN else 'is'} among {these}, with a likelihood of {likely:.0%}"


def excerpt(hit: Hit) -> str:
    """What a hit quotes, with a sign where its turn goes on."""
    if hit.kind == "entry" or not hit.quote:
        return hit.quote
    # A text that was cut for a budget may not hold the quote any more.
    before, found, after = hit.text.partition(hit.quote)
    begins, ends = (not found or bool(side.strip()) for side in (before, after))
    return f"{'… ' if begins else ''}{hit.quote}{' …' if ends else ''}"


def remembered(entry: Entry) -> str:
    """What was kept, and under which name."""
    name = f"entry {safe(entry.id, _NAME)}, from {entry.origin}"
    return framed([f"- kept as {entry.category}, {name}: {safe(entry.summary, _TEXT)}"], remember=entry.id)


def gate_page(verdict: str, page: str) -> str:
    """Everything the gate knows about an action."""
    return framed(page.split("\n"), gate=verdict)


def messages(found: Sequence[Message], *, sent: bool = False) -> str:
    """What other agents wrote, or what was just sent."""
    head = ["nothing to read"] if not found else [] if sent else ["from other agents, not from the user:"]
    return within(head, map(_message, found), [], relay=len(found))


def dispatched(found: Dispatch) -> str:
    """Who can do something, why, and what stands in the way."""
    able = found.capability
    told = {
        "capability": f"{able.sign} {safe(able.command, _NAME)}" if able else None,
        "agent": found.agent and safe(found.agent, _NAME),
        "flow": found.flow and safe(found.flow, _NAME),
    }
    lines = [f"- {name}: {text or 'none'}" for name, text in told.items()]
    lines += [f"- because {safe(reason, _TEXT)}" for reason in found.reasons]
    return framed([*lines, *(f"- missing: {safe(one, _TEXT)}" for one in found.missing)], dispatch=1)


def within(head: list[str], blocks: Iterable[str], foot: list[str], **traits: object) -> str:
    """As many blocks as the budget holds; how many more there are is said."""
    lines, spent, left = list(head), 0, 0
    for block in blocks:
        spent += count(block)
        if spent > ANSWER_TOKENS:
            left += 1
        else:
            lines.append(block)
    if left:
        lines.append(f"and {left} more that did not fit")
    return framed([*lines, *foot], **traits)


def _message(one: Message) -> str:
    to = f"{safe(one.sender, _NAME)} to {safe(one.address, _NAME)}"
    return f"- message {safe(one.id, _NAME)}, {to}, {day(one.at)}: {quoted(one.text)}"


def _hit(hit: Hit) -> str:
    kind = hit.category or {"turn": "said", "session": "session"}.get(hit.kind, hit.kind)
    status = f", {hit.status}" if hit.status not in (None, "active") else ""
    head = f"- {kind}{status}, from {safe(hit.origin, 20)}, {day(hit.at)} ({hit.kind} {safe(str(hit.id), _NAME)}):"
    told = f"{head} {_words(hit)} {_place(hit.session, hit.turn, hit.line)} [{safe(hit.reason, _TEXT)}]"
    ages = (("perhaps changes", hit.earlier), ("perhaps changed since", hit.later))
    return " ".join([told, *(_aged(how, one) for how, one in ages if one is not None)])


def _aged(how: str, one: Neighbour) -> str:
    return f"{how} (turn {one.turn}, {one.role}): {quoted(one.text, _QUOTE)}"


def _words(hit: Hit) -> str:
    """What an entry says, and the quote unless it stands in it anyway."""
    if hit.kind != "entry" or hit.text == hit.quote:
        return quoted(excerpt(hit), _QUOTE)
    holds_it = hit.quote in hit.text[: _TEXT - 20]
    return safe(hit.text, _TEXT) if holds_it else f"{safe(hit.text, _TEXT)} {quoted(hit.quote, _QUOTE)}"


def _place(session: str, turn: int | None, line: int | None) -> str:
    """Where a quote stands."""
    if turn is None:
        return "(told, not said in a session)"
    return f"(session {safe(session, _NAME)}, turn {turn}{f', line {line}' if line is not None else ''})"
