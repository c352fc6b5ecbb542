"""Which language people mostly write, told by their letters and their commonest words. Good enough to say that the
patterns of what is said plainly, which are English and German, do not know it."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

# Languages by letters nobody else writes; Chinese comes last, for Japanese has its letters, too.
_LETTERS: Final = {
    "Japanese": re.compile(r"[\u3040-\u30ff]"),
    "Korean": re.compile(r"[\u1100-\u11ff\uac00-\ud7af]"),
    "Cyrillic letters": re.compile(r"[\u0400-\u04ff]"),
    "Greek": re.compile(r"[\u0370-\u03ff]"),
    "Hebrew": re.compile(r"[\u0590-\u05ff]"),
    "Arabic letters": re.compile(r"[\u0600-\u06ff]"),
    "Devanagari letters": re.compile(r"[\u0900-\u097f]"),
    "Thai": re.compile(r"[\u0e00-\u0e7f]"),
    "Chinese": re.compile(r"[\u4e00-\u9fff]"),
}
_WORDS: Final = {
    "English": "the and is are to of it that this you for not with we in on be have do but what can so please",
    "German": "der die das und ist sind nicht ein eine ich wir du zu mit auf den für von auch es bitte aber was wie",
    "French": "le la les des est et pas une dans pour que qui sur avec nous vous je ne il ce du mais comme fait",
    "Spanish": "el la los las una que por para con como pero está no es y se del lo más hay esto mi al",
    "Italian": "il lo la gli una che per con non sono di della è come anche ma questo nel si ho le i del",
    "Portuguese": "o os a as uma que para com não é do da em por mas você isso no na se um mais está",
    "Dutch": "de het een van en niet dat ik je met voor zijn op maar ook dit we moet naar wat er geen",
    "Polish": "nie się jest na to że w z do i jak tak czy dla po ale ten co już tylko jeszcze proszę",
}
_SETS: Final = {name: frozenset(words.split()) for name, words in _WORDS.items()}
_KNOWN: Final = ("English", "German")
# Names of files and commands are in Latin letters whatever somebody speaks, so a fifth of other letters is plain.
_PLAIN: Final = 0.2
# Of fewer utterances nobody can say what people mostly speak.
_FEWEST: Final = 5


def foreign(said: Iterable[str]) -> str:
    """The language in which more than half of what was said is, if that is neither English nor German."""
    told = Counter(filter(None, map(language, said)))
    others = Counter({name: number for name, number in told.items() if name not in _KNOWN})
    if told.total() < _FEWEST or 2 * others.total() <= told.total():
        return ""
    return others.most_common(1)[0][0]


def language(text: str) -> str:
    """The likeliest language of a text; empty where nothing tells it."""
    letters = sum(map(str.isalpha, text))
    for name, pattern in _LETTERS.items():
        if len(pattern.findall(text)) > _PLAIN * letters:
            return name
    words = re.findall(r"[^\W\d_]+", text.casefold())
    hits = {name: sum(word in common for word in words) for name, common in _SETS.items()}
    best = max(hits, key=hits.__getitem__)
    return best if hits[best] else ""
