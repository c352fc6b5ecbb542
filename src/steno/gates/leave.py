"""Whether a person just asked for what they had refused: their words of now go before those of then."""

import re
from typing import Final

from steno.gates.asked import Asked
from steno.language.clauses import sentence_clauses
from steno.language.common import telling
from steno.language.polarity import pointed
from steno.language.same_word import words_of

# A longer text says much that is no request.
_LONGEST: Final = 400
_REQUESTS: Final = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|yep|sure|please|now|then|just|so|and|also|go ahead|(?:can|could|would|will) you"
    r"|you (?:can|may|should)|i(?:'d like| want| need) you to|let'?s|this (?:once|time)|for once)\b\W*)*"
    r"(?:run|use|execute|call|do|format|force|push|install|add|create|write|put|make|delete|remove|drop|reset|rebase"
    r"|amend|merge|commit|tag|deploy|release|publish|send|move|start|restart|stop|prune|apply|switch|replace|turn|edit"
    r"|change|update|touch|skip)\b",
    re.IGNORECASE,
)


def asks_for(request: str, refused: str, action: Asked) -> bool:
    """Whether a request names everything of what was refused that an action does, and names it to be done."""
    if not request or len(request) > _LONGEST:
        return False
    asked = [clause.text for clause in sentence_clauses(request) if _REQUESTS.match(clause.text)]
    wanted, no = pointed(asked), words_of(refused)
    does, undoes = telling(no & action.brings), telling(no & action.undoes)
    return bool(does | undoes) and does <= wanted.does and undoes <= wanted.undoes
