"""What the words of a sentence add to what the encoder makes of it: how much likelier they make each act. Pure."""

from collections.abc import Mapping
from typing import Final

from steno.language.clauses import sentence_clauses
from steno.language.lexicon import lexicon
from steno.language.polarity import negated

# Of people nobody was taught on: a "not" makes a refusal about twice as likely as the encoder says, and words that say
# how ("make sure", "keep") an instruction three times: of 39 such sentences at .02 to .12, 13 were one.
_NEGATED, _MANNER = 2.0, 3.0
# Words that say they last: of 17 sentences between .4 and .9 that the encoder was taught on, 14 were an instruction. Of
# an order that says it is for good, whatever the encoder made of it: all four that were plainly typed.
_LASTING, _COMMAND = 2.7, 60.0
# What is asked is seldom settled: a question must be so much plainer to bind. One with a "not" may object; after a
# stopped call every one may, but for what, how and when.
_ASKED, _OBJECTED, _OTHER = 3.0, 2.0, 4.0
# How things are set up, said outright, is heard by the encoder as a report of the moment: these tell it apart. Such
# words seldom order or choose anything.
_TOLD, _KNOWN, _SETTLES = 20.0, 6.0, 0.25
_SETTLING: Final = ("reject", "choose", "instruct", "correct", "ask_do")


def likelier(text: str, *, stopped: bool) -> Mapping[str, float]:
    """By how much the odds of what a sentence does rise, or fall; what is not named stays as it is."""
    refuses = negated(text)
    if asks(text):
        doubt = _OBJECTED if refuses or stopped else _OTHER
        doubt = 1.0 if stopped and not lexicon("asks_fact").opens(text) else doubt
        return {"reject": 1 / doubt, "choose": 1 / _ASKED, "instruct": 1 / _ASKED}
    if not refuses and not commands(text) and lexicon("plain_fact").search(text):
        return {"inform": _TOLD, "lasting": _KNOWN, "report": _SETTLES, **dict.fromkeys(_SETTLING, _SETTLES)}
    lasts = _COMMAND if commands(text) else _LASTING if lexicon("lasting").search(text) else 1.0
    says_how = _MANNER if lexicon("manner").search(text) else 1.0
    # Who names what is wanted instead chooses as much as they refuse.
    plain = refuses and not lexicon("instead").search(text)
    return {"reject": _NEGATED if plain else 1.0, "instruct": lasts * says_how, "lasting": lasts}


def asks(text: str) -> bool:
    """Whether a sentence is a question."""
    return text.rstrip("*_) \n").endswith(("?", "？"))


def commands(text: str) -> bool:
    """Whether words tell an agent how to work from now on: "never push", not "the list should never be empty"."""
    return any(lexicon("commands").opens(clause.text) for clause in sentence_clauses(text) if not clause.asks)


def says_it_lasts(text: str) -> bool:
    """Whether words say that they last, and do not ask."""
    return not asks(text) and (lexicon("lasting").search(text) is not None or commands(text))
