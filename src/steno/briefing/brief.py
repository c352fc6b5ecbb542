"""A briefing: where a piece of work stands, for a reader who has not seen the session and goes on with it.

It shows what was said and done, whole and dated, and says nothing that was not seen.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, structs

from steno.briefing.agent import cause, report, statements
from steno.briefing.budget import Line, Told, because, fit, shaped
from steno.briefing.entries import told
from steno.briefing.human import ALONG, BEGAN, Said, along, begun, last_words, still_said
from steno.briefing.noted import noted
from steno.briefing.render import framed, quoted, safe
from steno.briefing.sentences import size
from steno.briefing.state import HAND, When, at, at_hand, at_home, command, state
from steno.briefing.state import TITLE as STATE
from steno.language.tool_call import plain_name, read
from steno.vocabulary import Checkpoint, Entry, JournalTurn
from steno.vocabulary.readings import Reading

STOOD: Final = "where it stood"
ELSEWHERE: Final = "rules and refusals in force here, said in other sessions"
FAILED: Final = "tried and failed in this work"
CAUSE: Final = "the cause, in the agent's last word on it"
TITLES: Final = (BEGAN, STOOD, STATE, ALONG, CAUSE, FAILED, ELSEWHERE, HAND)
_HEAD: Final = "Written down by Steno. It informs; it does not instruct. “ ”: said so; …: left out."
# Of tiers above 0, so many tokens tell where the work stands; the rest is what was said.
_STATE: Final = 2_500
_MESSAGES: Final = 30
# Kept free to say how many more rules hold.
_MORE: Final = 45
# Characters of one message, by tier, and of what a tool was given.
_LENGTH: Final = {1: 1_200, 2: 1_200, 3: 4_000}
_CALL: Final = 300
# Letters of the agent's last message, of what it told before the last words, and of what it stated while it worked.
_FINAL, _BEFORE, _BETWEEN, _WORKING = (900, 600, 400), (800, 600, 400), (300, 150), 250
_LITTLE, _ANNOUNCED = 60, 320
# Letters of a report that stands by itself.
_ENOUGH: Final = 400
# A cause named before so many turns of the human is of other work.
_LATELY: Final = 3
# The agent's books are no work.
_BOOKS: Final = frozenset({"todowrite", "taskupdate", "taskcreate", "updateplan", "writestdin", "toolsearch"})
_CALLS: Final = 3
_GIVEN: Final = 90


class Work(Struct, frozen=True, kw_only=True):
    """Everything known of a piece of work."""

    checkpoint: Checkpoint
    # That the context was lost, when, and how much; how long ago; what another session edits.
    head: Sequence[str] = ()
    # What the human said, oldest first, and the turn their last words began with.
    said: Sequence[Said] = ()
    last: int = 0
    # The last turn of theirs as it stands, where it holds no words of their own.
    handed: JournalTurn | None = None
    # What the agent said before the last words, and since then, oldest first.
    before: JournalTurn | None = None
    since: Sequence[JournalTurn] = ()
    # How many calls were made since then, and the last of them with whether they failed; None: no result was seen.
    called: int = 0
    calls: Sequence[tuple[JournalTurn, bool | None]] = ()
    # What it said anywhere that may name a cause, oldest first.
    causes: Sequence[JournalTurn] = ()
    # What failed in this work, and what binds here and was said elsewhere, the weightiest first.
    failed: Sequence[Entry] = ()
    elsewhere: Sequence[Entry] = ()
    directory: str = ""
    when: When = str
    now: str = ""
    # The last things said, oldest first.
    messages: Sequence[JournalTurn] = ()
    # What a model noted, where one reads along.
    note: Reading | None = None


def brief(work: Work, tier: int, *, budget: int, day: Sequence[Entry] = ()) -> tuple[list[str], dict[str, str], str]:
    """What is in a briefing by name, why it is told or left out, and its text."""
    every, note = lines(work), work.note
    by = f"Noted by {safe(note.model, 60)}, {minute(note.at)}; checked against what was said." if note else ""

    def shape(text: Sequence[str]) -> str:
        return framed(filter(None, [_HEAD, *work.head, by, *text]), tier=tier)

    kept_free = _MORE if work.elsewhere else 0
    shown = fit(every, min(_STATE, budget - kept_free), shape)
    if left := len(work.elsewhere) - sum(one.line.section == ELSEWHERE for one in shown):
        text = f"and {left} more that hold here; the gate knows them all"
        line = Line(section=ELSEWHERE, items=("more",), worth=0.0, texts=(text,), why="how many more")
        place = 1 + max((at for at, one in enumerate(shown) if one.line.section == ELSEWHERE), default=len(shown) - 1)
        shown.insert(place, Told(line, text))
    said = work.messages if tier == 3 else work.messages[-_MESSAGES:]
    for more in (_entries("the day", day, 1.0, work.now), _messages(said, _LENGTH.get(tier, 0))):

        def with_more(text: Sequence[str], body: Sequence[str] = tuple(shaped(shown))) -> str:
            return shape([*body, *text])

        shown += fit(more, budget, with_more)
    items = dict.fromkeys(item for one in shown for item in one.line.items)
    return list(items), because(every, shown), shape(shaped(shown))


def lines(work: Work) -> list[Line]:
    """Everything that could be told, in the order it is read."""
    own = _own(work)
    if work.note is None:
        return own
    return noted(work.note, own, (STATE, HAND, ELSEWHERE), is_fresh=work.checkpoint.turn <= work.note.last)


def _own(work: Work) -> list[Line]:
    point, said = work.checkpoint, still_said(work.said)
    stood = _stood(work, next((one for one in said if one.turn == work.last), None))
    began = list(begun(said, point, work.last, work.when))
    # A list that was not touched while the human spoke twice is forgotten.
    recent = said[-2].turn if len(said) > 1 else 0
    now = list(state(point, work.when, work.last, recent, work.directory))
    above = {item for line in (*stood, *began) for item in line.items}
    shown = "\n".join(line.texts[0] for line in (*stood, *now))
    return [
        *began, *stood, *now, *along(said, point, above, shown, work.when), *_cause(work, said),
        *_entries(FAILED, work.failed, 3.4, work.now), *_entries(ELSEWHERE, work.elsewhere, 7.2, work.now),
        *at_hand(point, work.directory, shown),
    ]  # fmt: skip


def _stood(work: Work, final: Said | None) -> list[Line]:
    """The last words, what they answered, and what was said and done since."""
    told: list[Line] = []
    is_over = bool(work.since) and not any(call.id > work.since[-1].id for call, _ in work.calls)
    ended = is_over and size(work.since[-1].turn.text) > _ENOUGH
    if work.before is not None:
        lengths, worth, share = (_BETWEEN, 5.6, 0.07) if ended else (_BEFORE, 7.9, 0.16)
        told += _agents(work, work.before, "the agent had said", worth, share, lengths)
    if final is not None:
        told.append(structs.replace(last_words(final, work.when), section=STOOD))
    elif work.handed is not None:
        words = quoted(report(work.handed.turn.text, _ANNOUNCED) or work.handed.turn.text, _ANNOUNCED)
        told.append(_line("last", 10.0, at(work.when, work.handed.id, f"the human handed over: {words}")))
    if work.called:
        calls = [one for one in work.calls if plain_name(one[0].turn.tool or "") not in _BOOKS][-_CALLS:]
        stopped = {one.turn for one in work.checkpoint.trail.commands if one.refused or one.held}
        listed = "; ".join(_call(turn, failed, work.directory, turn.id in stopped) for turn, failed in calls)
        told.append(_line("calls", 5.0 if is_over else 8.6, f"since then {work.called} calls, the last: {listed}"))
    earlier = work.since[:-1] if is_over else work.since
    if not ended and (stated := statements([one.turn.text for one in earlier], _WORKING)):
        told.append(_line("stated", 5.2 if is_over else 8.2, f"while working the agent stated: {quoted(stated)}"))
    if is_over:
        told += _agents(work, work.since[-1], "the agent's last message", 9.4, 0.24, _FINAL)
    elif work.since and _LITTLE <= len(work.since[-1].turn.text) <= _ANNOUNCED:
        said = f"the agent said last: {quoted(work.since[-1].turn.text)}"
        told.append(_line("agent", 8.8, at(work.when, work.since[-1].id, said)))
    return told


def _agents(work: Work, turn: JournalTurn, lead: str, worth: float, share: float, lengths: Sequence[int]) -> list[Line]:
    """A report of the agent, in whole sentences."""
    lead = at(work.when, turn.id, f"{lead}: ")
    texts = dict.fromkeys(filter(None, (report(turn.turn.text, most) for most in lengths)))
    told = tuple(f"{lead}{quoted(text)}" for text in texts)
    items = ("agent", f"turn:{turn.id}")
    line = Line(section=STOOD, items=items, worth=worth, texts=told, share=share, why="last report")
    return [line] if told else []


def _line(item: str, worth: float, text: str) -> Line:
    return Line(section=STOOD, items=(item,), worth=worth, texts=(text,), why="since the last words")


def _call(turn: JournalTurn, failed: bool | None, directory: str, stopped: bool) -> str:
    """A call in one phrase: the tool, and its command, its file or what it is for."""
    made = read(turn.turn.tool, turn.turn.text)
    given, what = command(made.command, _GIVEN) if made.command else "", made.text("description")
    if made.paths and not given:
        given = at_home(made.paths[0], directory)
    elif what and (not given or given.endswith(" …`")):
        given = quoted(what, _CALL)
    went = {None: " (no result seen)", True: " (failed)", False: ""}[failed]
    went = " (never ran: it was stopped)" if stopped else went
    return f"{safe(turn.turn.tool or 'a tool')} {given}".strip() + went


def _cause(work: Work, said: Sequence[Said]) -> list[Line]:
    """The cause the agent named last in the work at hand, with the test that was run on it."""
    turn, text = cause(work.causes)
    lately = [one.turn for one in said][-_LATELY:]
    # What was committed since is mended, or was no cause.
    is_mended = any(one.kind == "commit" and one.turn > turn for one in work.checkpoint.trail.results)
    if not text or is_mended or (lately and turn < lately[0]):
        return []
    test = work.checkpoint.trail.last_test
    spoke = next((one for one in lately if one > turn), None)
    is_tested = test is not None and turn < test.turn and (spoke is None or test.turn < spoke)
    tested = f"; tested with {command(test.command)}" if test and is_tested else ""
    line = at(work.when, turn, f"{quoted(text)}{tested}")
    return [Line(section=CAUSE, items=("cause", f"turn:{turn}"), worth=5.6, texts=(line,), why="the last cause named")]


def _entries(section: str, found: Sequence[Entry], worth: float, now: str) -> list[Line]:
    return [
        Line(section=section, items=(f"entry:{one.id}",), worth=worth - n / 4, texts=(told(one, now),), why=section)
        for n, one in enumerate(found)
    ]


def _messages(said: Sequence[JournalTurn], length: int) -> list[Line]:
    """The last turns, the latest worth most."""
    return [
        Line(
            section="said last", items=(f"turn:{turn.id}",), worth=place, why="said last",
            texts=(f"{_speaker(turn)} {quoted(turn.turn.text, _CALL if turn.turn.kind == 'call' else length)}",),
        )
        for place, turn in enumerate(said)
        if turn.turn.text.strip()
    ]  # fmt: skip


def _speaker(turn: JournalTurn) -> str:
    """Who said it, or which tool was called."""
    if turn.turn.kind == "call":
        return f"agent called {safe(turn.turn.tool or 'a tool', 40)}"
    return "user" if turn.by_human else "agent" if turn.turn.role == "assistant" else safe(turn.turn.role)


def minute(at: str | None) -> str:
    """A time as people read it."""
    return f"{at[:10]} {at[11:16]}" if at else "an unknown time"
