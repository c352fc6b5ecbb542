"""From an entry to what it stands against: the call that was refused, the words of what was refused, and what stood
around them."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final, NamedTuple

from steno.gates.asked import Asked, Run, asked, endings, within
from steno.language.clauses import clauses
from steno.language.common import telling
from steno.language.lexicon import lexicon
from steno.language.polarity import Pointed, pointed, polarity
from steno.language.same_word import names_of, parts_of, words_of
from steno.language.tool_call import as_edit
from steno.rules.stance import binds, own_words, refused, says_no
from steno.vocabulary import PEOPLE, Action, Entry
from steno.vocabulary.details import Decided

# "Delete anything under uploads" is about the uploads.
_ALL_OF_IT: Final = words_of("anything everything")
# An edit is the same where so much of what the refused one brought in comes again.
_SAME_EDIT: Final = 0.8
# What only writes about a thing changes nothing in it.
_PAGES: Final = words_of("documentation readme changelog")
_ABOUT: Final = _PAGES | words_of("note ticket todo report test plan")


class Against(NamedTuple):
    """What an entry stands against, by stems."""

    # What it says no to, as it is told.
    says: str
    # What must not be done, and what must not be undone, by each no.
    ways: tuple[Pointed, ...]
    names: frozenset[str]
    # All words of what must not be done, of what must not be undone, of what was wanted instead; the rest of what was
    # said, and what that answered.
    no: frozenset[str]
    kept: frozenset[str]
    wanted: frozenset[str]
    own: frozenset[str]
    around: frozenset[str]
    # The refused call: its tool and input, what it ran, the file it was about, what it brought in, its words in a line.
    tool: str
    given: Mapping[str, Any] | None
    runs: frozenset[Run]
    file: str
    edit: frozenset[str]
    told: frozenset[str]
    # Sure, and for good.
    binds: bool
    # Everything an action is found by.
    words: frozenset[str]

    def hit(self, action: Asked) -> frozenset[str]:
        """Words of the no that an action holds, pointing the same way."""
        return (action.brings & self.no) | (action.undoes & self.kept)

    def lets_pass(self, action: Asked) -> bool:
        """Whether an action is none of it. It takes out what was refused; or it brings in nothing of a no that was said
        to a call and names what it means, in another file; or it holds nothing of what was said, though that names
        something, does what was wanted instead, or takes nothing of what is only to be kept."""
        if self._goes_out(action):
            return True
        if telling(self.hit(action)):
            return False
        if self.tool and self.ways and self.file not in action.files:
            return True
        # Of a call that was stopped, the rest of the words may well be what is wanted in its place.
        named = self.no | self.kept | self.told
        about = named if self.tool else named | self.own
        if telling(named) and not telling(about & (action.brings | action.undoes)):
            return True
        as_wanted = bool(telling(self.wanted) & action.brings)
        return as_wanted or bool(self.kept and not self.no)

    def _goes_out(self, action: Asked) -> bool:
        """Whether an action takes something of what was refused out, and brings nothing of it in. Where no words say
        what that is, it is what they answered. An edit that brings in more than it takes is no such thing."""
        refused = telling(self.no | self.edit or self.around)
        puts_in = (action.does | action.writes) - action.places
        if action.files and not action.runs and len(telling(puts_in)) > len(telling(action.undoes)):
            return False
        return bool(refused & action.undoes) and not (refused & puts_in or self.kept & action.undoes)


def against(entry: Entry, given: Mapping[str, Any] | None = None, *, uttered: bool = False) -> Against | None:
    """What an entry stands against; None where that is nothing, or was done later after all.

    `given` is the input of the refused call, where the journal has it; `uttered`: it is only words, noted as nothing.
    """
    texts = _refused(entry) if not uttered else says_no(entry.detail.exchange.said)
    exchange, ran = entry.detail.exchange, entry.detail.exchange.afterwards == "ran later"
    if texts is None or (ran and entry.category != "rule"):
        return None
    says = ", ".join(texts) if entry.category in ("rejected", "rule") else ""
    # An instruction stands though the call it was said to was then allowed.
    call = exchange.call if not ran and (entry.category in ("rejected", "rule") or uttered) else None
    tool, line = (call.tool, call.given) if call is not None else ("", "")
    # The line is cut short where it is long; the journal has the call whole.
    given = as_edit(tool, given) if tool and given else None
    made = asked(Action(agent="", text="", tool=tool, input=given or {"command": line}, directory=entry.project))
    runs = made.runs if tool else frozenset[Run]()
    # What a person wrote by hand takes the place of what was heard.
    said, answered = (exchange.said, exchange.answered) if entry.origin != "edit" else ("", "")
    # That a file is named says nothing of its kind.
    wanted, kinds = words_of(_chosen(entry)), endings(" ".join([*texts, said or own_words(entry), answered, line]))
    texts = [text for text in texts if telling(words_of(text)) and text != f"{tool} {line}"]
    ways = tuple(_way(within(text, entry.project), wanted | kinds) for text in texts)
    # A bare no is to the call, which is compared as it is: to do a part of it is not the same.
    all_of_it = ways or ((_way(within(line, entry.project), wanted | kinds),) if runs else ())
    no, kept = (frozenset[str]().union(*(way[side] for way in all_of_it)) for side in (0, 1))
    own = words_of(said or own_words(entry)) - no - kept - wanted - kinds - words_of(entry.detail.stance.why)
    file = next(iter(made.files), line.partition(" ")[0]) if not runs else ""
    told = words_of(within(line, entry.project)) - kinds
    if file and not telling(no | kept | own):
        # A bare no to an edit is about that file, not about its folder.
        told -= words_of(within(str(PurePath(file).parent), entry.project))
    around = words_of(within(answered, entry.project)) - no - kept - own - wanted - kinds
    found = Against(
        says=says,
        ways=ways,
        names=telling(frozenset().union(*(names_of(text) - parts_of(text) for text in texts))),
        no=no,
        kept=kept,
        wanted=wanted - no - kept,
        own=own,
        around=around,
        tool=tool,
        given=given,
        runs=runs,
        file=file,
        edit=made.does | made.writes if given and not runs else frozenset(),
        told=told,
        binds=binds(entry),
        words=no | kept | own | around | told,
    )
    # What only asks for something stands against nothing, unless it lasts.
    refuses = no or kept or around or call is not None or found.binds
    return found if refuses and (tool or telling(found.words)) else None


def _refused(entry: Entry) -> list[str] | None:
    """What it says no to, in words that were said; None where it is nothing to be reminded of."""
    match entry.category, entry.detail:
        case "rejected", _:
            return refused(entry)
        case "rule", _ if entry.origin in PEOPLE:
            return refused(entry)
        case "decision", Decided(options=options, weight=weight) if entry.origin in PEOPLE and weight.act == "choose":
            # What was put beside the option that was taken.
            return options or refused(entry)
        case "exclusion", detail:
            return [detail.what or ("" if entry.evidence else entry.summary)]
    return None


def _chosen(entry: Entry) -> str:
    """What was wanted in place of the refused, though one sentence may speak of both; of an instruction without a no,
    nothing."""
    stance, exchange = entry.detail.stance, entry.detail.exchange
    if entry.category == "decision" and exchange.kind == "option":
        return exchange.answered
    return stance.wanted if entry.category != "rule" or stance.refused else ""


def is_same_call(one: Against, action: Asked, given: Mapping[str, Any]) -> bool:
    """The refused call to the letter, its commands, nearly the same edit, or the call told in words."""
    if (one.given and one.tool == action.tool and one.given == given) or (one.runs and one.runs <= action.runs):
        return True
    if one.file and one.tool == action.tool and one.file in action.files:
        again = action.does | action.writes
        return bool(one.edit) and len(one.edit & again) >= _SAME_EDIT * len(one.edit)
    if action.tool:
        return False
    words = telling(action.does | action.undoes)
    return len(words) > 1 and words <= one.told


def says_the_same(one: Against, action: Asked, text: str) -> bool:
    """Everything a no says, in the same direction; not where the action only writes about it."""
    does, undoes = action.does | action.places, action.undoes
    if not any(_is_whole(way.does, does, one) or _is_whole(way.undoes, undoes, one) for way in one.ways):
        return False
    only_writes = action.does & _ABOUT or action.places & _PAGES or lexicon("speaks_of").search(text)
    return not only_writes or bool((one.no | one.kept) & _ABOUT)


def _is_whole(refused: frozenset[str], words: frozenset[str], one: Against) -> bool:
    """Whether words hold all of a refusal; one plain word alone is not enough of it."""
    tells = telling(refused)
    if not tells or not tells <= words:
        return False
    return len(tells) > 1 or bool(tells & one.names) or refused <= words


def _way(text: str, wanted: frozenset[str]) -> Pointed:
    does, undoes = (words - wanted - _ALL_OF_IT for words in pointed(clauses(text), by_no=False))
    match polarity(text, first=True):
        case "spares":
            # What is not to be changed at all is not to be taken away either.
            return Pointed(does | undoes, does | undoes)
        case "keeps":
            return Pointed(frozenset(), does | undoes)
    return Pointed(does, undoes)
