"""Entries with their evidence, checkpoints with the scribe's watermark, and records."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple

import msgspec

from steno.language.alike import RULINGS, keys
from steno.store.answered import Answered
from steno.store.database import Database, Row, Tables
from steno.store.journal import journal_turn, record_key
from steno.store.remembered import digest, remembered_id, remembered_row
from steno.vocabulary import Candidate, Checkpoint, Entry, Evidence, JournalTurn, Origin, Window
from steno.vocabulary.acts import STENO, Who
from steno.vocabulary.details import Afterwards, AnyDetail, Call, detail_of
from steno.vocabulary.entries import Compared, EntryStatus, Pending
from steno.vocabulary.errors import Overtaken, UnknownEntry
from steno.vocabulary.works import CLOSED

_PORTION = 500
# Of more entries that share a key only the newest are looked at: older ones were held against those.
_NEWEST = 256
# Of more tasks and promises nobody has all in mind.
_PENDING = 100
_AS_IS = ("category", "status", "certainty", "confidence", "summary", "cue")
_AS_JSON = ("detail", "tags", "subject")
_COLUMNS = (
    "id category status certainty confidence summary detail origin tags domain subject session project agent created_at"
    " superseded_by repeated repeated_at cue"
).split()
_loads = msgspec.json.Decoder().decode


class Unread(NamedTuple):
    """A session the scribe has not read to its end."""

    id: int
    source: str
    session: str
    kind: str
    project: str | None
    agent: str | None
    branch: str | None
    directory: str | None
    # Number of the last turn it has read.
    mark: int


class Entries(Tables):
    """What was learnt from the journal, and what people told us."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._set_aside = Answered(database)
        # Who tells us what is recorded now, and whether they may: it raises where they may not.
        self.who: Callable[[], Who] = lambda: STENO
        self.may: Callable[[str, str, dict[str, Any]], None] = lambda act, entry, value: None

    # -- for the scribe ----------------------------------------------------------------------------------------------

    def make_keys(self) -> None:
        """Give entries their keys that were made before there were any."""
        if self._database.rows("get_meta", {"name": "without_keys"}):
            with self._database.write():
                self._put_keys(*(row[0] for row in self._database.rows("entry_ids")))
                self._database.rows("drop_meta", {"name": "without_keys"})

    def extent(self) -> Row:
        """The journal's last turn, how often a session was to be read again, up to which turn everything was read."""
        return self._database.rows("journal_read")[0]

    def note_read(self, extent: Row) -> None:
        """All of it was read, unless a session is to be read again since."""
        turn, begun_again, before = extent
        if turn != before:
            with self._database.write():
                if self.extent()[1] == begun_again:
                    self._database.rows("set_meta", {"name": "read_up_to", "value": turn})

    def unread(self, session_id: int | None = None) -> list[Unread]:
        """Sessions with turns the scribe has not read."""
        return [Unread(*row) for row in self._database.rows("unread_sessions", {"session_id": session_id})]

    def window(self, session: Unread, *, said: int, done: int) -> Window:
        """What the scribe sees before the first unread turn."""
        values = {"session_id": session.id, "mark": session.mark}
        before = self._database.rows("said_before", {**values, "most": said})
        acts = self._database.rows("done_before", {**values, "most": done})
        return Window(tuple(map(journal_turn, before[::-1])), tuple(map(journal_turn, acts[::-1])))

    def said_between(self, session_id: int, after: int, before: int) -> list[JournalTurn]:
        """What was said in a session between two turns, in order; of very much the latest."""
        rows = self._database.rows("said_between", {"session_id": session_id, "after": after, "before": before})
        return list(map(journal_turn, rows[::-1]))

    def unread_turns(self, session: Unread) -> Iterator[list[JournalTurn]]:
        for rows in self._portions("turns_of_session", _PORTION, after=session.mark, session_id=session.id):
            yield list(map(journal_turn, rows))

    def checkpoint(self, session_id: int) -> Checkpoint | None:
        """Where a session's work stands."""
        rows = self._database.rows("get_checkpoint", {"session_id": session_id})
        return msgspec.json.decode(rows[0][1], type=Checkpoint) if rows else None

    def epoch(self) -> int:
        """Goes up whenever something is forgotten or dropped: what was read before must not be written after."""
        return int(self._database.rows("epoch")[0][0])

    def put_checkpoint(
        self, session: Unread, mark: int, checkpoint: Checkpoint, *, work: str | None, turns: int, spoken: int
    ) -> None:
        """Move the scribe's watermark, inside the transaction that holds what was found in so many turns."""
        values = {"session_id": session.id, "turn_id": checkpoint.turn, "mark": mark, "work": work}
        values |= {"turns": turns, "spoken": spoken, "value": msgspec.json.encode(checkpoint).decode()}
        if not self._database.rows("put_checkpoint", values):
            raise Overtaken("another scribe has read this session further")

    def like(self, new: Compared, *, project: str | None, session_id: int | None) -> list[Compared]:
        """Entries that may say the same as a new one or the opposite, the oldest first: of its project, its session, or
        of no project in particular."""
        values: dict[str, Any] = {"keys": json.dumps(keys(new)), "newest": _NEWEST}
        values |= {"categories": json.dumps(sorted(RULINGS if new.category in RULINGS else {new.category}))}
        values |= {"session_id": session_id, "project": project, "id": new.id}
        rows = self._database.rows("like_entries", values)
        return [_known(row[:-1], is_near=bool(row[-1])) for row in rows if row[0] != new.id]

    def known(self, id_: str) -> Compared:
        """An entry as new ones are compared with it."""
        return _known(self._database.rows("said_in_entries", {"ids": json.dumps([id_])})[0])

    def told(self) -> list[tuple[str, str | None]]:
        """What people told us to remember, in order: id and project."""
        return [(row[0], row[1]) for row in self._database.rows("told_entries")]

    def counts(self, session_id: int) -> dict[str, int]:
        """How many entries of each category a session has."""
        return {row[0]: row[1] for row in self._database.rows("count_of_session", {"session_id": session_id})}

    def put(
        self, candidate: Candidate, origin: Origin, created_at: str | None, *, session: Unread, work: str | None
    ) -> str | None:
        """Keep a candidate as an entry, made in a piece of work; its id, or None if it is there already."""
        entry = self.id_of(candidate)
        values = {name: getattr(candidate, name) for name in _AS_IS}
        values |= {name: msgspec.json.encode(getattr(candidate, name)).decode() for name in _AS_JSON}
        values |= {"id": entry, "origin": origin, "created_at": created_at, "domain": candidate.domain}
        values |= {"session_id": session.id, "project": session.project, "agent": session.agent, "work": work}
        if not self._database.rows("put_entry", values):
            return None
        rows = [(entry, place, quote.turn, quote.quote) for place, quote in enumerate(candidate.evidence)]
        self._database.many("put_evidence", rows)
        self._put_keys(entry)
        self._set_aside.drop([entry])
        return entry

    def id_of(self, candidate: Candidate) -> str:
        """An id made of the category and the first quote: the same after a rebuild, and in another store."""
        first = candidate.evidence[0]
        rows = self._database.rows("key_of_turn", {"id": first.turn})
        if not rows:
            raise Overtaken("a turn was forgotten while it was read")
        key = rows[0][0]
        return digest(candidate.category, key.hex(), first.quote)

    def has(self, candidate: Candidate, work: str | None) -> bool:
        """Whether this very candidate was kept before: the session is being read again. Its work may be new."""
        id_ = self.id_of(candidate)
        found = bool(self._database.rows("has_entry", {"id": id_}))
        if found:
            self._database.rows("set_work", {"id": id_, "work": work})
        return found

    def repeat(self, entry: str, at: str | None) -> int:
        """It was said again; how often by now."""
        return int(self._database.rows("repeat_entry", {"id": entry, "at": at})[0][0])

    def supersede(self, entry: str, by: str) -> None:
        """A newer one takes its place."""
        self._database.rows("supersede_entry", {"id": entry, "by": by})

    def set_status(self, entry: str, status: EntryStatus) -> None:
        """Where it stands now."""
        self._database.rows("set_status", {"id": entry, "status": status})

    def set_detail(self, entry: str, detail: AnyDetail) -> None:
        """What is known beside its sentence."""
        self._database.rows("set_detail", {"id": entry, "detail": msgspec.json.encode(detail).decode()})

    def pending(self, session: Unread) -> list[Pending]:
        """Tasks and promises of a session and its project that a turn may end."""
        values = {"session_id": session.id, "project": session.project, "most": _PENDING}
        return [Pending(*row) for row in self._database.rows("pending_entries", values)]

    def last_of(self, session_id: int, category: str) -> str | None:
        """What an agent said last of a category in a session, if it holds."""
        return self._first(str, "last_of_agent", {"session_id": session_id, "category": category})

    def reopen(self, entry: str) -> None:
        """A task that was done is asked for again."""
        self._database.rows("reopen_task", {"id": entry})

    def refused_calls(self, session_id: int) -> list[tuple[str, int, Call]]:
        """Refusals of a session that stand beside a call: the entry, the turn it was said in, the call."""
        rows = self._database.rows("refused_calls", {"session": session_id})
        return [(entry, turn, msgspec.json.decode(call, type=Call)) for entry, turn, call in rows]

    def refused_at(self, turn: int) -> list[str]:
        """Refusals a person said in a turn, of which nothing is known to have come."""
        return [row[0] for row in self._database.rows("refused_at", {"turn": turn})]

    def set_afterwards(self, entry: str, afterwards: Afterwards) -> None:
        """What came of a refused call."""
        self._database.rows("set_afterwards", {"id": entry, "afterwards": afterwards})

    # -- for the front desk ------------------------------------------------------------------------------------------

    def all(
        self, *, category: str | None = None, status: str | None = None, session_id: int | None = None,
        project: str | None = None, domain: str | None = None, id_: str | None = None,
    ) -> list[Entry]:  # fmt: skip
        """Entries with their evidence, the oldest first."""
        values = {"category": category, "status": status, "session_id": session_id, "project": project, "id": id_}
        values["domain"] = domain
        return self.with_evidence(self._database.rows("entries", values))

    def some(self, ids: Iterable[str]) -> list[Entry]:
        """The entries with these ids, the oldest first."""
        return self.with_evidence(self._database.rows("entries_by_id", {"ids": json.dumps(list(ids))}))

    def in_order(self, ids: Iterable[str]) -> list[Entry]:
        """The entries with these ids, in the order they are named."""
        wanted = list(ids)
        found = {entry.id: entry for entry in self.some(wanted)}
        return [found[id_] for id_ in wanted if id_ in found]

    def with_evidence(self, rows: list[Row]) -> list[Entry]:
        """Rows of entries as values."""
        evidence: dict[str, list[Evidence]] = {}
        quotes = self._database.rows("evidence_of", {"ids": json.dumps([row[0] for row in rows])})
        for entry, session, turn, line, role, quote, at in quotes:
            one = Evidence(session=session, turn=turn, line=line, role=role, quote=quote, at=at)
            evidence.setdefault(entry, []).append(one)
        return [_entry(row, evidence.get(row[0], [])) for row in rows]

    def bare(self, rows: list[Row]) -> list[Entry]:
        """The same without their evidence."""
        return [_entry(row, []) for row in rows]

    def one(self, id_: str) -> Entry:
        """The entry with this id, or the only one whose id begins so."""
        found = self.all(id_=id_) if id_ else []
        if len(found) != 1:
            problem = f"several entries begin with {id_!r}" if found else f"no entry {id_!r}"
            raise UnknownEntry(problem, hint="`steno entries` lists them")
        return found[0]

    def count(self) -> int:
        """How many entries there are."""
        return int(self._database.rows("count_entries")[0][0])

    def by_session(self) -> dict[tuple[str, str], int]:
        """How many entries each session has, by source and session."""
        return {(row[0], row[1]): row[2] for row in self._database.rows("entries_by_session")}

    # -- what people tell us -----------------------------------------------------------------------------------------

    def remember(
        self, summary: str, category: str, *, project: str | None, agent: str | None, now: str,
        origin: Literal["edit", "assistant", "agent", "file"] = "edit", topic: str | None = None,
        domain: str | None = None,
    ) -> str:  # fmt: skip
        """A person's own record becomes an entry; or an agent's, or that of a file, which stays theirs."""
        value = {"summary": summary, "category": category, "project": project, "agent": agent}
        value |= {"origin": origin} if origin != "edit" else {}
        value |= {name: told for name, told in (("topic", topic), ("domain", domain)) if told is not None}
        return self._told("remember", remembered_id(origin, category, project, agent, summary), value, now)

    def revise(self, entry: str, value: dict[str, str | None], now: str) -> str:
        """A person's words replace the scribe's; the record keeps both."""
        was = self.one(entry)
        both = {**value, "was": was.summary} if value.get("summary") else value
        return self._told("revise", was.id, both, now)

    def archive(self, entry: str, now: str) -> str:
        """A person lays an entry aside."""
        return self._told("archive", self.one(entry).id, {}, now)

    def _told(self, act: str, entry: str, value: dict[str, Any], now: str) -> str:
        """Keep a record of what a person said, and do it."""
        self.may(act, entry, value)
        with self._database.write():
            self._put_record(now, act, entry, json.dumps(value, ensure_ascii=False))
            self._apply(now, act, entry, value)
        return entry

    def tell(self, act: str, name: str, value: dict[str, Any], now: str) -> None:
        """Keep a record about a review, a rule, a flow or an outcome; whoever folds them finds it."""
        self._told(act, name, value, now)

    def records(self, about: Iterable[str] | None = None) -> list[tuple[str, str, str, str]]:
        """Everything people told us, or what is about some entries: when, what they did, to which entry, and their
        words as JSON."""
        if about is None:
            rows = self._database.rows("records")
        else:
            rows = self._database.rows("records_about", {"ids": json.dumps(list(about))})
        return [(row[0], row[1], row[2], row[3]) for row in rows]

    def put_record(self, at: str, act: str, entry: str, value: str) -> bool:
        """A record from an export of this home; whether it is new."""
        values = {"at": at, "act": act, "entry": entry, "value": value, "key": record_key(act, entry, value)}
        if self._database.rows("has_record", values):
            return False
        with self._database.write():
            self._put_record(at, act, entry, value)
            self._apply(at, act, entry, json.loads(value))
        return True

    def _put_record(self, at: str, act: str, entry: str, value: str) -> None:
        who = msgspec.json.encode(self.who()).decode()
        self._database.rows("put_record", {"at": at, "act": act, "entry": entry, "value": value, "who": who})

    def hear(self, at: str, entry: str, told: dict[str, str | None]) -> bool:
        """What people told another home: kept as hearsay, under an id of its own; whether it is new."""
        value = {**told, "origin": "file"}
        own = digest("heard", told["category"] or "", told["project"] or "", told["summary"] or "")
        if self._database.rows("has_entry", {"id": entry}) or self._database.rows("has_entry", {"id": own}):
            return False
        return self.put_record(at, "remember", own, json.dumps(value, ensure_ascii=False))

    def clear(self, *, if_outdated: bool = False, clean: Callable[[str], str] | None = None) -> None:
        """Drop everything derived; the records stay and are applied again by `apply_records`. What they are about is
        set aside, without secrets where `clean` takes them out: a newer scribe may not make it again."""
        with self._database.write():
            if if_outdated and not self._is("outdated"):
                return
            self._set_aside.keep(clean=clean)
            for query in ("clear_reviews", "clear_entries", "clear_works", "clear_checkpoints"):
                self._database.rows(query)
            self._database.rows("drop_meta", {"name": "outdated"})
            self._database.rows("set_meta", {"name": "rebuilding", "value": 1})
            self._database.rows("count_rebuild")

    def outdate(self) -> None:
        """What is kept was written by a scribe that was deaf or older: it holds until it can be learnt anew."""
        self._database.rows("set_meta", {"name": "outdated", "value": 1})

    def is_outdated(self) -> bool:
        """Whether everything is to be learnt anew, by a scribe that hears."""
        return self._is("outdated")

    def is_rebuilding(self) -> bool:
        """Whether a rebuild has begun whose end (the records) is still to come."""
        return self._is("rebuilding")

    def _is(self, fact: str) -> bool:
        return bool(self._database.rows("get_meta", {"name": fact}))

    def put_answered(self, turn: int) -> bool:
        """What people answered about is there again, also what nobody made; not before all is read up to a turn."""
        with self._database.write():
            if is_read := not self._database.rows("is_unread", {"turn": turn}):
                self._set_aside.put(self.make_keys_of)
        return is_read

    def apply_records(self, turn: int) -> None:
        """The end of a rebuild, if all is still read up to a turn: do again what people told us, in order."""
        with self._database.write():
            if self._database.rows("is_unread", {"turn": turn}):
                return
            self._database.rows("drop_meta", {"name": "rebuilding"})
            for at, act, entry, value in self.records():
                self._apply(at, act, entry, json.loads(value))
            # What happened after an answer holds as well.
            self._set_aside.put(self.make_keys_of)
            self._set_aside.clear()
            self._database.rows("archive_unsure")
            self._database.rows("prune_again")

    def _apply(self, at: str, act: str, entry: str, value: dict[str, Any]) -> None:
        match act:
            case "remember":
                if not self._database.rows("put_entry", remembered_row(entry, value, at)):
                    self._database.rows("set_status", {"id": entry, "status": "active"})
                self._put_keys(entry)
                self.move(entry, value.get("topic"))
            case "revise":
                self._revise(entry, **{name: value.get(name) for name in ("summary", "category", "status", "detail")})
                self.move(entry, value.get("topic"))
            case "archive":
                self._database.rows("set_status", {"id": entry, "status": "archived"})
            case "share":
                self._share(at, entry, value)
            case "work":
                self._database.rows("end_work", {"id": entry, "status": value["status"], "at": at})
                self._database.rows("close_tasks", {"work": entry, "status": CLOSED[value["status"]]})
                self._database.rows("close_noes", {"work": entry})
            case "review":
                for one in (entry, *value.get("also", ())):
                    self._answered(one, value)
            case "outcome":
                if value.get("repeats"):
                    self._database.rows("repeat_entry", {"id": value["repeats"], "at": at})
                if value.get("state"):
                    self._put_state(value, at)

    def _put_state(self, outcome: dict[str, Any], at: str) -> None:
        """What an agent did last: one entry for much the same, however often it is done."""
        id_, detail = outcome["state"], json.dumps({"passed": outcome["passed"]})
        told = {**outcome, "category": "agent_state", "origin": "assistant"}
        if not self._database.rows("put_entry", {**remembered_row(id_, told, at), "detail": detail, "tags": "[]"}):
            self._database.rows("update_state", {"id": id_, "summary": outcome["summary"], "detail": detail})
            self._database.rows("repeat_entry", {"id": id_, "at": at})
        self.make_keys_of(id_)

    def _put_keys(self, *ids: str) -> None:
        """By which entries are found when a candidate may be like them."""
        for row in self._database.rows("said_in_entries", {"ids": json.dumps(ids)}):
            known = _known(row)
            self._database.many("put_entry_key", [(one, known.id) for one in keys(known)])

    def archive_done(self, before: str) -> None:
        """Lay aside what was done before a time."""
        if found := self._database.rows("done_long_ago", {"before": before}):
            with self._database.write():
                for (id_,) in found:
                    self._database.rows("archive_done", {"id": id_})

    def make_keys_of(self, entry: str) -> None:
        """It says something else now."""
        self._database.rows("drop_entry_keys", {"id": entry})
        self._put_keys(entry)

    def move(self, entry: str, topic: str | None) -> None:
        """It stands on a topic."""
        if topic is not None:
            self._database.rows("set_topic", {"entry": entry, "topic": topic})

    def _share(self, at: str, entry: str, value: dict[str, Any]) -> None:
        """A person lets others see it, or no more."""
        whom = {"entry": entry, "project": value["project"], "agent": value["agent"]}
        if value.get("taken_back"):
            self._database.rows("drop_share", whom)
        else:
            self._database.rows("put_share", {**whom, "at": at})

    def _revise(self, entry: str, **said: str | None) -> None:
        values = {"summary": None, "category": None, "status": None, "reach": None, "detail": None, **said}
        self._database.rows("revise_entry", {"id": entry, **values})
        self.make_keys_of(entry)

    def _answered(self, entry: str, value: dict[str, Any]) -> None:
        match value["keep"]:
            case "drop":
                self._database.rows("set_status", {"id": entry, "status": "archived"})
            case "wait":  # so it stood in older versions
                self._database.rows("set_status", {"id": entry, "status": "active"})
            case "reword":
                self._revise(entry, summary=value.get("summary"), status="active", reach="standing")
            case "keep" | "work" as answer:
                # The words stay the person's own, and now they are sure.
                reach = "work" if answer == "work" else "standing"
                self._database.rows("confirm_entry", {"id": entry, "reach": reach})
            case keep:
                self._settle(entry, value["other"], keep, value.get("reason", ""))

    def _settle(self, one: str, other: str, keep: str, reason: str) -> None:
        self._database.rows("answer_review", {"one": one, "other": other, "answer": keep, "reason": reason})
        held = {"one": [one], "other": [other]}.get(keep, [one, other])
        for id_ in held:
            self._database.rows("confirm_settled", {"id": id_})
        for id_ in {one, other} - {*held}:
            self._database.rows("supersede_entry", {"id": id_, "by": held[0]})


def _known(row: Row, *, is_near: bool = True) -> Compared:
    id_, category, status, certainty, origin, at, summary, detail, quote = row
    return Compared(
        id=id_,
        category=category,
        status=status,
        certainty=certainty,
        origin=origin,
        at=at,
        detail=detail_of(category, _loads(detail)),
        words=summary if origin == "edit" or not quote else quote,
        is_near=is_near,
    )


def _entry(row: Row, evidence: list[Evidence]) -> Entry:
    values = dict(zip(_COLUMNS, row, strict=True))
    values |= {name: _loads(values[name]) for name in _AS_JSON}
    values |= {"detail": detail_of(values["category"], values["detail"]), "session": values["session"] or ""}
    return Entry(**values, evidence=evidence)
