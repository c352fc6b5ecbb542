"""An exchange on one line: somebody's words, and in brackets what they answered and what came of it."""

import re
from collections.abc import Sequence
from typing import Final

from steno.briefing.render import quoted, safe, shortened
from steno.language.words import content_words, normal
from steno.vocabulary import PEOPLE, Entry
from steno.vocabulary.details import Afterwards, Call, Failed
from steno.vocabulary.utterances import Sentence, Utterance

# Characters of words that are told whole; of longer ones the sentences that matter most are told.
WHOLE: Final = 320
_ANSWERED, _CALL = 160, 100
# Words of fewer telling ones say little without what they answer.
_ALONE: Final = 8
_CAME_OF: Final[dict[Afterwards, str]] = {
    "ran later": "it was run later after all",
    "redone": "it was done later in another form",
    "reverted": "it was undone",
    "said again": "the human had to say it again",
}
_INTO: Final = re.compile(r"^cd \S+ (?:&&|;) ")
_FOLDERS: Final = re.compile(r"(?:/[\w.@-]+){2,}/(?=[\w.@-])")


def of_utterance(one: Utterance, times: int = 1, *, most: int = WHOLE) -> str:
    """A person's words, whole or in the sentences that matter, with what they answered."""
    options = [found for found in one.sentences if found.option]
    if len(options) > 1:
        return "; ".join(f"{quoted(found.text, most)}{_bracket([_option(found)])}" for found in options)
    words = quoted(_telling(one.sentences, most), most + 40)
    pasted = " (and pasted something)" if one.pasted else ""
    return f"{words}{pasted}{_bracket([*_answered(one), *_often(times), *_came_of(one.afterwards)])}"


def of_entry(entry: Entry, most: int = WHOLE) -> str:
    """What an entry rests on: a person's words with what they answered; what failed, with why; else its sentence."""
    exchange = entry.detail.exchange
    if isinstance(entry.detail, Failed) and entry.detail.approach:
        return _failed(entry.detail)
    if entry.origin not in PEOPLE or not exchange.said:
        who = "" if entry.origin in PEOPLE else "the agent: "
        return who + safe(entry.summary, most)
    answered = _call(exchange.call) if exchange.kind == "call" else _to(exchange.answered, exchange.said)
    return quoted(exchange.said, most) + _bracket([*answered, *_often(entry.repeated + 1), *_came_of(exchange.afterwards)])


def sentences_of(text: str, most: int) -> str:
    """The beginning of a text, to the end of a sentence where one is near."""
    line = safe(text)
    if len(line) <= most:
        return line
    ends = [found.end() for found in re.finditer(r"[.!?](?=\s)", line[:most])]
    return f"{line[: ends[-1]]} …" if ends and ends[-1] > most * 0.5 else shortened(line, most)


def end_of(text: str, most: int) -> str:
    """The end of a text, from the beginning of a sentence where one is near."""
    line = safe(text)
    if len(line) <= most:
        return line
    tail = line[-most:]
    begins = [found.end() for found in re.finditer(r"[.!?:] +(?=\S)", tail[: most // 2])]
    cut = begins[0] if begins else tail.find(" ") + 1
    return f"… {tail[cut:]}"


def _telling(sentences: Sequence[Sentence], most: int) -> str:
    """The words, whole if they are short enough; else the sentences that matter most, in their order."""
    whole = " ".join(one.text for one in sentences)
    if len(whole) <= most:
        return whole
    kept: set[int] = set()
    for place in sorted(range(len(sentences)), key=lambda place: -(sentences[place].importance + sentences[place].corrects)):
        if sum(len(sentences[one].text) + 3 for one in kept) + len(sentences[place].text) <= most:
            kept.add(place)
    if not kept:
        return sentences_of(whole, most)
    pieces = []
    for place in sorted(kept):
        gap = "… " if place and place - 1 not in kept else ""
        pieces.append(gap + sentences[place].text)
    return " ".join(pieces) + (" …" if max(kept) < len(sentences) - 1 else "")


def _answered(one: Utterance) -> list[str]:
    if one.call is not None:
        return _call(one.call)
    option = next((found for found in one.sentences if found.option), None)
    if option is not None:
        return [_option(option)]
    return _to(one.answered, one.said) if one.answers == "question" or len(content_words(one.said)) < _ALONE else []


def _option(sentence: Sentence) -> str:
    return f"that is {quoted(sentence.option, 2 * _ANSWERED)}"


def _to(answered: str, said: str) -> list[str]:
    return [f"to {quoted(_plain(answered), _ANSWERED)}"] if answered and normal(answered) not in normal(said) else []


def _call(call: Call | None) -> list[str]:
    if call is None:
        return []
    given = safe(_FOLDERS.sub("", _INTO.sub("", call.given[:2000])), _CALL)
    return [f"stopping {safe(call.tool, 40)}{f' {given}' if given else ''}"]


def _often(times: int) -> list[str]:
    return [f"said {times} times"] if times > 1 else []


def _came_of(afterwards: Afterwards) -> list[str]:
    return [_CAME_OF[afterwards]] if afterwards in _CAME_OF else []


def _bracket(parts: Sequence[str]) -> str:
    return f" [{'; '.join(parts)}]" if parts else ""


def _plain(text: str) -> str:
    """Without what only makes letters bold."""
    return text.replace("**", "").strip(" #>-*")


def _failed(detail: Failed) -> str:
    why = detail.cause or detail.symptom
    return sentences_of(detail.approach, 160) + (f" — why: {sentences_of(why, 160)}" if why else "")
