"""From a note to a candidate: the quote, the sentence that stands alone, the stance and the exchange. Pure."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import structs

from steno.language.clauses import sentence_clauses
from steno.language.lexicon import lexicon
from steno.language.names import names
from steno.language.polarity import negated, opposes, polarity, removed
from steno.language.words import content_words, squeeze
from steno.scribe.cues import asks, commands
from steno.scribe.resolve import LASTS, Note
from steno.scribe.scene import Scene, call_of, points
from steno.vocabulary import Candidate, Category, Certainty, JournalTurn, Quote, Tag
from steno.vocabulary.details import DETAILS, Act, AnyDetail, Exchange, Known, Reach, Stance

# From this probability on words speak for themselves: they may become a rule, ask at a gate, head a line.
SURE: Final[Mapping[Act, float]] = {"reject": 0.65, "instruct": 0.65, "choose": 0.3, "approve": 0.5}
# From here on what is forbidden without a word of how long is heard as for good: of 9 sentences of people not learnt
# from 6 were labelled so, and the other three stood in a set of rules somebody pasted.
_FOR_GOOD: Final = 0.7
_MAX_QUOTE: Final = 1200
_SHOWN, _FIELD = 300, 400
_MOST_OPTIONS: Final = 8
_MOST_NAMES: Final = 10
# So few telling words only name what is chosen.
_FEW: Final = 2
_EDGES: Final = " ,;:.–—-\n"
_WITHOUT: Final = re.compile(r"\b(?:without|ohne)\b", re.IGNORECASE)
_OPENINGS: Final[Mapping[Category, str]] = {
    "rejected": "The user rejects", "rule": "The user instructs", "decision": "The user decides",
    "task": "The user asks", "fact": "The user says", "context": "The user says", "discovery": "The user reports",
}  # fmt: skip
# Where we are not sure, the sentence says so; in words nobody asks recall for, as in "which day may we …".
_MAYBE: Final[Mapping[Category, str]] = {
    "rejected": "The user seems to reject", "rule": "The user seems to instruct",
    "decision": "The user seems to decide",
}  # fmt: skip
_HANDED_OVER: Final = "The user hands over"
TAGS: Final[Mapping[Category, tuple[Tag, ...]]] = {
    "decision": ("decision", "human"), "rejected": ("decision", "human"), "rule": ("lesson", "human"),
    "discovery": ("surprise", "human"),
}  # fmt: skip


def write(turn: JournalTurn, place: Scene, note: Note) -> Candidate:
    """The candidate of a note."""
    words = verbatim(turn, note)
    said = squeeze(words)
    detail, certainty = _detail(place, note, said), _certainty(note, said)
    about = note.answers.text if points(said) else ""
    return Candidate(
        category=note.category,
        summary=worded(note.category, detail.exchange, "" if certainty == "confirmed" else _MAYBE[note.category]),
        evidence=[Quote(turn.id, words), *_settled(note, said, place)],
        detail=detail,
        certainty=certainty,
        confidence=round(note.weight.probability, 2),
        tags=[*TAGS.get(note.category, ("human",)), *(("identity",) if lexicon("identity").search(said) else ())],
        subject=content_words(f"{about} {words}") or [name.lower() for name in detail.about[:4]],
        cue=note.weight.act,
    )


def doubted(candidate: Candidate) -> Candidate:
    """The same, as what may be somebody else's words: not sure, and worded so."""
    summary = worded(candidate.category, candidate.detail.exchange, _MAYBE[candidate.category])
    detail = structs.replace(candidate.detail, weight=structs.replace(candidate.detail.weight, doubtful=True))
    return structs.replace(candidate, certainty="hypothesis", summary=summary, detail=detail)


def as_context(candidate: Candidate) -> Candidate:
    """The same as what a person handed over: it says nothing of where they stand."""
    kept = candidate.detail
    detail = Known(exchange=kept.exchange, weight=kept.weight, about=kept.about)
    summary, tags = worded(candidate.category, kept.exchange, _HANDED_OVER), list[Tag](["human"])
    return structs.replace(candidate, category="context", summary=summary, detail=detail, tags=tags)


def verbatim(turn: JournalTurn, note: Note) -> str:
    """The text from the first to the last sentence of a note, exactly as it stands."""
    start, end = note.said[0].start, note.said[-1].end
    return turn.turn.text[start : min(end, start + _MAX_QUOTE)]


def _takes_over(note: Note, said: str) -> bool:
    """Whether a decision is for what was put to the person, rather than for what they name."""
    if note.answers.kind == "call":
        return False
    asked = note.answers.kind == "question" and points(said)
    return note.weight.act == "approve" or note.answers.kind == "option" or asked or not content_words(said)


def _certainty(note: Note, said: str) -> Certainty:
    """Whether words are plain enough to bind. An objection put as a question is not, nor a pointer at nothing, nor what
    is said to a stopped call without a no: most of that changes the call or asks about it."""
    rejects = note.weight.act == "reject"
    asked = rejects and all(asks(span.text) for span in note.said)
    empty = note.weight.act in ("reject", "instruct") and points(said) and not note.answers.text
    steers = rejects and note.answers.kind == "call" and not (points(said) or opposes(said) or negated(said))
    sure = note.weight.probability >= SURE.get(note.weight.act, 0.0)
    return "confirmed" if sure and not (asked or empty or steers) else "hypothesis"


def worded(category: Category, exchange: Exchange, opening: str = "") -> str:
    """What a person's words come to, made of these words alone."""
    begin = opening or _OPENINGS.get(category, "The user says")
    said, answered = _shortened(exchange.said), exchange.answered[:240]
    if exchange.kind == "call" and exchange.call is not None:
        return f"{begin}: “{said}” (stopped: {f'{exchange.call.tool} {exchange.call.given}'.strip()[:120]})"
    if exchange.kind == "option" and category == "rejected":
        return f"{begin}: “{answered}” (by saying “{said}”)"
    return f"{begin}: “{said}”" + (f" (in answer to “{answered}”)" if answered else "")


def _shortened(said: str) -> str:
    return said if len(said) <= _SHOWN else said[: _SHOWN - 1] + "…"


def _settled(note: Note, said: str, place: Scene) -> Iterator[Quote]:
    """The words a note answers, as further evidence. Who chooses in own words says nothing of what was asked."""
    if note.answers.kind == "call" and place.call is not None:
        call = call_of(place.call)
        if call is not None and call.given and call.given in place.call.turn.text:
            yield Quote(place.call.id, call.given)
        return
    own = note.weight.act == "choose" and note.answers.kind == "question" and not _takes_over(note, said)
    for span in note.answers.spans:
        # A question read out of a call stands there as JSON: it is quoted where that is the same.
        stands = not own if span.end else json.dumps(span.text, ensure_ascii=False)[1:-1] == span.text
        if span.text and stands:
            yield Quote(note.answers.turn, span.text)


def _detail(place: Scene, note: Note, said: str) -> AnyDetail:
    stance = _stance(note, said, place)
    exchange = Exchange(
        said=said[:_MAX_QUOTE], kind=note.answers.kind, answered=note.answers.text[:_FIELD], call=call_of(place.call)
    )
    values: dict[str, Any] = {
        "stance": stance,
        "exchange": exchange,
        "weight": note.weight,
        "about": _about(note, said, place),
        **_more(note, said, place),
    }
    return msgspec.convert(values, DETAILS[note.category], from_attributes=True)


def _more(note: Note, said: str, place: Scene) -> dict[str, Any]:
    """What only this category keeps."""
    match note.category:
        case "decision":
            return {
                "question": note.answers.text[:_FIELD] if note.answers.kind == "question" else "",
                "options": _options(note, _without_reason(said)),
                "risks": _from_cue("risk", said) or _put(note, said, place, "risk"),
                "if_wrong": _from_cue("if_wrong", said) or _put(note, said, place, "if_wrong"),
            }
        case "rule":
            return {"preference": lexicon("preference").search(said) is not None}
        case "task":
            return {"owner": "agent", "due": _from_cue("due", said)}
        case "context" | "fact":
            return {"due": _from_cue("due", said)}
    return {}


def _put(note: Note, said: str, place: Scene, cue: str) -> str:
    """What an agent says beside what a person took over: the sentence with a cue that stands nearest to it."""
    if note.category != "decision" or not note.answers.spans or not _takes_over(note, said):
        return ""
    at = note.answers.spans[0].start
    told = [one for one in place.spoken if not asks(one.text) and lexicon(cue).search(one.text)]
    return squeeze(min(told, key=lambda one: abs(one.start - at)).text)[:240] if told else ""


def _options(note: Note, said: str) -> list[str]:
    """Options that were not taken: those beside the label, or what something was chosen over."""
    beside = [squeeze(span.text)[:160] for span in note.others[:_MOST_OPTIONS]]
    over = _over(said)
    return beside or ([said[over[1] :].strip(_EDGES)[:160]] if over else [])


def _stance(note: Note, said: str, place: Scene) -> Stance:
    """Where the person stands, in their own words; what they only point at, in those of the scene."""
    if note.category == "decision" and _takes_over(note, said):
        # "b, but not with redis" takes something out of what it takes.
        refused, _, why = _sides(said, note.category)
        refused = refused if note.answers.kind == "option" else ""
        wanted = " / ".join(filter(None, (note.answers.text, said)))
    else:
        refused, wanted, why = _sides(said, note.category)
        refers = note.category == "rejected" or (refused and note.category == "rule")
        if refers and _is_of_scene(note, refused):
            # Who takes another option wants that one.
            wanted = said if note.answers.kind == "option" and not negated(said) else wanted
            refused = note.answers.text
        elif note.category == "rejected" and note.answers.kind == "call" and not opposes(said):
            # Who stops a call and names nothing they do not want refuses the call, and wants what they say.
            refused, wanted = note.answers.text, said if wanted else ""
        elif not refused and note.category == "rejected":
            refused = said
        if note.category != "rejected" and not (refused and (wanted or note.category == "rule")):
            wanted = said
    return Stance(
        refused=refused[:_FIELD],
        wanted=wanted[:_FIELD],
        why=why or _from_cue("reason", said) or _from_cue("reason", _put(note, said, place, "reason")),
        until=_from_cue("until", said),
        reach=_reach(note, said),
    )


def _is_of_scene(note: Note, refused: str) -> bool:
    """Whether what is refused is what the words answer: they name nothing, or an option by its letter."""
    return bool(note.answers.text) and (note.answers.kind == "option" or points(refused))


def _sides(words: str, category: Category) -> tuple[str, str, str]:
    """What words put aside, what they want in its place, and why; each in the clauses that say so. Who rejects and says
    no to nothing puts aside what they speak of before they say what they want. What is not so, said behind a no or a
    wish, is its reason: "revert that, we can't refresh views"."""
    if lexicon("no").covers(words):
        return "", "", ""
    chosen = _without_reason(words)
    if over := _over(chosen):
        return chosen[over[0] :].strip(), chosen[: over[0]].strip(_EDGES), ""
    sides: defaultdict[str, list[str]] = defaultdict(list)
    pointed = settled = False
    for place, clause in enumerate(sentence_clauses(words)):
        side, told = _side(clause.text, first=not place)
        # A question is no refusal.
        asked = clause.asks and side in ("refuses", "denies")
        says = bool(content_words(told)) and not asked and not lexicon("no").covers(told)
        if says:
            reason = settled and side == "denies" and len(content_words(told)) >= _FEW
            sides["explains" if reason else side].append(told)
        # "Nah" and "revert that" refuse what they answer.
        pointed = pointed or lexicon("no").covers(clause.text) or (side == "refuses" and not (says or asked))
        settled = (
            settled or pointed or (says and side in ("refuses", "wants")) or (not place and _picks(told, category))
        )
    refused, denied, wanted, why, told = (
        _joined(sides[side], words) for side in ("refuses", "denies", "wants", "explains", "tells")
    )
    refused = refused or ("" if pointed else denied or (told if wanted and category == "rejected" else ""))
    return refused, wanted, why if settled or refused else ""


def _picks(clause: str, category: Category) -> bool:
    """Whether a clause only names what is chosen: "b", "the second"."""
    return category == "decision" and len(content_words(clause)) <= _FEW and not lexicon("yes").covers(clause)


def _joined(clauses: list[str], words: str) -> str:
    """Clauses as they stand where they follow each other."""
    joined = ", ".join(clauses)
    if len(clauses) > 1:
        stands = words[max(0, words.find(clauses[0])) : words.rfind(clauses[-1]) + len(clauses[-1])]
        return stands if re.findall(r"\w+", stands) == re.findall(r"\w+", joined) else joined
    return joined


def _side(clause: str, *, first: bool) -> tuple[str, str]:
    """What a clause does, and to what. "No use the table" is a no, and what is wanted."""
    bare = lexicon("no").opens(clause)
    rest = clause[bare.end :].strip(_EDGES) if bare and not lexicon("forbidding").opens(clause) else ""
    if rest and lexicon("wanting").opens(rest):
        return "wants", rest
    said = polarity(clause, first=first)
    if said == "undoes":
        return "refuses", removed(clause) or ""
    if said in ("keeps", "wants") and not negated(clause):
        return "wants", clause
    if negated(clause):
        return ("denies" if said in ("tells", "explains") else "refuses"), clause
    return ("refuses" if said == "spares" else "wants" if lexicon("instead").search(clause) else said), clause


def _over(words: str) -> tuple[int, int] | None:
    """Where what is chosen ends and what it is chosen over begins: "tabs instead of spaces", "we chose tabs over …"."""
    if (aside := lexicon("instead_of").search(words)) and content_words(words[: aside.start]):
        return aside.start, aside.end
    chosen = lexicon("chosen_over").search(words)
    return (words.rindex(" ", 0, chosen.end), chosen.end) if chosen else None


def _reach(note: Note, said: str) -> Reach:
    """Whether words outlast the piece of work: they command so; they say so, or are heard so, and speak of how work is
    done, or of what is not wanted at all; or they forbid something and are plainly heard so. What a panel must show is
    settled for that panel. Of what holds always, "until it is green" is no end but a condition."""
    always = lexicon("lasting").search(said) is not None
    works, unwanted = (lexicon(name).search(said) is not None for name in ("working", "unwanted"))
    # A refusal speaks of what was done: that it names a commit or a test says nothing of the next one.
    heard = note.weight.lasting >= LASTS and (unwanted or (works and note.category != "rejected"))
    # "A list without an end" forbids nothing.
    forbids = note.weight.lasting >= _FOR_GOOD and negated(_WITHOUT.sub(" ", said))
    lasts = commands(said) or (always and (works or unwanted)) or heard or forbids
    passing = lexicon("passing").search(said) or lexicon("one_piece").search(said)
    ends = lexicon("until").search(said) is not None and not always
    return "standing" if lasts and not (passing or ends) else "work"


def _without_reason(said: str) -> str:
    reason = lexicon("reason").search(said)
    before = said[: reason.start] if reason else ""
    # "Given the budget, better not": the no stands behind its reason.
    return before if before and negated(before) == negated(said) else said


def _from_cue(name: str, text: str) -> str:
    """From where a cue stands to the end of its sentence."""
    found = lexicon(name).search(text)
    return squeeze(re.split(r"(?<=[.!?])\s", text[found.start :], maxsplit=1)[0])[:240] if found else ""


def _about(note: Note, said: str, place: Scene) -> list[str]:
    """Names the words are about: their own, then those of what they answer, then of what the agent said."""
    near = place.before[-700:]
    return list(dict.fromkeys([*names(said), *names(note.answers.text), *names(near)]))[:_MOST_NAMES]
