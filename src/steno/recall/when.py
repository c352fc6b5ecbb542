"""Time words: the stretch of time a question speaks of, and how near a moment is to it. Days are days in UTC.

A question is read once from left to right: at each word an optional lead ("since", "between", "im") and then the first
rule of `_RULES` that fits. A sure stretch wins over a vague one, an earlier one over a later one. A stretch that has
not begun yet is none: nothing was said in it."""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, timedelta
from math import ceil
from typing import Final, NamedTuple

from steno.recall.time import EVER, When, moment


class _Span(NamedTuple):
    """Days from `start` to the day before `end`."""

    start: date
    end: date
    sure: bool = True


class _Asked(NamedTuple):
    """What a rule may look at besides its own match: the question as typed and in lower case, the day, the lead."""

    typed: str
    low: str
    today: date
    lead: str = ""


_Match = re.Match[str]
_Reader = Callable[[_Match, _Asked], _Span | None]


class _Point(NamedTuple):
    """One rule that fitted, kept so that it can be read again as of another day."""

    match: _Match
    read: _Reader
    span: _Span


_LOOKED_AT: Final = 2_000
_DAY: Final = timedelta(days=1)
_FIRST_YEAR, _LAST_YEAR = 1990, 2100
_MOST_DAYS: Final = 36_500


def _numbered(names: str) -> dict[str, int]:
    """Names with their number, from 1. A bar stands between numbers, a space between names of the same number."""
    return {name: number for number, group in enumerate(names.split("|"), 1) for name in group.split()}


_MONTHS: Final = _numbered(
    "january jan januar jänner|february feb februar|march mar märz maerz|april apr|may mai|june jun juni|july jul juli|"
    "august aug|september sept sep|october oct oktober okt|november nov|december dec dezember dez"
)
# Months that are neither a verb nor a first name, and need no word before them.
_PLAIN_MONTHS: Final = frozenset(
    "january januar jänner february februar märz july september october oktober november december dezember".split()
)
_WEEKDAYS: Final = _numbered(
    "monday montag mon|tuesday dienstag tues tue|wednesday mittwoch wed|thursday donnerstag thurs thur thu|"
    "friday freitag fri|saturday samstag sonnabend sat|sunday sonntag sun"
)
_NUMBERS: Final = _numbered(
    "a an one ein eine einem einer|two zwei couple paar|three drei|four vier few several einigen wenigen mehreren|"
    "five fünf fuenf|six sechs|seven sieben|eight acht|nine neun|ten zehn|eleven elf|twelve zwölf zwoelf"
)
_LOOSE_NUMBERS: Final = frozenset("couple paar few several einigen wenigen mehreren".split())
_UNITS: Final = _numbered("minute hour stunde|day tag|week woche|month monat|quarter quartal|year jahr")
_UNIT_DAYS: Final = (1 / 24, 1, 7, 30.44, 91.3, 365.25)
# Vague words, and the days between which they lie: from so many ago to so many ago.
_VAGUE: Final = {
    "the other day|neulich": (10, 0),
    "recently|lately|not long ago|kürzlich|vor kurzem|in letzter zeit": (30, 0),
    "last time|letztes mal|(?:das|beim) letzten? mal": (90, 0),
    "a while (?:ago|back)|some ?time ago|vor einiger zeit|vor einer weile": (365, 7),
    "(?:a )?long (?:time )?ago|ages ago|vor langer zeit": (3_650, 90),
}
_OPEN_LEADS: Final = {
    **dict.fromkeys(("since", "seit", "ab"), "since"),
    **dict.fromkeys(("after", "later than", "nach"), "after"),
    **dict.fromkeys(("before", "prior to", "earlier than", "vor"), "before"),
    **dict.fromkeys(("until", "till", "up to", "by", "bis"), "until"),
}
_RANGE_LEADS: Final = frozenset({"between", "zwischen", "from", "von", "vom"})
_IN_LEADS: Final = frozenset({"in", "im", "of", "during", "year", "jahr"})
_LEADS: Final = {*_OPEN_LEADS, *_RANGE_LEADS, *_IN_LEADS, "on", "at", "am", "over", "around", "throughout"}
_YEAR_LEADS: Final = {*_OPEN_LEADS, *_IN_LEADS, "between"}
_MONTH_LEADS: Final = {*_OPEN_LEADS, *_IN_LEADS, "between", "from", "around", "throughout"} - {"by"}
# "one in 3 may fail", "two of 5 may": these do not make a day of the number.
_DAY_LEADS: Final = _LEADS - _IN_LEADS

# Words after a number that show it to be an amount, and words before "of 2000" and "by 2000" that do.
_AMOUNTS: Final = frozenset("ms mb gb kb px percent people am pm".split())
_NOT_PLURAL: Final = frozenset("was is has does this its us as".split())
_AMOUNT_BEFORE: Final = re.compile(
    r"\b(?:size|limit|port|max|maximum|minimum|total|out|timeout|batch|buffer|length|budget|value|number|count|cap|code|"
    r"id|version|error|divided?|multipl(?:y|ied)|increased?|reduced?|raised?|grew|up|down) (?:of|by) $"
)
# What these say of a day or a month is to come, or comes again and again.
_NOT_PAST: Final = re.compile(
    r"\b(?:next|upcoming|coming|following|every|each|per|black|nächste[mnrs]?|kommende[mnrs]?|jede[mnrs]?) $"
)
_START: Final = re.compile(r"(?<![\w:./#@$=-])\w")
# What stands in quotation marks is what the question is about.
_QUOTED: Final = re.compile(r"\"[^\"]*\"|`[^`]*`|“[^”]*”|„[^“]*“")
_CLAUSE_END: Final = re.compile(r"$|[?!.,;:)]")
_NEXT_WORD: Final = re.compile(r" (\w+)")
# A match must not end inside a longer name, number, path, time or version.
_TAIL: Final = r"(?!\w|%|,[0-9]|[-/:.@]\w)"


def _any(names: Iterable[str]) -> str:
    """One of the names, the longest first."""
    return "|".join(sorted(names, key=len, reverse=True))


_FOUR_DIGITS: Final = r"(?:199[0-9]|20[0-9]{2}|2100)"
_SOME_YEAR: Final = (
    rf"(?P<year>{_FOUR_DIGITS}|(?:last|this) year|letzte[ns] jahre?s?|diese[sm] jahre?s?|des jahres|the year)"
)
_YEAR: Final = rf"(?:,? (?:of |in )?{_SOME_YEAR}{_TAIL})?"
_MONTH: Final = rf"(?P<month>{_any(_MONTHS)})\b\.?"
_WEEKDAY: Final = rf"(?P<weekday>{_any(_WEEKDAYS)})\b"
_NTH: Final = r"(?P<nth>st|nd|rd|th|\.)?"
_DAY_OF_MONTH: Final = rf"(?P<day>[0-9]{{1,2}}){_NTH}"
_TO_DAY: Final = r"(?: ?[-–—] ?| (?:to|and|until|till|through|und|bis)(?: the| zum| dem)? )(?P<last>[0-9]{1,2})"
_ANY_NTH: Final = r"(?:st|nd|rd|th|\.)?"
_ANY_WEEKDAY: Final = rf"(?:(?:{_any(_WEEKDAYS)}),? (?:the |den |dem )?)?"
_WHICH: Final = r"(?P<which>this|current|diese[mnrs]?|last|previous|past|(?:letzte|vorige|vergangene)[mnrs]?)"
_PART: Final = r"(?P<part>early|mid|late|anfang|mitte|ende|(?:beginning|start|middle|end) of)[ -](?:in |of )?"
_UNIT: Final = rf"(?P<unit>{_any(_UNITS)})(?:e?n|e?s|e)?"
_NUMBER: Final = rf"(?:(?:a|ein|some) )?(?P<number>[0-9]{{1,4}}|half an?|einem halben|{_any(_NUMBERS)})(?: of)?"
_BACK: Final = r"(?:last|past|previous|(?:letzte|vergangene)[nr]?)"
_LEAD: Final = re.compile(rf"({_any(_LEADS)}) (?:(?:the|dem|den|der|zum|year|jahr|month of|monat) )*")
_TO: Final = re.compile(r" ?[-–—] ?| (?:to|until|till|through|bis)(?: the| zum)? ")
_AND: Final = re.compile(rf"{_TO.pattern}| (?:and|und)(?: the| dem)? ")


def when(question: str, now: str) -> When | None:
    """The stretch of time the question speaks of. A `now` that is not a time from 1990 to 2100 is a ValueError."""
    typed = " ".join(question[:_LOOKED_AT].split())
    # Not str.lower(), which makes two characters of some and would move the places.
    low = "".join(lower if len(lower := char.lower()) == 1 else char for char in typed)
    asked, quoted = _Asked(typed, low, _today(now)), [match.span() for match in _QUOTED.finditer(low)]
    vague, read_to = None, 0
    for start in _START.finditer(low):
        place = start.start()
        if place < read_to or _NOT_PAST.search(low, max(0, place - 16), place):
            continue
        if any(first < place < last for first, last in quoted):
            continue
        if found := _stretch_at(asked, place):
            span, read_to = found
            said = tuple(re.findall(r"\w+", low[place:read_to]))
            answer = When(since=_text(span.start), until=_text(span.end), words=said, sure=span.sure)
            if answer.sure:
                return answer
            vague = vague or answer
    return vague


def _today(now: str) -> date:
    """The day it is in UTC."""
    then = moment(now)
    if not _FIRST_YEAR <= then.year <= _LAST_YEAR:
        raise ValueError(f"{now!r} is not a time between {_FIRST_YEAR} and {_LAST_YEAR}")
    return then.astimezone(UTC).date()


def _text(day: date) -> str:
    """The first moment of a day, the way the store writes it."""
    return f"{day.isoformat()}T00:00:00.000Z"


def _stretch_at(asked: _Asked, place: int) -> tuple[_Span, int] | None:
    """The stretch that is named at this very place, and where its words end."""
    if found := _range(asked, place):
        return found
    if not (lead := _LEAD.match(asked.low, place)):
        return None
    asked = asked._replace(lead=lead[1])
    if asked.lead in _RANGE_LEADS and (found := _range(asked._replace(lead="between"), lead.end(), joined=_AND)):
        return found
    if found := _range(asked, lead.end()):
        return _past(_opened(found[0], asked), asked, found[1])
    return None


def _range(asked: _Asked, place: int, *, joined: re.Pattern[str] | None = None) -> tuple[_Span, int] | None:
    """Two points with a joining word between them; one alone, unless the lead asks for two."""
    first = _point(asked, place)
    if not first:
        return None
    stop = first.match.end()
    joint = (joined or _TO).match(asked.low, stop)
    second = _point(asked._replace(lead="between"), joint.end()) if joint else None
    if second and (span := _from_to(first, second, asked)) and (past := _past(span, asked, second.match.end())):
        return past
    return None if joined else _past(first.span, asked, stop)


def _past(span: _Span, asked: _Asked, stop: int) -> tuple[_Span, int] | None:
    """The stretch, if it has begun and has a length."""
    return (span, stop) if span.start <= asked.today and span.start < span.end else None


def _point(asked: _Asked, place: int) -> _Point | None:
    """What the first rule that fits makes of this place."""
    for pattern, read in _RULES:
        if (match := pattern.match(asked.low, place)) and (span := read(match, asked)):
            return _Point(match, read, span)
    return None


def _from_to(first: _Point, second: _Point, asked: _Asked) -> _Span | None:
    """From the one to the other; the one that leaves out its year takes it from the other."""
    begin, end = first.span, second.span
    if _yearless(first):
        begin = first.read(first.match, asked._replace(today=end.end - _DAY)) or begin
    elif _yearless(second):
        end = second.read(second.match, asked._replace(today=begin.start + 364 * _DAY)) or end
    return _Span(begin.start, end.end, begin.sure and end.sure) if begin.start < end.end else None


def _yearless(point: _Point) -> bool:
    """Whether the point means the latest one of its name."""
    groups = point.match.groupdict()
    named = groups.get("month") or groups.get("weekday") or groups.get("quarter")
    return bool(named) and not groups.get("year") and not groups.get("which")


def _opened(span: _Span, asked: _Asked) -> _Span:
    """The stretch as its lead opens it to one side."""
    tomorrow = asked.today + _DAY
    to_one_side = {
        "since": span._replace(end=max(tomorrow, span.end)),
        "after": span._replace(start=span.end, end=tomorrow),
        "before": span._replace(start=EVER, end=span.start),
        "until": span._replace(start=EVER),
    }
    return to_one_side.get(_OPEN_LEADS.get(asked.lead, ""), span)


def _period(unit: str, day: date) -> _Span:
    """The week, month, quarter or year that a day is in."""
    if unit in ("week", "woche"):
        monday = day - day.weekday() * _DAY
        return _Span(monday, monday + 7 * _DAY)
    months = {"year": 12, "jahr": 12, "quarter": 3, "quartal": 3}.get(unit, 1)
    first = (day.month - 1) // months * months
    after = day.year * 12 + first + months
    return _Span(date(day.year, first + 1, 1), date(after // 12, after % 12 + 1, 1))


def _part(span: _Span, part: str | None) -> _Span:
    """The early, middle or late part; they overlap, as nobody counts the days."""
    if not part:
        return span
    early, middle = part.startswith(("early", "beg", "start", "anf")), part.startswith("mi")
    begin, end = (0.0, 0.4) if early else (0.3, 0.7) if middle else (0.6, 1.0)
    days = (span.end - span.start).days
    return _Span(span.start + round(days * begin) * _DAY, span.start + round(days * end) * _DAY, span.sure)


def _is_last(which: str | None) -> bool:
    """Whether it is the last one that is meant, not this one."""
    return bool(which) and not str(which).startswith(("this", "current", "diese"))


def _year(text: str, asked: _Asked) -> int:
    """The number of a year, also of "last year"."""
    return int(text) if text.isdigit() else asked.today.year - text.startswith(("last", "letzt"))


def _amount_follows(match: _Match, asked: _Asked) -> bool:
    """Whether the number that ends the match counts something: "2024 items"."""
    word = _NEXT_WORD.match(asked.typed, match.end())
    if not word:
        return False
    return word[1] in _AMOUNTS or (word[1].islower() and word[1].endswith("s") and word[1] not in _NOT_PLURAL)


def _is_verb(match: _Match, asked: _Asked) -> bool:
    """Whether "may" or "march" is the verb: "option 3 may break", "may 5 users join", "this may be"."""
    groups = match.groupdict()
    if groups["month"] not in ("may", "march"):
        return False
    if asked.typed[match.start("month")].isupper():
        return match.start() == 0 and not groups["year"] and _amount_follows(match, asked)
    if groups["year"]:
        return _amount_follows(match, asked)
    led = asked.lead in (_DAY_LEADS if groups.get("day") else _MONTH_LEADS - {"of"})
    return not (led or groups.get("nth") or _CLAUSE_END.match(asked.typed, match.end()))


def _date(match: _Match, asked: _Asked) -> _Span | None:
    """8 May 2023, May 8, 3 to 9 June: of the latest year, where none is said."""
    if _is_verb(match, asked):
        return None
    groups = match.groupdict()
    month, first = _MONTHS[groups["month"]], int(groups["day"])
    last = int(groups.get("last") or first)
    year, tries = (_year(groups["year"], asked), 1) if groups["year"] else (asked.today.year, 9)
    for candidate in range(year, year - tries, -1):
        span = _days(candidate, month, first, last)
        if span and (groups["year"] or span.start <= asked.today):
            return span
    return None


def _days(year: int, month: int, first: int, last: int) -> _Span | None:
    """Days of one month, if it has them in that order."""
    try:
        start, end = date(year, month, first), date(year, month, last)
    except ValueError:
        return None
    return _Span(start, end + _DAY) if start <= end else None


def _numeric_date(match: _Match, asked: _Asked) -> _Span | None:
    """2023-05-08; 2023-05 and 08.05.2023 only after a word that shows it is no id and no version."""
    year, month, day = (int(match[part] or 0) for part in ("year", "month", "day"))
    if "." in match[0] and "-" not in match[0] and asked.lead not in _DAY_LEADS:
        return None
    if day:
        return _days(year, month, day, day)
    in_month = asked.lead in _MONTH_LEADS and 1 <= month <= 12
    return _period("month", date(year, month, 1)) if in_month else None


def _month(match: _Match, asked: _Asked) -> _Span | None:
    """May 2023, early March, last June, and "March" alone where a word before it shows it is a month."""
    name, part, which, said_year = match["month"], match["part"], match["which"], match["year"]
    shown = part or which or said_year or asked.lead in _MONTH_LEADS or name in _PLAIN_MONTHS
    if not shown or _is_verb(match, asked):
        return None
    number, year = _MONTHS[name], asked.today.year
    if said_year:
        year = _year(said_year, asked)
    elif number > asked.today.month or (number == asked.today.month and _is_last(which)):
        year -= 1
    return _part(_period("month", date(year, number, 1)), part)


def _quarter(match: _Match, asked: _Asked) -> _Span | None:
    """Q2 2026, in Q2."""
    if not (match["year"] or asked.lead in _MONTH_LEADS):
        return None
    month = int(match["quarter"]) * 3 - 2
    year = _year(match["year"], asked) if match["year"] else asked.today.year - (month > asked.today.month)
    return _period("quarter", date(year, month, 1))


def _bare_year(match: _Match, asked: _Asked) -> _Span | None:
    """In 2023, "Lisbon, 2023", late 2023; not a number that counts or names something else."""
    before, part = asked.low[: match.start()], match["part"]
    after_comma = re.search(r"[^\W\d_], $", before[-3:]) and _CLAUSE_END.match(asked.low, match.end())
    if not (part or asked.lead in _YEAR_LEADS or (after_comma and not asked.lead)):
        return None
    if match["year"].isdigit() and (_amount_follows(match, asked) or _AMOUNT_BEFORE.search(before[-24:])):
        return None
    return _part(_period("year", date(_year(match["year"], asked), 1, 1)), part)


def _weekday(match: _Match, asked: _Asked) -> _Span | None:
    """The latest one up to today, of last week if it says so. Short names need a lead; "by Friday" is yet to come."""
    name, which = match["weekday"], match["which"]
    short = not name.endswith(("day", "tag", "woch", "abend"))
    if asked.low.endswith("by ", 0, match.start()) or (short and not (which or asked.lead)):
        return None
    if name in ("mon", "sat", "sun") and not _CLAUSE_END.match(asked.low, match.end()):
        return None
    number = _WEEKDAYS[name] - 1
    if match["week"]:
        day = _period("week", asked.today).start + (number - 7 * _is_last(match["week"])) * _DAY
    else:
        back = (asked.today.weekday() - number) % 7
        day = asked.today - (back or 7 * _is_last(which)) * _DAY
    return _Span(day, day + _DAY)


def _calendar(match: _Match, asked: _Asked) -> _Span:
    """This week, last month, the year before last; "earlier this year" ends today and is vague."""
    groups = match.groupdict()
    span = _period(groups["unit"], asked.today)
    if groups.get("earlier"):
        return _Span(span.start, asked.today + _DAY, sure=False)
    which = groups.get("which")
    for _ in range(int(_is_last(which)) if which else 2):
        span = _period(groups["unit"], span.start - _DAY)
    return span


def _weekend(match: _Match, asked: _Asked) -> _Span | None:
    """This week's or last week's Saturday and Sunday; without either word, the latest that has begun."""
    if not (match["which"] or asked.lead):
        return None
    saturday = _period("week", asked.today).start + 5 * _DAY
    if _is_last(match["which"]) or (not match["which"] and saturday > asked.today):
        saturday -= 7 * _DAY
    return _Span(saturday, saturday + 2 * _DAY)


def _distance(match: _Match) -> tuple[int, bool]:
    """How many days "six weeks" are, and whether it is a number that was counted."""
    number = match.groupdict().get("number") or "one"
    count = int(number) if number.isdigit() else _NUMBERS.get(number, 0.5)
    return min(ceil(count * _UNIT_DAYS[_UNITS[match["unit"]] - 1] - 0.5), _MOST_DAYS), number not in _LOOSE_NUMBERS


def _ago(match: _Match, asked: _Asked) -> _Span:
    """Days around "six weeks ago": a quarter of the distance to each side, half of it for "a few"."""
    days, counted = _distance(match)
    slack = max(1, ceil(days * (0.25 if counted else 0.5))) * _DAY
    middle = asked.today - days * _DAY
    return _Span(middle - slack, min(middle + slack, asked.today) + _DAY, counted)


def _up_to_now(match: _Match, asked: _Asked) -> _Span:
    """The last three days, in the past week: so many days back, and today."""
    days, counted = _distance(match)
    return _Span(asked.today - days * _DAY, asked.today + _DAY, counted)


def _back(first: int, last: int, *, sure: bool = True) -> _Reader:
    """A rule for days that lie between so many and so many days ago."""
    return lambda _, asked: _Span(asked.today - first * _DAY, asked.today - (last - 1) * _DAY, sure)


_CALENDAR: Final = r"(?P<unit>week|month|quarter|year|woche|monat|quartal|jahr)(?:e?s)?"
_RULES: Final[list[tuple[re.Pattern[str], _Reader]]] = [
    (re.compile(rf"(?:{pattern}){_TAIL}"), read)
    for pattern, read in [
        *((words, _back(first, last, sure=False)) for words, (first, last) in _VAGUE.items()),
        (rf"{_NUMBER} {_UNIT}(?: or (?:so|two|three))? (?:ago|back)", _ago),
        (rf"vor {_NUMBER} {_UNIT}", _ago),
        (rf"(?:the )?{_BACK} {_NUMBER} {_UNIT}", _up_to_now),
        (rf"(?:(?:in|over|during|within|for) the last|past) {_UNIT}", _up_to_now),
        (r"(?:the )?day before yesterday|vorgestern", _back(2, 2)),
        (r"yesterday|gestern", _back(1, 1)),
        # The night, wherever on the globe the evening was.
        (r"last night|letzte nacht", _back(1, 0)),
        (r"today|tonight|this (?:morning|afternoon|evening)|heute", _back(0, 0)),
        (rf"{_PART}{_SOME_YEAR}", _bare_year),
        (rf"(?P<earlier>(?:earlier|früher) (?:in )?)?{_WHICH} {_CALENDAR}", _calendar),
        (rf"(?:the )?{_CALENDAR} before last", _calendar),
        (rf"(?:{_WHICH} )?(?:weekend|wochenende)", _weekend),
        (rf"(?P<year>{_FOUR_DIGITS})-(?P<month>[0-9]{{2}})(?:-(?P<day>[0-9]{{2}})(?:t[0-9:.]+z?)?)?", _numeric_date),
        (rf"(?P<day>[0-9]{{1,2}})\.(?P<month>[0-9]{{1,2}})\.(?P<year>{_FOUR_DIGITS})", _numeric_date),
        (rf"{_ANY_WEEKDAY}{_DAY_OF_MONTH}{_TO_DAY}{_ANY_NTH} (?:of )?{_MONTH}{_YEAR}", _date),
        (rf"{_ANY_WEEKDAY}{_DAY_OF_MONTH} (?:of )?{_MONTH}{_YEAR}", _date),
        (rf"{_ANY_WEEKDAY}{_MONTH} (?:the )?{_DAY_OF_MONTH}{_TO_DAY}{_ANY_NTH}{_TAIL}{_YEAR}", _date),
        (rf"{_ANY_WEEKDAY}{_MONTH} (?:the )?{_DAY_OF_MONTH}{_TAIL}{_YEAR}", _date),
        (rf"(?:{_PART}|{_WHICH} )?{_MONTH}{_YEAR}", _month),
        (rf"q(?P<quarter>[1-4]){_YEAR}", _quarter),
        (rf"(?P<part>(?!))?(?P<year>{_FOUR_DIGITS})", _bare_year),
        (rf"(?:{_WHICH} )?{_WEEKDAY}(?: (?:of )?(?P<week>last|this) week)?", _weekday),
    ]
]
