"""To-dos, plans and questions, and what became of them."""

import re
from typing import Any, Final

from msgspec import structs

from steno.language.tool_call import read
from steno.scribe.work.calls import OpenCall, state_of
from steno.vocabulary import Trail, TrailItem, Turn

_TODOS: Final = 100
_PLANS: Final = 10
_QUESTIONS: Final = 40
_ANSWER: Final = 1000
_CREATED: Final = re.compile(r"Task #(\w{1,20}) created")
_LISTED: Final = re.compile(r"^#(\w{1,20}) \[(\w{1,20})\] ([^\n]{1,500}?)(?: \[blocked by [^\]\n]*\])?$", re.MULTILINE)
_GIVEN: Final = re.compile(r'"([^"\n]{1,2000})"="([^"\n]{0,1000})"')


class Items:
    """The to-dos, plans and questions of a session. To-dos carry the number their host gave them, or their place."""

    def __init__(self, trail: Trail, names: Any) -> None:
        self._todos = dict(zip(names if isinstance(names, list) else [], trail.todos, strict=False))
        # Turn of the last change of the list.
        self.listed = trail.listed
        self.plans = list(trail.plans)
        self.questions = list(trail.questions)

    @property
    def todos(self) -> list[TrailItem]:
        return list(self._todos.values())

    @property
    def names(self) -> list[str]:
        """Names of the to-dos, in order: what cannot be told from the to-dos themselves."""
        return list(self._todos)

    def asked(self, call: OpenCall) -> None:
        """A question is asked when the call is made; the answer comes later."""
        if call.purpose == "question":
            new = [
                TrailItem(text=text, state="open", options=options, turn=call.turn) for _, text, *options in call.told
            ]
            self.questions = [*self.questions, *new][-_QUESTIONS:]

    def settled(self, call: OpenCall, turn: Turn, number: int) -> list[TrailItem]:
        """The result of a call came: the to-dos that got done by it."""
        refused = turn.kind == "denied"
        if call.purpose == "plan" and (refused or not turn.failed):
            self._plan(call, turn, number, refused=refused)
        elif call.purpose == "question":
            self._answers(call, turn, refused=refused)
        elif not refused and not turn.failed:
            return self._todo(call, turn, number)
        return []

    def answered(self, turn: Turn) -> None:
        """The person's answer as a turn of its own, for hosts whose result does not hold it in a known form."""
        last = self.questions[-1].turn if self.questions else None
        places = [place for place, item in enumerate(self.questions) if item.turn == last]
        lines = [line for line in turn.text.splitlines() if line.strip()]
        for order, place in enumerate(places):
            if self.questions[place].state in ("open", "answered"):
                self._answer(place, lines[order] if len(lines) == len(places) else turn.text)

    def _answer(self, place: int, answer: str) -> None:
        item, said = self.questions[place], answer.strip()[:_ANSWER]
        picked = [
            label for label in item.options if label == said or label in said.split(", ") or label in said.split("; ")
        ]
        self.questions[place] = structs.replace(item, state=said or "answered", picked=picked)

    def _plan(self, call: OpenCall, turn: Turn, number: int, *, refused: bool) -> None:
        written = call.told[0][0] if call.told else ""
        text = written or turn.text.partition("Approved Plan:\n")[2][:2000]
        item = TrailItem(text=text, state="rejected" if refused else "accepted", turn=number)
        self.plans = [*self.plans, item][-_PLANS:]

    def _answers(self, call: OpenCall, turn: Turn, *, refused: bool) -> None:
        given = {} if refused else _given(turn.text[:20_000])
        names = {told[1]: told[0] for told in call.told}
        for place, item in enumerate(self.questions):
            if item.turn != call.turn:
                continue
            if refused:
                self._answer(place, "refused")
            else:
                self._answer(place, given.get(item.text) or given.get(names.get(item.text, "")) or "answered")

    def _todo(self, call: OpenCall, turn: Turn, number: int) -> list[TrailItem]:
        before, then = {item.text for item in self._todos.values() if item.state == "done"}, self.todos
        match call.purpose:
            case "todos":
                self._whole(call.told, number)
            case "task_create" if call.told and call.told[0][0]:
                found = _CREATED.search(turn.text[:200])
                self._put(found[1] if found else f"turn {call.turn}", call.told[0][0], "open", number)
            case "task_update" if call.told:
                name, state, subject = (*call.told[0], "", "", "")[:3]
                self._update(name, state, subject, number)
            case "task_list":
                for name, status, text in _LISTED.findall(turn.text[:50_000]):
                    self._put(name, text, state_of(status), number)
            case _:
                return []
        if self.todos != then:
            self.listed = number
        return [item for item in self._todos.values() if item.state == "done" and item.text not in before]

    def _whole(self, told: list[list[str]], number: int) -> None:
        """A whole list at once. An item that stays as it was keeps its turn."""
        known = {(item.text, item.state): item for item in self._todos.values()}
        self._todos = {
            f"place {place}": known.get((text, state)) or TrailItem(text=text, state=state, turn=number)
            for place, (text, state) in enumerate(told)
        }

    def _update(self, name: str, state: str, subject: str, number: int) -> None:
        old = self._todos.get(name)
        if state == "gone":
            self._todos.pop(name, None)
        elif old:
            self._put(name, subject or old.text, state or old.state, number)

    def _put(self, name: str, text: str, state: str, number: int) -> None:
        old = self._todos.get(name)
        if state == "gone" or (old and (old.text, old.state) == (text, state)):
            return
        self._todos[name] = TrailItem(text=text, state=state, turn=number)
        self._todos = dict(list(self._todos.items())[-_TODOS:])


def _given(text: str) -> dict[str, str]:
    """Answers by question (Claude Code) or by the question's id (Codex)."""
    if not text.lstrip().startswith("{"):
        return dict(_GIVEN.findall(text))
    answers = read(None, text).given.get("answers")
    return {name: _words(given) for name, given in answers.items()} if isinstance(answers, dict) else {}


def _words(given: Any) -> str:
    if isinstance(given, dict):
        given = given.get("answers", given.get("answer"))
    parts = given if isinstance(given, list) else [given]
    return "; ".join(part for part in parts if isinstance(part, str))
