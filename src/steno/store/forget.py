"""Erasing turns so that no byte of them is left, and rewriting them when new patterns find a secret."""

import json
import re
from collections.abc import Callable
from typing import Any

from steno.store.answered import Answered
from steno.store.database import Database, Row, Tables
from steno.store.journal import fact_key, record_key
from steno.vocabulary import Forgotten, JournalTurn, Session, Turn

# What takes a text out of tables that hold words as they are, and of those that hold them inside JSON, too.
_HOLD_WORDS = (
    *("scrub_sessions", "scrub_entry_facts", "scrub_works", "scrub_uses_with"),
    *("scrub_accesses_with", "scrub_integrations_with", "scrub_calls_with", "scrub_agents_with"),
    *("erase_messages_with", "erase_reads_with", "erase_flags_with", "erase_capabilities_with", "scrub_wakes_with"),
    *("scrub_notebooks_with", "erase_findings_with", "erase_fitness_with", "scrub_shares_with", "scrub_followed_with"),
    *("scrub_due_with", "scrub_held_with"),
)
_HOLD_JSON = (
    *("scrub_transcripts", "scrub_agent_facts_with", "erase_readings_with", "erase_checkpoints_with"),
    *("erase_works_with", "erase_bridges_with", "erase_watched_with", "erase_acts_with"),
    *("forget_because_with", "scrub_receipts_with"),
)
_TEXT_FACTS = ("parent", "agent", "directory", "project", "branch", "model")
# Where else words are kept: what lists them, what replaces them, and their columns.
_ELSEWHERE = (
    ("all_records", "rewrite_record", ("value",)),
    ("transcript_names", "rewrite_transcript_name", ("name",)),
    ("receipt_names", "rewrite_receipt", ("agent", "session", "items", "because", "tool", "call")),
    ("call_names", "rewrite_call", ("model", "agent", "problem")),
    ("use_names", "rewrite_use", ("session", "target")),
    ("agent_names", "rewrite_agent", ("name", "value")),
    ("message_words", "rewrite_message", ("sender", "recipient", "text")),
    ("capability_words", "rewrite_capability", ("name", "command", "about", "owner", "project", "health", "said")),
    ("wake_words", "rewrite_wake", ("agent", "said")),
    ("flag_words", "rewrite_flag", ("raised_by", "text")),
    ("reading_words", "rewrite_reading", ("answer", "note")),
    ("bridge_words", "rewrite_bridge", ("input", "value")),
    ("watched_words", "rewrite_watched", ("path", "files")),
    ("finding_words", "rewrite_finding", ("what", "mend")),
    ("fitness_names", "rewrite_fitness", ("agent",)),
    ("act_words", "rewrite_act", ("words", "given", "ends", "who")),
    ("held_words", "rewrite_held", ("found", "ours", "theirs", "diff", "reason", "call")),
)


class Eraser(Tables):
    """The only part that removes or changes content of a turn."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._answered = Answered(database)

    def of_session(self, session_id: int) -> list[int]:
        return self._pick("pick_session", session_id=session_id)

    def of_turn(self, turn: int) -> list[int]:
        """One turn, if it is there."""
        return self._pick("pick_turn", id=turn)

    def of_time(self, since: str, until: str) -> list[int]:
        """Turns of a stretch of time."""
        return self._pick("pick_time", since=since, until=until)

    def of_text(self, text: str) -> list[int]:
        """Turns that hold a text anywhere, also as it stands inside JSON."""
        return self._pick("pick_text", text=text, escaped=_escaped(text), in_ids=_in_ids(text))

    def forget(self, turns: list[int], *, now: str) -> Forgotten:
        """Erase turns, leaving tombstones."""
        with self._database.write():
            gone = self._erase(turns, [], now)
        self.erase_traces()
        return Forgotten(turns=len(turns), sessions=gone)

    def forget_text(self, text: str, *, secret: bytes, now: str) -> Forgotten:
        """Erase every turn that holds a text, and the text from everything else that is kept."""
        database, turns = self._database, self.of_text(text)
        with database.write():
            called = [row[0] for row in database.rows("sessions_called", {"in_ids": _in_ids(text)})]
            gone = self._erase(turns, called, now)
            facts = {
                fact for row in database.rows("facts_with", {"text": text}) for fact in row if text in (fact or "")
            }
            database.many("bury_fact", ((fact_key(fact, secret), now) for fact in facts))
            self._scrub(text)
        self.erase_traces()
        return Forgotten(turns=len(turns), sessions=gone)

    def erase_traces(self) -> None:
        """Make sure that what was erased is in no file any more; also what an earlier run could not reach."""
        self._database.erase_traces()

    def _scrub(self, text: str) -> None:
        """Take a text out of everything that is not a turn."""
        forms = {"text": text, "escaped": _escaped(text), "ascii": json.dumps(text)[1:-1]}
        with_text = [row[0] for row in self._database.rows("entries_with", forms)]
        self._erase_entries(with_text)
        self._answered.drop(with_text)
        self._bury_records(self._database.rows("erase_records_with", forms))
        for query in _HOLD_JSON:
            self._database.rows(query, forms)
        for query in _HOLD_WORDS:
            self._database.rows(query, {"text": text})
        self._drop_folded()

    def _drop_folded(self) -> None:
        """Rules, flows and pages hold words, too; they are made again from what is left. So do reports of upkeep."""
        for query in ("clear_rules", "clear_flows", "count_flows_version", "clear_pages", "clear_run_words"):
            self._database.rows(query)
        self._database.rows("drop_meta", {"name": "rules_folded"})

    def _bury_records(self, records: list[Row]) -> None:
        """What people told us is forgotten too, and an older export must not bring it back."""
        keys = [(record_key(act, entry, value),) for act, entry, value in records]
        self._database.many("bury_record", keys)

    def _erase_entries(self, entries: list[str]) -> None:
        self._database.rows("erase_entries", {"ids": json.dumps(entries)})

    def _drop_derived(self, turns: list[int], sessions: list[int]) -> None:
        """What was learnt from some turns, and beside them, is learnt anew without them: entries supersede and repeat
        each other across the sessions of a project. Answers to what is learnt anew stay."""
        database = self._database
        gone = [row[0] for row in database.rows("entries_on_turns", {"ids": json.dumps(turns)})]
        self._bury_records(database.rows("erase_records_of", {"ids": json.dumps(gone)}))
        self._erase_entries(gone)
        self._answered.drop(gone)
        near = {
            "sessions": json.dumps([row[0] for row in database.rows("neighbours", {"sessions": json.dumps(sessions)})])
        }
        beside = [row[0] for row in database.rows("entries_of_sessions", near)]
        self._answered.keep(beside)
        self._erase_entries(beside)
        database.rows("erase_checkpoints", near)
        database.rows("erase_works", near)
        self._drop_folded()
        database.rows("set_meta", {"name": "rebuilding", "value": 1})

    def _erase(self, turns: list[int], sessions: list[int], now: str) -> int:
        """Erase turns, and these sessions and their own if nothing is left of them; how many sessions went."""
        database = self._database
        sessions += [row[0] for row in database.rows("sessions_of_turns", {"ids": json.dumps(turns)})]
        self._drop_derived(turns, sessions)
        database.rows("count_erasure")
        database.rows("erase_readings_from", {"ids": json.dumps(turns)})
        for turn in turns:
            database.rows("scrub_prompt", {"id": turn})
            database.rows("scrub_held_by", {"id": turn})
            database.rows("bury", {"id": turn, "now": now})
            database.rows("erase", {"id": turn})
        gone = database.rows("erase_empty_sessions", {"ids": json.dumps(sessions)})
        for source, session in gone:
            database.rows("scrub_session_name", {"source": source, "session": session})
            for query in ("scrub_uses", "scrub_receipts", "erase_asked_in", "scrub_done_in"):
                database.rows(query, {"session": session})
        return len(gone)

    def rewrite(self, changed: list[tuple[JournalTurn, Turn]], redacted: dict[str, int]) -> None:
        """Replace the text of turns in which something was redacted just now."""
        database = self._database
        with database.write():
            database.rows("count_erasure")
            self._drop_folded()
            for old, new in changed:
                values = {"text": new.text, "tool": new.tool, "call": new.call, "native_id": new.native_id}
                database.rows("rewrite_turn", {"id": old.id, **values})
            for kind, pieces in redacted.items():
                database.rows("add_redaction", {"kind": kind, "pieces": pieces})
        database.erase_traces()

    def rewrite_sessions(self, changed: list[tuple[Session, Session]]) -> None:
        """The same for facts of sessions."""
        if not changed:
            return
        with self._database.write():
            for old, new in changed:
                facts = {name: getattr(new, name) for name in _TEXT_FACTS}
                values = {"source": old.source, "old": old.session, "new": new.session}
                self._database.rows("rewrite_session", values | facts)
        self._database.erase_traces()

    def rewrite_rest(self, clean: Callable[[str], str]) -> int:
        """The same for what people told us, names of files and agents, receipts, uses and what parsers remember; how
        many changed."""
        database = self._database
        with database.write():
            changed = self._rewrite(_ELSEWHERE, clean)
            for id_, text in database.rows("states"):
                if clean(text) != text:
                    database.rows("read_again", {"id": id_})
                    changed += 1
        database.erase_traces()
        return changed

    def tombstones(self) -> list[tuple[bytes, str]]:
        """Keys of what was forgotten, with the time."""
        return [(row[0], row[1]) for row in self._database.rows("tombstones")]

    def put_tombstone(self, key: bytes, forgotten_at: str) -> bool:
        """A tombstone from an export; whether it is new."""
        return bool(self._change("put_tombstone", {"key": key, "forgotten_at": forgotten_at}))

    def _pick(self, query: str, **values: Any) -> list[int]:
        return [row[0] for row in self._database.rows(query, values)]


def _in_ids(text: str) -> str | None:
    """The text, if it is worth looking for in ids; a few hex digits are in every other one and were said by nobody."""
    return None if re.fullmatch(r"[0-9a-f-]{1,31}", text) else text


def _escaped(text: str) -> str:
    """The text as it stands inside a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
