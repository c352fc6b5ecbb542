"""How one entry is told to an agent: the words whole, what they answered, whose they are, and of which day.

Every page for agents tells entries with these lines, so that the same words are told the same way everywhere.
"""

from datetime import date
from typing import Final

from steno.briefing.render import quoted, safe, shortened
from steno.language.sentence import sentences
from steno.language.words import squeeze
from steno.tokens import count
from steno.vocabulary import PEOPLE, Entry, Origin
from steno.vocabulary.details import Todo

# Tokens of words that are told whole, and of what they answered.
WORDS: Final = 60
ANSWERED: Final = 40
# Text is looked at so far for each token; no language we know needs more letters for one.
_LETTERS: Final = 16
# Words of an older day are told with their age.
OLD_DAYS: Final = 21
# From here on an age is told in months.
_MONTHS_FROM: Final = 60
_SAYS: Final[dict[Origin, str]] = {
    "assistant": "the agent said: ", "agent": "an agent said: ", "tool": "a tool printed: ", "file": "a file says: ",
}  # fmt: skip
_TO: Final = " (to: “"
_MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)  # fmt: skip
_NUMBERS: Final = "no one two three four five six seven eight nine ten eleven twelve".split()


def told(entry: Entry, now: str, most: int = WORDS) -> str:
    """One entry on one line, with its day."""
    return ", ".join(filter(None, [said(entry, most), dated(entry.created_at, now)]))


def said(entry: Entry, most: int = WORDS) -> str:
    """The same without its day."""
    edited = ", edited" if is_edited(entry) else ""
    return f"{_whose(entry)}“{whole(words_of(entry), most)}”{_about(entry, most)}{edited}"


def words_of(entry: Entry) -> str:
    """The words an entry stands for: as a person edited them, else as they were said."""
    if is_edited(entry) or entry.origin not in PEOPLE:
        return entry.summary
    return _first_words(entry) or entry.summary


def is_edited(entry: Entry) -> bool:
    """Whether a person gave it other words than those that were said."""
    was = _first_words(entry)
    return entry.origin == "edit" and bool(was) and squeeze(entry.summary).partition(_TO)[0] != squeeze(was)


def answered(entry: Entry) -> str:
    """The call, option, question or offer that the words answered, as far as the session shows one; nothing where they
    were edited since. What an agent happened to say before is no answer's question."""
    exchange = entry.detail.exchange
    if is_edited(entry) or exchange.kind in ("", "words"):
        return ""
    offers = [one.quote for one in entry.evidence[1:]] if exchange.kind == "proposal" else []
    return next(iter(offers), exchange.answered)


def whole(text: str, most: int = WORDS) -> str:
    """A text on one line, whole; of a longer one its beginning to the end of a sentence."""
    line = safe(text)
    if count(line[: most * _LETTERS]) <= most and len(line) <= most * _LETTERS:
        return line
    head = ""
    for sentence in sentences(text[: most * _LETTERS]):
        longer = f"{safe(text[: sentence.end])} …"
        if count(longer) > most:
            break
        head = head if longer.endswith(": …") else longer
    end = most * _LETTERS
    while not head and count(shortened(line, end)) > most:
        end -= max(1, end // 10)
    return head or shortened(line, end)


def held(call: str, rule: str = "") -> str:
    """A call that Steno held: it was not made, so nothing failed and nothing is in the way."""
    by = f"the rule {quoted(whole(rule))}" if rule else "a rule"
    shown = safe(call, 160).replace("`", "'")
    return f"`{shown}` was held by {by}; nobody has allowed it yet"


def day(at: str | None, now: str) -> str:
    """A day as people write it, of another year with the year; empty where nobody noted it."""
    when = _date(at)
    if when is None:
        return ""
    year = "" if at and at[:4] == now[:4] else f" {when.year}"
    return f"{when.day} {_MONTHS[when.month - 1]}{year}"


def dated(at: str | None, now: str) -> str:
    """A day, and how long ago that was if it is weeks."""
    long_ago = age(at, now)
    return f"{day(at, now)}, {long_ago}" if long_ago else day(at, now)


def age(at: str | None, now: str) -> str:
    """How long ago something was, in words; empty where it was less than three weeks ago."""
    when, today = _date(at), _date(now)
    if when is None or today is None or (days := (today - when).days) < OLD_DAYS:
        return ""
    unit, length = ("month", 30) if days >= _MONTHS_FROM else ("week", 7)
    much = days // length
    return f"{_NUMBERS[much] if much < len(_NUMBERS) else much} {unit}s ago"


def _first_words(entry: Entry) -> str:
    """What was said, before anybody edited it."""
    return entry.detail.exchange.said or (entry.evidence[0].quote if entry.evidence else "")


def _whose(entry: Entry) -> str:
    """Who said it, unless it was a person; who only files an agent's words elsewhere did not say them."""
    filed = entry.origin == "edit" and not is_edited(entry) and entry.evidence and entry.evidence[0].role == "assistant"
    return _SAYS.get("assistant" if filed else entry.origin, "")


def _about(entry: Entry, most: int) -> str:
    """What stands behind the words: what they answered, the reason, and of a promise whose it is and until when."""
    detail, words = entry.detail, words_of(entry)
    parts = {"to": answered(entry), "why": detail.why, "until": detail.stance.until}
    if isinstance(detail, Todo):
        parts |= {"owner": detail.owner, "due": detail.due}
    most = min(ANSWERED, most)
    known = [f"{name}: {quoted(whole(text, most))}" for name, text in parts.items() if text and text not in words]
    return f" ({'; '.join(known)})" if known else ""


def _date(at: str | None) -> date | None:
    try:
        return date.fromisoformat((at or "")[:10])
    except ValueError:
        return None
