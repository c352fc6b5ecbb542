"""What a line of a turn looks like: said, output of a machine, or the opening of a letter or a conversation. Pure."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

# As much of a line is looked at.
LINE: Final = 400
ITEM: Final = re.compile(r"\s*(?:[-*•+–]|\d{1,3}[.)]|[a-zA-Z][.)])\s")
# A letterhead, a speaker with the time, or a role: what comes now was written for another place.
_LETTERHEAD: Final = re.compile(
    r"\s*\**(?:from|to|subject|sent|cc|date|received date|email_from|von|an|betreff|gesendet|de|para|asunto|objet)\**"
    r"\s*:\s*\S",
    re.I,
)
_GREETING: Final = re.compile(
    r"\s*(?:dear|hi|hello|hey|hallo|liebe[rs]?|sehr geehrte[rs]?|bonjour|hola)\b[^.!?:]{0,40},\s*$", re.I
)
_SPEAKER: Final = re.compile(
    r"\s*(?:\[?\(?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\)?\]?\s+)\W?[\w@][\w@. -]{0,30}:\s"
    r"|\s*(?:#+\s*|\*\*|\[)?(?:system(?: prompt| message)?|user|assistant|human|ai|bot|developer)(?:\*\*|\])?\s?[:\]]",
    re.I,
)
_ROLE: Final = re.compile(
    r"</?(?:system|user|assistant|human|instructions?)\b[^>\n]{0,40}>|<\|im_|\[/?inst\]|^\s*<!--", re.I
)
_NAMED: Final = re.compile(r"\s*(@?[\w.-]{2,24})(?: [A-Z][\w.-]{0,20})?:\s+\S")
LOG: Final = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d|at \S+ ?\(|at async "
    r"|File \"|Traceback \(|\{\"|\[\{|\+{3} |-{3} \S+/|@@ "
    r"|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE|panic|error TS\d+|npm (?:ERR|WARN)|E {3})[:!\] ]"
    r"|[✓✗✘×●⏺⎿❯➜▶│└├┌╭╰─]|\$ \S|\S+@\S+[:~ ].*[$#%] |[~/]\S* +[$%#❯] |(?:PASS|FAIL|---) {1,4}\S+[/:.]|ok[ \t]+(?:\d+"
    r" - |\S+/\S+[ \t]+\S)"
    r"|\w*(?:Error|Exception): |\d+ \| |Caused by|#\d+ 0x|diff --git|index [0-9a-f]{7}|[~/]\S*(?: \([\w./-]+\))?$"
    r"|goroutine \d|exit (?:code"
    r"|status))"
)
_FIELDS: Final = re.compile(r"\b[\w.-]+=[^\s=]+")
_CODE: Final = re.compile(
    r"[;{}]\s*$|^\s*(?:import|from \S+ import|def|class|function|const|let(?!')|var|return|public|private|if \(|for \("
    r"|<\w+|</|#include|func|type|package|export)\b.*[;:{(=>]|^\s*[\w.\[\]]+\s?[:+-]?= "
)
_PROSE: Final = re.compile(
    r"\b(?:i|we|you|it|the|that|this|please|should|can|can't|why|not|don't|is|are|want|need|to|ich|wir|das|nicht"
    r"|ist|bitte)\b",
    re.IGNORECASE,
)
_INDENT: Final = re.compile(r"(?: {4,}|\t+)\S")
# Pairs of quotation marks; the same mark on both sides is told by what stands beside it.
PAIRS: Final = {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", '"': '"', "'": "'", "`": "`", "‘": "’"}


class Line(NamedTuple):
    start: int
    end: int
    text: str
    # Shaped like output, code or a log, or between such lines.
    log: bool


def lines(text: str) -> Iterator[Line]:
    """Lines, with what is shaped like a log: a line between two such of a paragraph is one, too, unless it is prose."""
    at, paragraph = 0, list[tuple[int, int, bool]]()
    for line in [*text.splitlines(keepends=True), ""]:
        if line.strip():
            paragraph.append((at, at + len(line), not ITEM.match(line) and _is_log(line)))
        else:
            shaped = [start for start, _, looks in paragraph if looks]
            for start, end, looks in paragraph:
                inside = bool(shaped) and shaped[0] < start < shaped[-1]
                looks = looks or (inside and len(_PROSE.findall(text[start : min(end, start + LINE)])) < 3)
                yield Line(start, end, text[start : min(end, start + LINE)], looks)
            paragraph.clear()
            if line:
                yield Line(at, at + len(line), "", log=False)
        at += len(line)


def _is_log(line: str) -> bool:
    """Whether a line is shaped like output, code or a log rather than like something said."""
    line = line[:LINE].rstrip("\r\n")
    if LOG.match(line) or len(_FIELDS.findall(line)) >= 3:
        return True
    if _INDENT.match(line) or _CODE.search(line):
        return len(_PROSE.findall(line)) < 3
    letters = sum(c.isalpha() or c.isspace() for c in line[:200])
    return letters < 0.55 * len(line[:200]) and len(_PROSE.findall(line)) < 2 and len(line) > 12


def opens_others(line: str, lines: list[Line], place: int, speakers: dict[str, int]) -> bool:
    """Whether a line opens a letter, a record of a conversation or another machine's prompt."""
    if _SPEAKER.match(line) or _ROLE.search(line):
        return True
    following = next((one.text for one in lines[place + 1 : place + 4] if one.text.strip()), "")
    if _LETTERHEAD.match(line):
        return "|" in line or bool(_LETTERHEAD.match(following))
    if _GREETING.match(line):
        return bool(following)
    if named := _NAMED.match(line):
        speakers[named[1]] = speakers.get(named[1], 0) + 1
        return speakers[named[1]] > 1 and len(speakers) > 1
    return False
