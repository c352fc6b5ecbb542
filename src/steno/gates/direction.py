"""Which way the words of a text point: what it does, and what it undoes.

A text is read in clauses. What stands under a no or a verb of removal points the other way: "replace Redis with a
table" does a table and undoes Redis.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from steno.gates.words import MOST, meanings, words_of

# Where a clause begins: at a sign, before a word that turns the thought, before an "and" with a verb of its own.
_TURNS: Final = (
    "but because since instead so otherwise unless until without before after when while if then "
    "sondern weil aber statt ohne"
).replace(" ", "|")
_VERBS: Final = (
    "add use set write put make run create deploy push send install move keep let start commit tag drop remove delete "
    "leave do import configure switch index sync call return ask show open fix store wrap turn replace skip"
).replace(" ", "|")
_CLAUSE: Final = re.compile(
    rf"[.;!?:](?=\s|$)|[,，。\n()]|\s[–—-]\s|\s&&\s|\s\|\|?\s"
    rf"|\s(?=(?:{_TURNS}|rather than|so that|and then|to avoid)\s)"
    rf"|\s(?=(?:and|und|&) (?:then |also |dann )?(?:{_VERBS})\b)",
    re.IGNORECASE,
)
_NO: Final = re.compile(
    r"\b(?:no|not|never|nope|nah|neither|nor|nobody|no one|no longer|do not|cannot|stop|avoid|without|against"
    r"|(?:do|does|did|wo|should|must|ca|need|would|is|are)n'?t|instead of|rather than|rather not|hate|dislike|forget"
    r"|forbid\w*|banned|refuse|enough of|sick of|tired of|hands off|off.limits|leave \w+ alone"
    r"|why (?:would|do|does|is|are|on earth)|nee|nein|kein\w*|nicht|nie|niemals|statt|ohne)\b"
    r"|不要|别|不用|不能|禁止|勿",
    re.IGNORECASE,
)
_UNDO: Final = re.compile(
    r"\b(?:remov(?:e[sd]?|ing|al)|delet(?:e[sd]?|ing|ion)|drop(?:s|ped|ping)?|uninstall\w*|prun(?:e[sd]?|ing)|truncat\w+"
    r"|wip(?:e[sd]?|ing)|clear(?:s|ed|ing)?|purg(?:e[sd]?|ing)|eras(?:e[sd]?|ing)|replac(?:e[sd]?|ing)|disabl\w+"
    r"|eliminat\w+|discard\w*|deprecat\w+|ignor(?:e[sd]?|ing)|bypass\w*|(?<![.@\w])skip(?:s|ped|ping)?|strip|retire|kill"
    r"|empty(?:ing)?|clean(?:ing)?(?: (?:up|out))?|rm|rmdir|unlink|entfern\w*|lösch\w*|leeren"
    r"|get(?:ting)? rid of|stop using|turn(?:ing)? off|phas\w+ out|rip(?:ping)? (?:\w+ )?out"
    r"|throw\w* (?:\w+ ){0,2}away"
    r"|(?:take|move|pull|leave|keep|turn|switch|shut)s? (?:[\w./-]+ ){0,4}?(?:out|off|down)\b(?: of)?"
    r"|(?:migrat|mov|switch)\w* (?:\w+ ){0,3}?(?:from|off|away from))\b|\s-delete\b"
    r"|删除?掉?|移除|去掉|取消|停用",
    re.IGNORECASE,
)
# "replace A with B", "migrate from A to B": from here on it is done again. "Disable A with B" only says how.
_DONE_AGAIN: Final = re.compile(r"\b(?:to|into|onto|in favou?r of|for|so)\b", re.IGNORECASE)
_REPLACED: Final = re.compile(r"\b(?:with|by|durch|to|into|onto|in favou?r of|for|so)\b", re.IGNORECASE)
# In a command line the verb may stand behind its object: "docker volume prune".
_COMMAND_LINE: Final = re.compile(
    r"\W*(?:\w+: )?\W*(?:command|cmd)?\W*(?:sudo |cd \S+ )?(?:docker|git|kubectl|helm|npm|yarn|pnpm|find|psql|mysql|aws"
    r"|gcloud|redis-cli|terraform|brew|systemctl|alter)\b"
)


class Pointed(NamedTuple):
    """What a text does and undoes, by stems."""

    does: frozenset[str]
    undoes: frozenset[str]


def clauses(text: str) -> list[str]:
    """The parts of a text that say one thing each."""
    parts = (part.strip() for part in _CLAUSE.split(text[:MOST]) if part)
    return [part for part in parts if part]


def negated(clause: str) -> bool:
    """Whether a clause says no."""
    return bool(_NO.search(clause))


def removed(clause: str) -> str | None:
    """What a clause takes away: the clause without the verb; None where it takes nothing away."""
    return _UNDO.sub(" ", clause) if _UNDO.search(clause) else None


def pointed(parts: Iterable[str], *, by_no: bool = True) -> Pointed:
    """What clauses do, and what they undo. `by_no`: what stands under a no is undone, too."""
    does: set[str] = set()
    undoes: set[str] = set()
    for clause in parts:
        for part in (clause, *meanings(clause)):
            for piece, against in _pieces(part, by_no):
                (undoes if against else does).update(words_of(piece))
    return Pointed(frozenset(does - undoes), frozenset(undoes))


def _pieces(clause: str, by_no: bool) -> Iterator[tuple[str, bool]]:
    """A clause cut where its direction turns: before what undoes, behind it, and from "with" or "to" on again."""
    turns = (_UNDO.search(clause), _NO.search(clause) if by_no else None)
    turn = min((found for found in turns if found), key=re.Match.start, default=None)
    if turn is None:
        yield clause, False
        return
    if turn.re is _UNDO and _COMMAND_LINE.match(clause):
        yield clause, True
        return
    rest = clause[turn.end() :]
    # "find uploads -delete", "die Uploads löschen": what stands before is what goes.
    yield clause[: turn.start()], not rest.strip(" .!?") or turn.group().lstrip().startswith("-")
    again = (_REPLACED if turn.group().lower().startswith("repl") else _DONE_AGAIN).search(rest)
    yield rest[: again.start() if again else len(rest)], True
    if again:
        yield rest[again.end() :], False
