"""Words of work itself, which say little about what the work is on. By stem, as `words_of` gives them."""

from typing import Final

from steno.language.same_word import words_of

_WORDS: Final = """
add introduce create make build write rewrite refactor change update modify edit fix patch implement extend improve
move rename
run start stop execute call invoke try check verify test tests validate review read look open close show print list
file files code line lines function method class module variable argument name names value values type types
thing things stuff part piece place way case cases time times step steps work job task item items list set
project repo repository folder directory path script command app application program service system feature
user users data string number object new old current existing same other another small big large simple easy quick
good bad better best wrong right clear clean nice full whole extra real actual possible necessary useful
now later today again always never every each first last next before after
bit lot kind sort fine sure ok please thanks want need like think know see feel say tell ask
put get set give take keep let use using used go come
issue problem bug error result output input version default option
support handle allow require include follow return pass send load save store
page section block row text word message
everything anything nothing something everyone someone people anywhere everywhere somewhere ever here there
dependency package configuration documentation comment branch commit
touch pull leave bring give turn happen mess bother handle involve
instead rather also only even still yet just really actually
directly manually automatically hand
idea approach plan solution proposal suggestion
"""
COMMON_WORDS: Final = frozenset(word for line in _WORDS.split("\n") for word in words_of(line))


def telling(words: frozenset[str]) -> frozenset[str]:
    """Without the words of work itself."""
    return words - COMMON_WORDS
