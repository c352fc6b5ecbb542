"""From what a person refused to a matcher: only where their words name a command, a path or a name. Else none.

A matcher that fires on everything is worse than none. What is taken from a transcript is escaped, never used as a
pattern.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from steno.rules import propose_words as words
from steno.rules.shell import parts
from steno.terms import STOPWORDS
from steno.vocabulary import Entry, Matcher

_Kind = Literal["command", "path", "text"]

# A quote is rarely longer; so much takes 30 ms at worst, usually 0.05.
_LONGEST: Final = 600
_LONGEST_PATH: Final = 200
_MOST_NAMES: Final = 4
_SENTENCE: Final = re.compile(r"[^\n]+?(?:[.!?]+(?=\s|$)|$)", re.MULTILINE)
_VERB: Final = re.compile(rf"(?P<run>{words.RUN})\b|(?P<take>{words.TAKE})\b|(?P<touch>{words.TOUCH})\b", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"(?:the |an? |our |my |any |anything (?:in|under|from) |up )+", re.IGNORECASE)
# In backticks, or a word; then the words that may belong to a command.
_THING: Final = re.compile(r"`([^`\n]{1,120})`|[^\s`'\"“”]+")
_PLACE: Final = re.compile(r"(?<![\w./-])([\w./-]{0,199}\w) (?:folder|directory|dir)\b", re.IGNORECASE)
_IDENTIFIER: Final = re.compile(r"@?[A-Za-z_][\w-]*(?:[./:]+\w[\w-]*)*(?:\(\))?", re.ASCII)
_TELLING: Final = re.compile(r"[a-z][A-Z]|[A-Z][a-z]+[A-Z]|\w_\w|\(\)$|\w[.:]+\w|^@|^[A-Z][a-z]{2,}$|^[A-Z]{3,}$")
_OBJECTS: Final = re.compile(
    r"^\W*(?:no|nope|nah|nein|stop|don'?t|do not|never|wtf|whoa)\b|\bwhat are you doing\b|\bwhy (?:are|did|would) you\b"
    r"|\b(?:don'?t|do not|never|shouldn'?t) (?:do|run|use|touch|edit|change|ever)\b",
    re.IGNORECASE,
)
_TOUCH_IT: Final = re.compile(
    rf"\b(?:don'?t|do not|never|stop) (?:{words.TOUCH}) (?:this|that|it|the|these|those)?\s*(?:file)?\W*$",
    re.IGNORECASE,
)


class _Clause(NamedTuple):
    """What is forbidden: the verb's kind (empty: the thing stands alone), and the words after it."""

    verb: str
    verb_word: str
    rest: str


def propose(entry: Entry) -> Matcher | None:
    """A matcher for what an entry forbids, to be tried in mode `warn`; None if its words name nothing concrete."""
    if entry.category not in ("rejected", "rule") or entry.origin not in ("user", "edit"):
        return None
    if entry.detail.get("scope") not in (None, "", "here"):
        return None
    # After a person's edit the summary is their word; before, the quote is.
    theirs = entry.evidence[0].quote if entry.evidence and entry.origin == "user" else entry.summary
    theirs = theirs[:_LONGEST].replace("’", "'")
    for clause in _forbidden(theirs):
        if found := _by_act(clause) or _by_name(clause):
            return found
    return _by_call(str(entry.detail.get("stopped") or ""), theirs)


def _forbidden(text: str) -> Iterator[_Clause]:
    for sentence in (found.group().strip() for found in _SENTENCE.finditer(text)):
        if sentence.endswith("?") or (words.PASSING.search(sentence) and not words.STANDING.search(sentence)):
            continue
        for found in words.ORDER.finditer(sentence):
            if _is_order(sentence[: found.start()], found.group()):
                rest = sentence[found.end() :]
                if verb := _VERB.match(rest):
                    yield _Clause(verb.lastgroup or "", verb.group().lower(), _up_to_end(rest[verb.end() :]))
                yield _Clause("act", "", _up_to_end(rest, keep_end=True))
        for found in words.NOT_THIS.finditer(sentence):
            verb_kind = "touch" if words.HANDS_OFF.search(found.group()) else ""
            yield _Clause(verb_kind, "", _up_to_end(sentence[found.end() :]))
        for found in words.CLOSED.finditer(sentence):
            yield _Clause("touch", "", found[1])


def _is_order(before: str, cue: str) -> bool:
    """Whether it is the agent that must not; "I don't use", "if you don't use" order nothing."""
    said = before.rpartition(",")[2].lower().split()
    if said and said[-1] in words.NO_ORDER_AFTER:
        return " want" in cue
    return words.NO_ORDER_IN.isdisjoint(said)


def _up_to_end(rest: str, *, keep_end: bool = False) -> str:
    """The words up to an exception, a reason or an alternative; none of them inside backticks."""
    for end in words.ENDS.finditer(rest):
        if rest.count("`", 0, end.start()) % 2 == 0:
            # "Commit" alone is another order than "commit without".
            return rest[: end.end() if keep_end and end.group().isalpha() else end.start()]
    return rest.rstrip(".! ")


def _by_act(clause: _Clause) -> Matcher | None:
    """An act that has a phrase of its own, like a force push."""
    if clause.verb in ("take", "touch"):
        return None
    said = clause.rest.strip("` ")
    for phrase, field, pattern in words.ACTS:
        if phrase.match(said):
            return Matcher(**{field: pattern})
    return None


def _by_name(clause: _Clause) -> Matcher | None:
    """The commands, paths or names in a clause: those of the first one's kind."""
    found: list[tuple[_Kind, str]] = []
    if clause.verb == "act":
        return None
    if clause.verb == "touch" and (place := _PLACE.search(clause.rest)) and place[1].lower() not in words.ANY_PLACE:
        found.append(("path", _path(place[1] + "/")))
    rest = _ARTICLE.sub("", clause.rest.lstrip(), count=1)
    things = list(_THING.finditer(rest))
    for number, thing in enumerate(things[:12]):
        # Without a verb only the very next word can be meant.
        if (number and not clause.verb) or len(found) >= _MOST_NAMES:
            break
        after = "" if thing[1] else rest[thing.end() :]
        if named := _named(
            clause, thing[1] or thing.group().rstrip(".,!:"), after, code=bool(thing[1]), first=not number
        ):
            found.append(named)
    if not found:
        return None
    kind = found[0][0]
    patterns = list(dict.fromkeys(pattern for one, pattern in found if one == kind))
    pattern = patterns[0] if len(patterns) == 1 else f"(?:{'|'.join(patterns)})"
    return Matcher(command=pattern) if kind == "command" else Matcher(**{kind: pattern}, tool=words.DOING)


def _named(clause: _Clause, thing: str, after: str, *, code: bool, first: bool) -> tuple[_Kind, str] | None:
    """What a word or a piece of code names, if it tells enough."""
    if clause.verb == "touch":
        return _touched(clause, thing) if _is_path(thing, code=code) else None
    if thing.startswith("-") and not (first or code):
        return None  # it was taken in with its program
    if command := _command(thing, after, run=code and clause.verb_word.startswith(("run", "exec", "invok"))):
        return "command", command
    if thing.endswith(words.SCRIPTS) and _is_path(thing, code=code):
        return "command", rf"(?:^|[\s/]){_literally(thing.lstrip('./@'))}(?:\s|$)"
    direct = first and clause.verb_word.startswith(("install", "import"))
    return ("text", _name(thing)) if _is_name(thing, code=code, direct=direct, first=first) else None


def _touched(clause: _Clause, thing: str) -> tuple[_Kind, str]:
    """A path that is not to be touched; one that is only not to be committed may well be written."""
    if clause.verb_word.startswith(("commit", "check")):
        return "command", rf"^git (?:add|commit)\b.*[\s/]{_literally(thing.strip('/@'))}(?:[\s/]|$)"
    return "path", _path(thing)


def _command(thing: str, after: str, *, run: bool) -> str | None:
    """A pattern for a command: the program, its subcommands, its flags in this order."""
    given = thing.split()
    if not given:
        return None
    if re.fullmatch(r"--[a-z][\w-]+", given[0]) and len(given) == 1:
        return rf"\s{_literally(given[0])}(?:[\s=]|$)"
    known = given[0].lower() in words.PROGRAMS
    if known and after:
        for word in after.split()[:3]:
            if word.strip(".,") not in words.SUBCOMMANDS and not re.fullmatch(r"--?\w[\w-]*", word.strip(".,")):
                break
            given.append(word.strip(".,"))
    if not (known or (run and len(given) > 1)) or not re.fullmatch(r"[\w./-]+", given[0]):
        return None
    if len(given) == 1 and given[0].lower() in words.GENERAL:
        return None
    head = [word for word in given[:3] if not word.startswith("-") and not re.search(r"[<>…$]", word)]
    flags = [word for word in given[:6] if word.startswith("-")]
    return rf"^{_literally(' '.join(head))}\b" + "".join(rf".*\s{_literally(flag)}(?:[\s=]|$)" for flag in flags[:2])


def _is_path(thing: str, *, code: bool) -> bool:
    if (
        len(thing) > _LONGEST_PATH
        or not re.fullmatch(r"[@~.]{0,2}/?[\w.*@-]+(?:/[\w.*@-]+)*/?", thing)
        or thing.strip("./*@~") in ("", "etc", "e.g")
    ):
        return False
    slashes = thing.count("/")
    return thing.endswith("/") or slashes > 1 or bool(words.FILE.search(thing)) or (code and slashes > 0)


def _path(thing: str) -> str:
    bare = re.sub(r"^[@~./]*(?=/)/|^@|^\./", "", thing).rstrip("/")
    return r"(?:^|/)" + _literally(bare).replace(r"\*", "[^/]*") + r"(?:/|$)"


def _is_name(thing: str, *, code: bool, direct: bool, first: bool) -> bool:
    low = thing.lower().strip("`()")
    if not 3 <= len(thing) <= 60 or low in STOPWORDS or low in words.TONGUES or low in words.NO_NAMES:
        return False
    if code and " " in thing:
        return len(thing.split()) <= 4
    if not _IDENTIFIER.fullmatch(thing):
        return False
    if low in words.PACKAGES:
        return True
    proper = re.fullmatch(r"[A-Z][a-z]+", thing)
    if proper:
        return first and low not in words.GENERAL
    return bool(_TELLING.search(thing)) or direct or (code and "-" in thing)


def _name(thing: str) -> str:
    bare = thing.removesuffix("()")
    start, end = (r"\b" if (bare[0].isalnum() or bare[0] == "_") else ""), (r"\b" if bare[-1].isalnum() else "")
    return start + r"\s+".join(_literally(word) for word in bare.split()) + end


def _literally(text: str) -> str:
    """Text as a pattern that finds just this text."""
    return re.escape(text).replace("\\ ", " ").replace("\\-", "-")


def _by_call(stopped: str, theirs: str) -> Matcher | None:
    """A refused call that was refused as such: a grave command, a tool of its own, a file not to be touched."""
    tool, _, given = stopped.partition(" ")
    if not tool or not _OBJECTS.search(theirs) or words.PASSING.search(theirs):
        return None
    if tool.startswith("mcp__"):
        return Matcher(tool=_literally(tool))
    if re.search(r"bash|shell|exec|command|terminal", tool, re.IGNORECASE):
        run = [part.text for part in parts(given)]
        grave = (pattern.pattern for pattern in words.GRAVE if any(map(pattern.search, run)))
        command = next(grave, None)
        return Matcher(command=command) if command else None
    path = given.split(" ")[0]
    if _TOUCH_IT.search(theirs) and "/" in path:
        return Matcher(path=_path("/".join(path.split("/")[-2:])), tool=words.DOING)
    return None
