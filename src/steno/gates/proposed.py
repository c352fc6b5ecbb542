"""What an agent had proposed when it was told no: the proposal itself, and what stood around it.

"For the login form I'd bring in Formik, so that the code stays short" proposes Formik. The form and the code say where
and what for; an action about the form is no proposal of Formik.
"""

import re
from typing import Final, NamedTuple

from steno.gates.common import telling
from steno.gates.direction import clauses, pointed, removed
from steno.gates.words import names_of, parts_of, words_of

# Where a proposal begins: what stands before it in the sentence says where and why.
_BEGINS: Final = re.compile(
    r"\b(?:(?:shall|should|can|could|may) (?:i|we)|want me to|would you like(?: me to)?|do you want(?: that| me to)?"
    r"|let me|let's|how about|we (?:could|can|should)"
    r"|i(?:'ll|'d|'ve|'m going to| will| would| have| could| can|)(?: also| now| just)?"
    r"(?: (?:suggest|propose|recommend|plan to|think|like to|prefer to))?"
    r"|(?:next step|next|plan|proposal|suggestion|idea|option|easiest|simplest|best|solution)"
    r"(?: \w+){0,4}(?: is|:)(?: to)?"
    r"|soll(?:en|te)? (?:ich|wir)|(?:ich|wir) (?:würden?|könnten?|werden?|schlagen? vor))(?=\W|$)",
    re.IGNORECASE,
)
# From here on it says what for.
_WHAT_FOR: Final = re.compile(
    r",? (?:so that|so (?=the |we |it |you |they |there)|because|since|in order to|damit|weil)\b.*", re.IGNORECASE
)
# A call as the journal holds it: the names of its parts say nothing.
_CALL: Final = re.compile(r'"\w+" ?: ?|^[A-Z]\w+: (?=\{)', re.MULTILINE)
_IT: Final = re.compile(r"\b(?:it|them|this|that|those|these)\b", re.IGNORECASE)
# So many telling words say what is proposed.
_FEW: Final = 2
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")


class Proposed(NamedTuple):
    """What would be done and undone, by stems, and the words around it."""

    does: frozenset[str] = frozenset()
    undoes: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()

    def words(self) -> frozenset[str]:
        """What is proposed, whichever way it points."""
        return self.does | self.undoes


def proposed(text: str, chosen: str = "") -> Proposed:
    """The proposal in an agent's words. `chosen`: the sentence of it that is known to be meant."""
    known = _parts(chosen)
    # "Should I?" alone says nothing, and a call is explained by the words before it.
    if len(telling(known.words())) >= _FEW and not _CALL.search(chosen):
        around = (known.around | _said_words(text)) - known.words()
        named = any(not name[0].isdigit() for name in names_of(chosen) & known.words())
        # "I'll switch it on": what it is has a name nearby.
        meant = names_of(text) & around - parts_of(text) if _IT.search(chosen) and not named else frozenset[str]()
        return known._replace(does=known.does | meant, around=around - meant)
    return _parts(f"{chosen}\n{text}")


def _parts(text: str) -> Proposed:
    inside: list[str] = []
    outside: list[str] = []
    sentences = [sentence for sentence in _SENTENCE.split(_CALL.sub(" ", text)) if sentence.strip()]
    begins = [_BEGINS.search(sentence) for sentence in sentences]
    for sentence, begin in zip(sentences, begins, strict=True):
        if begin is None:
            (outside if any(begins) else inside).append(sentence)
            continue
        outside.append(sentence[: begin.start()])
        rest = sentence[begin.end() :]
        what_for = _WHAT_FOR.search(rest)
        inside.append(rest[: what_for.start()] if what_for else rest)
        outside.append(what_for.group() if what_for else "")
    if len(telling(words_of(" ".join(inside)))) < _FEW:
        if removed(" ".join(inside)) is not None:
            # "So I'll remove it": what it is stands before.
            return Proposed(undoes=words_of(" ".join([*inside, *outside])))
        inside, outside = [*inside, *outside], []
    found = pointed((clause for part in inside for clause in clauses(part)), by_no=False)
    return Proposed(found.does, found.undoes, words_of(" ".join(outside)) - found.does - found.undoes)


def _said_words(text: str) -> frozenset[str]:
    """The words of what was said, none of what was called."""
    return frozenset() if text.lstrip().startswith("{") or _CALL.search(text) else words_of(text)
