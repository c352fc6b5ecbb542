"""Only people rule: who asks, on what evidence; what an agent asks for waits until a person says yes.

The same judgement serves every door. `docs/security.md` says who may do what, and what nothing here can stop.
"""

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import structs

from steno.clock import before
from steno.home import Home
from steno.language.shell import parts
from steno.language.tool_call import read
from steno.language.words import squeeze
from steno.sources import source_named
from steno.surroundings import Surroundings, bare, surroundings
from steno.vocabulary import Entry
from steno.vocabulary.acts import Act, Door, Who
from steno.vocabulary.errors import AlreadyDone, StenoError, WaitsForPerson

# A call that began earlier and never had a result was cut off.
_OPEN: Final = timedelta(hours=1)
_ENDED: Final = timedelta(seconds=5)
# For so long a person's yes is good for what follows.
_ALLOWED: Final = timedelta(hours=24)
_WAITS: Final = "This waits for a person"
# What may be an id, or the beginning of one.
_ID: Final = re.compile(r"[0-9a-f]{1,12}")
# Where hosts note when somebody typed something into their prompt: the field, and milliseconds in its unit.
_HISTORIES: Final = {"claude-code": ("timestamp", 1), "codex": ("ts", 1000)}
_MOST_HISTORY, _MOST_LINES = 1 << 16, 20
_TYPED_MS: Final = 10_000
# Claude Code writes a call into its transcript up to 85 ms after the command began.
_WRITTEN_SECONDS: Final = 0.2
# What stands for a verb at the top of the command line.
_ALSO: Final = {"stop": ("down",), "pause": ("resume",)}
# What outcomes show of rules is told by whoever grades them.
_BY_OUTCOME: Final = (("rule", "reinforce"), ("rule", "violate"))
# What is longer nobody reads before they say yes: it is held, and asked of nobody.
_LONGEST_ASKED: Final = 10_000
_LONGEST: Final = 400
_MOST_ENDED: Final = 20


class Authority:
    """Judges who asks of one home, and keeps what waits for a person."""

    def __init__(
        self, home: Home, who: Who | None, read_on: Callable[[], object],
        would_forget: Callable[[Mapping[str, Any]], str],
    ) -> None:  # fmt: skip
        self._home, self._acts = home, home.store.acts
        # Captures what transcripts hold by now: a call that is under way stands there.
        self._read_on = read_on
        # What would be forgotten, in words.
        self._would_forget = would_forget
        # Nobody named: whoever runs this process.
        self._runs_us = lambda: who or self.judge("library")
        self._is_judged = who is None
        home.store.entries.who = self._runs_us
        home.store.entries.may = self._may_record
        home.only_people = self.only_people

    @property
    def who(self) -> Who:
        """On whose behalf the memory works now."""
        return self._home.store.entries.who()

    # -- who asks ----------------------------------------------------------------------------------------------------

    def judge(self, door: Door, pid: int = 0, verb: str = "", *, may_lack_terminal: bool = False) -> Who:
        """Who asks for a verb through a door, by what is seen of the process (0: this one); the strongest evidence
        counts. `may_lack_terminal`: people's own scripts and agents do this, too."""
        if door in ("http", "mcp"):
            return Who(by="agent", evidence="the door", door=door)
        seen = self._own if pid == 0 else surroundings(pid)
        session = next(iter(seen.sessions), "")
        agent: dict[str, Any] = {
            "by": "agent", "door": door, "is_attended": seen.is_attended, "has_terminal": seen.has_terminal
        }  # fmt: skip
        verb = verb.split()[-1] if verb and door == "library" else verb
        typed = self._typed_into(seen, verb) if verb else None
        if typed is not None:
            time.sleep(_WRITTEN_SECONDS)  # by then a call of the agent would stand in its transcript
        # In one session no call of the agent runs beside what a person types there.
        lately, typed_there = (timedelta(), seen.sessions) if typed else (_ENDED, ())
        if verb and (call := self._open_call(verb, lately, typed_there)):
            return Who(**agent, evidence="an open call", seen=call[0], agent=call[1], session=call[2])
        if typed is not None:
            return Who(by="person", evidence="typed into the host", door=door, agent=typed, session=session)
        for name, host in seen.marks:
            return Who(**agent, evidence="the environment", seen=name, agent=host, session=session)
        for name, host in seen.parents:
            return Who(**agent, evidence="a parent process", seen=name, agent=host, session=session)
        if seen.has_terminal:
            return Who(by="person", evidence="a terminal", door=door)
        if may_lack_terminal or (seen.is_there and self._home.store.control.scripts()):
            return Who(by="person", evidence="an allowed script", door=door)
        return Who(by="agent", evidence="no terminal", door=door)

    def _typed_into(self, seen: Surroundings, verb: str) -> str | None:
        """The host into whose prompt a person just typed `! steno …`: it writes that into its history before it runs
        it, and nothing of what its agent calls. By its environment Claude Code does not tell the two apart."""
        now = datetime.fromisoformat(self._home.clock()).timestamp() * 1000
        for name, (at, scale) in _HISTORIES.items():
            if name == "codex" and any(host == name for _, host in seen.marks):
                continue
            known = self._home.store.control.places()
            for place in source_named(name).places(self._home.environment):
                if known and os.path.realpath(place) not in known:  # whoever sets the environment says where it is
                    continue
                for line in _last_lines(place.parent / "history.jsonl"):
                    words = str(line.get("display") or line.get("text") or "")
                    session, when = line.get("sessionId") or line.get("session_id"), line.get(at)
                    just_now = isinstance(when, int | float) and abs(now - when * scale) < _TYPED_MS
                    if session in seen.sessions and just_now and words.startswith("!") and _names(words, verb):
                        return name
        return None

    @property
    def is_below_agent(self) -> bool:
        """Whether an agent started this process, whatever it does now."""
        return bool(self._own.marks or self._own.parents)

    @cached_property
    def _own(self) -> Surroundings:
        return surroundings()

    def _open_call(self, verb: str, lately: timedelta, sessions: tuple[str, ...]) -> tuple[str, str, str] | None:
        """A shell's call that is under way and names the command, or has just ended, as `tmux new-window` does; or any
        of a session into which somebody seems to have typed it: what they type there waits until such a call has ended.
        Its words, its host and its session."""
        with suppress(StenoError):  # where transcripts cannot be read now, what was read before counts
            self._read_on()
        now = self._home.clock()
        for call in reversed(self._home.store.journal.calls(before(now, _OPEN), now)):
            if call.ended is not None and call.ended < before(now, lately):
                continue
            told = read(call.tool, call.text)
            # Codex types into a shell it opened earlier.
            command = told.command or told.text("chars")
            if _names(command, verb) or (command and call.session in sessions):
                return _shortened(command), call.source, call.session
        return None

    # -- what only people may do -------------------------------------------------------------------------------------

    def person(self, verb: str, words: str, given: Mapping[str, Any] | None, who: Who, pid: int = 0) -> Who:
        """The person who does it: who asks, or who allowed an agent to. WaitsForPerson: nobody did yet."""
        if not who.is_agent:
            return who
        if allowed := self._allowed(verb, words, given, who, pid):
            return allowed
        with suppress(StenoError):  # what cannot be written down is held all the same
            self.ask(verb, words, given, who)
        by = f", asked by {who.agent}" if who.agent else ""
        hint = f"{who.in_words}, so an agent seems to ask; if that was you, it waits in your review:"
        hint += " open that in a terminal no agent started, and press y"
        raise WaitsForPerson(f"{_WAITS}: `{_shortened(words)}`{by}", hint=hint if who.has_terminal else "")

    def _allowed(self, verb: str, words: str, given: Mapping[str, Any] | None, who: Who, pid: int) -> Who | None:
        """The person who said yes to this, in a review or in the dialog of the host whose call is under way."""
        now = self._home.clock()
        if act := self._yes(verb, words, given):
            self._acts.settle(act.id, "done", now, None)
            if act.state == "carried out":
                raise AlreadyDone(f"A person said yes to this, and it is done: `{_shortened(words)}`")
            return act.answered_by
        for act, call in self._acts.before_calls():
            is_it = (act.verb, act.who.session) == (verb, who.session) and self._is_what(act, given)
            is_open = is_it and call is not None and self._acts.result_of(who.session, call) is None
            if is_open and (act.answered_by or (who.is_attended and _is_run_by(act, surroundings(pid)))):
                self._acts.settle(act.id, "done", now, None)
                return act.answered_by or _in_dialog(who)
        return None

    def _yes(self, verb: str, words: str, given: Mapping[str, Any] | None, call: str | None = None) -> Act | None:
        """What a person allowed in a review, if it is this."""
        since = before(self._home.clock(), _ALLOWED)
        return self._acts.allowed(verb, self._clean(words), self._kept(given), since, call=call)

    def _is_what(self, act: Act, given: Mapping[str, Any] | None) -> bool:
        """Whether this was put before a person, if all of it was known then."""
        if act.given is None:
            return True
        asked, now = ({**one, "directory": ""} for one in (act.given, given or {}))
        return json.dumps(asked, sort_keys=True) == json.dumps(now, sort_keys=True)

    def lets_through(self, verb: str, words: str, given: Mapping[str, Any] | None, call: str) -> bool:
        """Whether a person said yes, in a review, to what a call would do; what it does then counts as theirs."""
        act = self._yes(verb, words, given, call)
        if act is not None:
            self._acts.made_by(act.id, call)
        return act is not None

    def was_made(self, call: str) -> None:
        """A call was made that had been put before a person: they said yes."""
        for act in self._acts.of_call(call):
            if act.state in ("asked", "allowed", "carried out"):
                self._acts.settle(act.id, "done", self._home.clock(), None if act.answered_by else _in_dialog(act.who))

    def ask(
        self, verb: str, words: str, given: Mapping[str, Any] | None, who: Who, *, call: str | None = None,
        in_dialog: bool = False, ids: tuple[str, ...] = (),
    ) -> str:  # fmt: skip
        """Put it before a person: in `steno review`, and where the host can, in its dialog. What it would end."""
        clean, ends, kept = self._clean, self.ends(verb, given, ids), self._kept(given)
        if len(words) > _LONGEST_ASKED:
            return ends
        who = structs.replace(who, seen=clean(who.seen))
        self._acts.ask(verb, clean(words), kept, ends, who, self._home.clock(), call=call, in_dialog=in_dialog)
        return ends

    def _kept(self, given: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """What may be written down. Without its secret it would be another act, so that is done by who asks again."""
        return None if given is None or self._clean(told := repr(given)) != told else given

    def ends(self, verb: str, given: Mapping[str, Any] | None, ids: tuple[str, ...] = ()) -> str:
        """What an act would end, quoted in full."""
        told = given or {}
        found: dict[str, Entry] = {}
        for id_ in chain(ids, *(value if isinstance(value, list) else [value] for value in told.values())):
            if isinstance(id_, str) and _ID.fullmatch(id_):
                # Where several begin so, the verb may take but one kind of them: first what people said.
                found |= {entry.id: entry for entry in self._home.store.entries.all(id_=id_)}
        by_people_first = sorted(found.values(), key=lambda entry: entry.origin not in ("user", "edit"))
        lines = [_quoted(entry) for entry in by_people_first[:_MOST_ENDED]]
        lines += [f"and {len(found) - _MOST_ENDED} more"] if len(found) > _MOST_ENDED else []
        if verb == "review answer":
            about = [act for act in self.waiting() if act.id.startswith(str(told.get("id")))]
            lines += chain.from_iterable((f"what waits: {act.words}", *act.ends.splitlines()) for act in about)
        lines += [self._would_forget(told)] if verb == "forget" and told else []
        return self._clean("\n".join(lines))

    def did(self, verb: str, words: str, ends: str, who: Who) -> None:
        """It is done. What was to be forgotten is not written down again."""
        words = f"steno {verb}" if verb in ("forget", "store redact") else self._clean(words)
        self._acts.did(verb, words, "" if verb == "forget" else ends, who, self._home.clock())

    def only_people(self, verb: str, about: str = "", said: str = "") -> None:
        """Of the library: go on if a person runs the program. What it is about, and what it says from then on."""
        is_library = self._is_judged and self._home.store.entries.who is self._runs_us
        # As for `steno capture PATH`: people's own scripts do that.
        may = verb == "capture"
        who = self.judge("library", verb=verb, may_lack_terminal=may) if is_library else self.who
        if who.is_agent:
            words = " ".join(filter(None, (verb, about, said and f"“{said}”")))
            self.person(verb, f"{words} (by a program that uses the library)", {"id": about} if about else None, who)

    def _may_record(self, act: str, entry: str, value: Mapping[str, Any]) -> None:
        """Whoever is no person tells how things went, and what they noted as their own."""
        told = act == "remember" and value.get("origin") in ("agent", "file")
        if not told and act != "outcome" and (act, value.get("do")) not in _BY_OUTCOME:
            said = next((str(value[name]) for name in ("summary", "keep", "status", "name") if value.get(name)), "")
            self.only_people(" ".join(filter(None, (act, value.get("do")))), entry, said)

    def _clean(self, text: str) -> str:
        """Without secrets; the name of a file may hold bytes that are no text."""
        return self._home.clean(text.encode("utf-8", "replace").decode())

    # -- what waits --------------------------------------------------------------------------------------------------

    def waiting(self) -> list[Act]:
        """What agents asked for, the oldest first. Who said no in the host's dialog is not asked again."""
        return [
            act for act, call in self._acts.waiting()
            if not (call and self._acts.result_of(act.who.session, call) == "denied")
        ]  # fmt: skip

    def settle(self, act: Act, state: str) -> None:
        """A person's answer."""
        self._acts.settle(act.id, state, self._home.clock(), Who(by="person", evidence="a review", door=self.who.door))


def _is_run_by(act: Act, seen: Surroundings) -> bool:
    """Whether a shell was given the call that somebody was asked about: that runs after their yes, and nothing else of
    the session's does."""
    return any(bare(act.who.seen) in command for command in seen.commands)


def _in_dialog(asked: Who) -> Who:
    """The person who said yes there to what an agent asked."""
    return Who(by="person", evidence="a dialog", door="dialog", agent=asked.agent, session=asked.session)


def _names(command: str, verb: str) -> bool:
    """Whether a command line may run a verb of ours."""
    words = ("|".join((word, *_ALSO.get(word, ()))) for word in verb.split())
    if "#" in command:  # what stands in a comment is not run
        command = " ".join(word for part in parts(command) for word in (*part.words, part.fed))
    return "steno" in command and all(re.search(rf"\b(?:{word})\b", command) for word in words)


def _last_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The last lines of a file of JSON objects."""
    with suppress(OSError), open(path, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _MOST_HISTORY))
        for line in file.read(_MOST_HISTORY).splitlines()[-_MOST_LINES:]:
            with suppress(ValueError, RecursionError):
                if isinstance(found := msgspec.json.decode(line), dict):
                    yield found


def _quoted(entry: Entry) -> str:
    """On one line: what an agent wrote must not look like a line of ours."""
    words = squeeze(entry.evidence[0].quote if entry.evidence and entry.origin != "edit" else entry.summary)
    return f"{entry.category}: “{words}” ({entry.origin}, {(entry.created_at or '')[:10]})"


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
