"""What a tool call would do that only people may: it waits for one before it runs."""

from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import asdict

from steno.hidden import encoded
from steno.language.tool_call import ToolCall
from steno.verbs.attempts import Attempt, HookFiles, attempts
from steno.verbs.call import checked, chosen, typed
from steno.verbs.table import VERBS
from steno.verbs.words import TYPED_ACTS
from steno.vocabulary import Action
from steno.vocabulary.acts import Who
from steno.vocabulary.errors import StoreError, WrongUse

if TYPE_CHECKING:
    from steno.memory import Memory


class Held(NamedTuple):
    """One thing that waits: as it would be typed, and in full what it would end."""

    words: str
    ends: str


def held(
    memory: "Memory", action: Action, hook_file: HookFiles, *, agent: str, call: str, in_dialog: bool
) -> Iterator[Held]:  # fmt: skip
    """What of a call waits for a person, who did not say yes to it yet. Each is put before one."""
    authority = memory.authority
    for one in attempts(action, memory.home.root, hook_file):
        asked = _asked(memory, one, action)
        if asked is None:
            continue
        with suppress(StoreError):  # a yes that cannot be read is none
            if call and authority.lets_through(*asked, call):
                continue
        verb, words, given = asked
        who = Who(
            by="agent", evidence="an open call", door="hook", seen=one.words, agent=agent, session=action.session or ""
        )  # fmt: skip
        try:
            ends = authority.ask(verb, words, given, who, call=call or None, in_dialog=in_dialog, ids=one.ids)
        except StoreError:  # what cannot be written down is held all the same
            ends = authority.ends(verb, given, one.ids)
        yield Held(words, ends)


def only_a_persons(memory: "Memory", action: Action) -> str:
    """What of an action only a person may do, as it would be typed; empty where all of it is open to agents."""
    found = (_asked(memory, one, action) for one in attempts(action, memory.home.root, lambda _: None))
    return next((words for _, words, _ in filter(None, found)), "")


def _asked(memory: "Memory", one: Attempt, action: Action) -> tuple[str, str, dict[str, Any] | None] | None:
    """An attempt as the door asks for it that it comes to: the verb, how it is typed, what is given. Where no door
    comes after, or only a shell knows what is given, it is this very call. None: with what is given it is no act."""
    verb = VERBS.get(one.verb)
    if one.verb in TYPED_ACTS and one.given is not None:
        words = " ".join(("steno", one.verb, *one.given.values()))
        return one.verb, words, {"words": words}
    made = ToolCall(action.tool or "", action.input)
    command = made.command or made.text("chars") or one.words
    if one.given is None:
        return one.verb, command, None
    if verb is None:
        whole = command.encode() if made.is_shell else encoded(action.input)
        return one.verb, one.words, {**one.given, "call": blake2b(whole, digest_size=16).hexdigest()}
    try:
        asked = asdict(checked(verb, one.given))
    except WrongUse:
        return one.verb, command, None
    told = chosen(verb, asked)
    return (one.verb, typed(verb, told), told) if verb.is_act(memory, asked) else None
