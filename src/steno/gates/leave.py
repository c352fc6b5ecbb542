"""Whether a person just asked for what they had refused: their words of now go before those of then."""

from typing import Final

from steno.gates.asked import Asked
from steno.language.clauses import sentence_clauses
from steno.language.common import telling
from steno.language.lexicon import lexicon
from steno.language.polarity import pointed
from steno.language.same_word import words_of

# A longer text says much that is no request.
_LONGEST: Final = 400


def asks_for(request: str, refused: str, action: Asked) -> bool:
    """Whether a request names everything of what was refused that an action does, and names it to be done."""
    if not request or len(request) > _LONGEST:
        return False
    asked = [clause.text for clause in sentence_clauses(request) if lexicon("doing").opens(clause.text)]
    wanted, no = pointed(asked), words_of(refused)
    does, undoes = telling(no & action.brings), telling(no & action.undoes)
    return bool(does | undoes) and does <= wanted.does and undoes <= wanted.undoes
