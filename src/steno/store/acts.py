"""What only people may do: who did it, and what agents asked for."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from steno.store.database import Tables
from steno.store.remembered import digest
from steno.vocabulary.acts import Act, Who

_OPEN: Final = ("waiting", "asked")
# So many requests of one session wait. A loop that asks for more is held all the same.
_MOST: Final = 100


class Acts(Tables):
    """Acts, done or asked for. A request goes from `waiting` or `asked` to `allowed`, `refused` or `done`."""

    def did(self, verb: str, words: str, ends: str, who: Who, now: str) -> None:
        """A person did it, or somebody for them."""
        with self._database.write():
            # Who asked for just this need not ask any more.
            self._database.rows("act_is_moot", {"verb": verb, "words": words, "at": now, "by": _json(who)})
            self._put("", verb, words, None, ends, "done", who, now, None)

    def ask(
        self, verb: str, words: str, given: Mapping[str, Any] | None, ends: str, who: Who, now: str, *,
        call: str | None = None, in_dialog: bool = False,
    ) -> str:  # fmt: skip
        """An agent asks for it; a session that asks again has one request. Its id; empty: this one asks too much."""
        key, state = _key(verb, words, given, who.session or who.agent), "asked" if in_dialog else "waiting"
        with self._database.write():
            # What a person is asked at this moment stays with them.
            state = "asked" if self._is_before_them(key) else state
            again = self._database.rows("act_again", {"key": key, "at": now, "call": call, "state": state})
            if again:
                return str(again[0][0])
            if self._database.rows("asking", {"asker": who.session or who.agent})[0][0] >= _MOST:
                return ""
            return self._put(key, verb, words, given, ends, state, who, now, call)

    def _is_before_them(self, key: str) -> bool:
        """Whether a person is asked for just this in a dialog, of a call that has not ended."""
        for act, call in self._in(("asked",)):
            is_it = key == _key(act.verb, act.words, act.given, act.who.session or act.who.agent)
            if is_it and call and self.result_of(act.who.session, call) is None:
                return True
        return False

    def _put(
        self, key: str, verb: str, words: str, given: Mapping[str, Any] | None, ends: str, state: str, who: Who,
        now: str, call: str | None,
    ) -> str:  # fmt: skip
        values = {"key": key, "at": now, "verb": verb, "words": words, "ends": ends, "state": state, "call": call}
        values |= {"given": None if given is None else json.dumps(given, ensure_ascii=False)}
        values |= {"who": _json(who), "session": who.session or None}
        return str(self._database.rows("put_act", values)[0][0])

    def waiting(self) -> list[tuple[Act, str | None]]:
        """What waits for a person, the oldest first, with the host's id of the call."""
        return self._in(_OPEN)

    def done(self) -> list[Act]:
        """What was done, the oldest first."""
        return [act for act, _ in self._in(("carried out", "done"))]

    def allowed(
        self, verb: str, words: str, given: Mapping[str, Any] | None, since: str, *, call: str | None = None
    ) -> Act | None:
        """What a person allowed since then and nobody has done yet, whoever asks for it now; for a call: and no other
        call is about to do."""
        wanted = (verb, _asked(words, given))
        for act, by in reversed(self._in(("allowed", "carried out"))):
            is_free = call is None or by in (None, call) or self.result_of(act.who.session, by) == "denied"
            if is_free and (act.answered_at or "") >= since and (act.verb, _asked(act.words, act.given)) == wanted:
                return act
        return None

    def before_calls(self) -> list[tuple[Act, str | None]]:
        """What a person is asked, or was, before a call is made, or allowed, with the host's id of that call."""
        return self._in(("asked", "allowed"))

    def of_call(self, call: str) -> list[Act]:
        """What was put before a person of a call, and not refused."""
        return [act for act, _ in self._in(("waiting", "asked", "allowed", "carried out", "done"), call)]

    def made_by(self, act: str, call: str) -> None:
        """What was allowed is done by this call."""
        self._change("act_call", {"id": act, "call": call})

    def settle(self, act: str, state: str, now: str, by: Who | None) -> None:
        """A person answered, or it was done."""
        answered = msgspec.json.encode(by).decode() if by is not None else None
        self._change("act_state", {"id": act, "state": state, "at": now if by else None, "by": answered})

    def result_of(self, session: str, call: str) -> str | None:
        """How a call ended: the kind of turn that tells. None: it did not, as far as the journal goes."""
        return self._first(str, "end_of_call", {"session": session, "call": call})

    def _in(self, states: Sequence[str], call: str | None = None) -> list[tuple[Act, str | None]]:
        found = []
        for row in self._database.rows("acts_in", {"states": json.dumps(states), "call": call}):
            id_, verb, words, given, ends, state, who, at, times, last_at, answered_at, by, call, said, project = row
            act = Act(
                id=id_, verb=verb, words=words, given=given and json.loads(given), ends=ends, state=state,
                who=msgspec.json.decode(who, type=Who), at=at, times=times, last_at=last_at, said=said or "",
                project=project, answered_at=answered_at, answered_by=by and msgspec.json.decode(by, type=Who),
            )  # fmt: skip
            found.append((act, call))
        return found


def _json(who: Who) -> str:
    return msgspec.json.encode(who).decode()


def _key(verb: str, words: str, given: Mapping[str, Any] | None, session: str) -> str:
    """What makes two requests the same."""
    return digest("act", verb, _asked(words, given), session)


def _asked(words: str, given: Mapping[str, Any] | None) -> str:
    return words if given is None else json.dumps(given, sort_keys=True, ensure_ascii=False)
