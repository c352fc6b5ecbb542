"""Whether a person just asked for what they had refused: their words of now go before those of then."""

import re
from typing import Final

from steno.gates.asked import Asked
from steno.language.common import telling
from steno.language.same_word import words_of
from steno.language.words import plain
from steno.rules.stance import says_no

# A longer text says much that is no request.
_LONGEST: Final = 400
_KINDLY: Final = re.compile(
    r"\W*(?:(?:please|ok|yes|bitte|ja)\W+)*(?:(?:can|could|would|will) you|(?:kannst|könntest) du)\b"
)


def asks_for(request: str, refused: str, action: Asked) -> bool:
    """Whether a request names everything of what was refused that an action does, and neither wonders nor says no."""
    wonders = "?" in request and not _KINDLY.match(plain(request))
    if len(request) > _LONGEST or wonders or any(says_no(request)):
        return False
    named = telling(words_of(refused)) & (action.brings | action.undoes)
    return bool(named) and named <= words_of(request)
