"""What ends tasks and promises in so many words, and what came of a call that was refused. Pure.

Only a plain word ends anything: "done with X", "drop X". What else is over a person says, a model, or age.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal

from steno.language.lexicon import lexicon
from steno.language.sentence import sentences
from steno.language.tool_call import plain_name
from steno.language.words import normal, stems
from steno.scribe.hear import own_sentences
from steno.scribe.note import call_of, says_only
from steno.scribe.plain import cue
from steno.vocabulary import JournalTurn
from steno.vocabulary.details import Afterwards, Call
from steno.vocabulary.entries import EntryStatus, Pending

# Who takes something back says so at once.
_OPENING: Final = 400


def ended(
    turn: JournalTurn, ticked: Iterable[str], pending: Sequence[Pending]
) -> Iterator[tuple[Pending, EntryStatus]]:
    """The tasks and promises that a turn ends: a person says so, or a to-do of their words was ticked."""
    for sentence in own_sentences(turn.turn.text) if turn.by_human else ():
        done, dropped = named(sentence.text, "done"), named(sentence.text, "dropped")
        for one in pending:
            about = stems(one.words) if one.status == "active" and one.turn != turn.id else set()
            if done and done <= about:
                yield one, "done"
            elif dropped and dropped <= about:
                yield one, "archived"
    for todo in map(normal, ticked):
        for one in pending:
            # "Remind me to renew the certificate" ends with the to-do.
            if one.status == "active" and " " in todo and f" {normal(one.words)}".endswith(f" {todo}"):
                yield one, "done"


def without_end(words: str, goal: str) -> str | None:
    """What else a person says who ends a piece of work, by its name or with no name at all; None: they do not."""
    if lexicon("all_done").covers(words[:_OPENING]):
        return ""
    for sentence in sentences(words[:_OPENING]):
        what = named(sentence.text, "done")
        if what and what <= stems(goal):
            return words.replace(sentence.text, "", 1)
    return None


def named(sentence: str, over: Literal["done", "dropped"]) -> frozenset[str]:
    """What a sentence says is done, or is to be dropped, by stems; nothing where it says no such thing."""
    found = cue(over).match(sentence)
    if found is None or cue("not over").search(sentence):
        return frozenset()
    return frozenset(stems(found["what"] or found.groupdict().get("subject") or ""))


def lifted(sentence: str) -> frozenset[str]:
    """What a rule is about that a sentence takes back for good, by stems; nothing where it takes nothing back."""
    found = cue("lifted").match(sentence)
    if found is None or cue("only now").search(sentence):
        return frozenset()
    return stems(" ".join(filter(None, found.groups())))


def takes_back(turn: JournalTurn, *, at_once: bool) -> bool:
    """Whether somebody takes back what they said last: a person their words, an agent the cause it told. `at_once`:
    nobody spoke in between, so "ignore that" can mean nothing else."""
    if turn.by_human:
        own = " ".join(said.text for said in own_sentences(turn.turn.text[:_OPENING]))
        return cue("taken back" if at_once else "wrong window").match(own) is not None
    said = turn.turn.role == "assistant" and turn.turn.kind == "said"
    return said and cue("was wrong").search(turn.turn.text[:_OPENING]) is not None


def allowed(said: Sequence[JournalTurn], call: Call) -> bool:
    """Whether a person allowed a call they had refused, in what was said since, in order: their last word on it counts.
    They ask for it by name, or say yes where the agent asked for nothing else."""
    leave, before = False, ""
    for turn in said:
        words = turn.turn.text
        if turn.turn.role == "assistant":
            before = words
        elif turn.by_human and says_only("yes", words):
            leave = leave or _names(before, call) or ("?" not in before and bool(cue("go ahead").search(words)))
        elif turn.by_human and (_names(words, call) or cue("objects").search(words)):
            leave = not cue("objects").search(words)
    return leave


def _names(words: str, call: Call) -> bool:
    """Whether words name a call: two of its own, or all it has."""
    own = stems(call.given)
    return bool(own) and len(own & stems(words)) >= min(2, len(own))


def came_of(refused: Call, call: JournalTurn, said: Callable[[], Sequence[JournalTurn]]) -> Afterwards:
    """What a call that now succeeded says about one that was refused; `said` gives what was said between them."""
    done = call_of(call)
    if done is None or refused.tool != done.tool or not done.given:
        return ""
    # A plan is never the same twice: the one that is taken is the new form of the one that was refused.
    if plain_name(done.tool) == "exitplanmode":
        return "redone"
    # A command is run again as it was; what is written into a file may be something else this time.
    if refused == done and " " in done.given:
        return "ran later" if allowed(said(), refused) else "ran anyway"
    return "redone" if refused == done else ""
