"""Actions that nobody refused by refusing what they are about: looking at it, and putting things back."""

import re
from typing import Final

from steno.language.same_word import MOST

_POLITE: Final = r"^\W*(?i:i'?ll |i will |let me |let'?s |please |now |first |then |going to |i'?m going to |just )*"
_LOOKS: Final = re.compile(
    _POLITE + r"(?:(?i:read|look|check(?! in\b)|inspect|explain|list|view|grep|search|find|see|describe|summari[sz]e"
    r"|review|compare|count|select (?:\*|rows|all|count|the|from|some)|query|print"
    r"|show (?:me|the (?:columns|rows|schema|contents?|logs?|diff|status|history|first|last))"
    r"|understand|investigate|verify|confirm|measure|profile|mention|suggest|propose|note"
    r"|tell the (?:user|human)|report (?:that|whether|which|how|the)|nachsehen|nachlesen|nachfragen|prüfen|zählen|lesen"
    r"|auflisten|fragen|zeigen)"
    r"|[Aa]sk (?:(?:on|for|in|at) )?(?:which|whether|if|why|who|what|when|how|the (?:user|human)|[A-Z]\w+))\b"
    r"|^(?:看|查|读|数一|列出|确认)"
)
_PUTS_BACK: Final = re.compile(
    _POLITE + r"(?:restore|recover|revert|undo|leave|cancel|abort|roll(?:ing)? back|go back|back (?:to|out)|reset the"
    r"|git revert|zurück\w*)\b|\b(?:change|switch|set|move|put|go|turn|bring|roll|lower|raise|take)\b.{1,60}\bback\b"
    r"|\bzurück(?:holen|setzen|nehmen|rollen)\b|恢复|还原|改回",
    re.IGNORECASE,
)
_SHOWN: Final = 200
# Programs that change nothing, at the beginning of each part of a command line.
_READS: Final = re.compile(
    r"\s*(?:sudo )?(?:cd [^&;|]+$|grep|rg|ag|ls|cat|head|tail|less|wc|sort|uniq|jq|awk|sed -n|tree|file|stat|du|df"
    r"|which|echo(?![^|]*[>|])|env$|ps|top|diff|find(?!.*-(?:delete|exec))|curl -s?I"
    r"|git (?:log|diff|status|show|blame|grep|branch(?: -[avr]+)*\s*$|rev-parse|reflog|ls-files|remote -v|fetch)"
    r"|gh \w+ (?:list|view|status|checks|diff)|docker (?:ps|images|logs|inspect|stats|system df|volume ls)"
    r"|kubectl (?:get|describe|logs)|terraform (?:plan|show|validate|fmt)|pip (?:list|show|freeze$)"
    r"|npm (?:ls|list|view|outdated|audit(?! fix))|psql .*\bselect\b(?!.*\b(?:delete|update|insert|drop)\b))(?!\w)",
    re.IGNORECASE,
)
_WRITES: Final = re.compile(
    r">|\b(?:rm|mv|cp|push|commit|install|add|apply|deploy|delete|drop|update|insert|publish|prune|reset|clean|kill"
    r"|restart|create|write|fix)\b| -i\b"
)
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_SEQUENCE: Final = re.compile(r"&&|\|\|?|;|\n")
_LOOKING_TOOLS: Final = frozenset("read grep glob ls view search websearch webfetch notebookread todowrite".split())


def only_looks(text: str, tool: str | None, command: str) -> bool:
    """Whether an action reads and changes nothing."""
    if tool is not None and tool.lower() in _LOOKING_TOOLS:
        return True
    says_so = bool(_LOOKS.match(text[:_SHOWN]))
    if not command:
        return says_so
    parts = [part for part in _SEQUENCE.split(_QUOTED.sub("''", command[:MOST])) if part.strip()]
    return all(map(_READS.match, parts)) or (says_so and not _WRITES.search(command[:MOST]))


def puts_back(text: str) -> bool:
    """Whether an action brings back what was there before, or leaves it as it is."""
    return bool(_PUTS_BACK.search(text[:_SHOWN]))
