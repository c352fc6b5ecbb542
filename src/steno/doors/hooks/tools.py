"""Before and after a tool is used: the gate, and how it went."""

from functools import partial
from typing import Final

from steno.briefing.page import asks, named, said, verdict_name, waits
from steno.doors.hooks.desk import Desk, Talk, Tried
from steno.doors.hooks.heard import AskFirst, Deed, Heard, Reply, SayNo, Silence, Tell
from steno.doors.install.guarded import hook_file
from steno.language.lexicon import lexicon
from steno.language.shell import parts
from steno.language.words import is_held
from steno.tokens import count
from steno.verbs.held import held
from steno.vocabulary import Action, Allow, Ask, Block, Briefing, Flow, Outcome, Verdict, Warn

BEFORE_THEM: Final = "put before a person"
_TOLD: Final = "a briefing in its context holds it"


def before_tool(desk: Desk, heard: Heard, talk: Talk) -> Reply | Silence | None:
    """What stands in the way of a call. Nothing does of our own tools."""
    if not heard.deeds or _is_ours(heard.deeds[0].tool):
        return None
    deed, patience = heard.deeds[0], talk.patience
    patience.called()
    action = Action(
        agent=heard.agent, text=deed.text, tool=deed.tool, input=deed.input, directory=heard.directory,
        session=heard.session, request=talk.request,
    )  # fmt: skip
    if held := _held(desk, heard, action, deed):
        return held
    verdict = desk.memory.before(
        action,
        keeps_back=lambda id_, strength: _TOLD if id_ in talk.told else patience.keeps_back(id_, strength),
        given=False,
    )  # fmt: skip
    step = _step(verdict.page.flow, deed)
    if deed.name and (step is not None or not isinstance(verdict, Allow)):
        flow = verdict.page.flow.name if verdict.page.flow is not None and step is not None else None
        desk.said.trying(deed.name, Tried(heard.agent, deed.text, flow, bool(step)))
    return _reply(verdict, heard, talk, deed)


def _held(desk: Desk, heard: Heard, action: Action, deed: Deed) -> Reply | None:
    """What only people may do is asked in the host's own dialog; where nobody would answer there, it waits."""
    memory, asks_them = desk.memory, heard.can_ask and heard.person_answers
    files = partial(hook_file, environment=memory.home.environment)
    found = list(held(memory, action, files, agent=heard.agent, call=deed.name, in_dialog=asks_them))
    if not found:
        return None
    text = waits(found, can_ask=asks_them)
    told = Briefing(
        text=text, tokens=count(text), tier=None, session=heard.session, at="", items=[], kind="gate",
        agent=heard.agent, verdict="ask" if asks_them else "block", because={"act": "only a person may do this"},
        tool=deed.tool, call=deed.name,
    )  # fmt: skip
    return AskFirst(text, told) if asks_them else SayNo(text, told)


def after_tool(desk: Desk, heard: Heard, _: Talk) -> Reply | None:
    """Grade what we had something to say about; and there is something new in the transcript."""
    desk.later(heard.transcript)
    for deed in heard.deeds:
        if deed.name:
            desk.memory.authority.was_made(deed.name)
        tried = desk.said.tried(deed.name) if deed.passed is not None else None
        # What was held was never done.
        if tried is not None and deed.passed is not None and not is_held(deed.output):
            # A step that went well says nothing of the steps after it.
            flow = tried.flow if tried.last_step or not deed.passed else None
            told = deed.output.strip().splitlines()[-1:] if not deed.passed else []
            summary = ": ".join([" ".join(tried.text[:400].split()), *(line[:200] for line in told)])
            desk.memory.after(
                Outcome(
                    agent=tried.agent, passed=deed.passed, summary=summary, flow=flow, directory=heard.directory,
                    session=heard.session, seen=True,
                )
            )  # fmt: skip
    return None


def _reply(verdict: Verdict, heard: Heard, talk: Talk, deed: Deed) -> Reply | Silence | None:
    match verdict:
        case Allow():
            # What was kept back leaves a receipt, so that it can be said later why.
            because = verdict.page.because
            return Silence("kept back", _receipt(verdict, heard, deed, "")) if because else None
        case Warn():
            talk.patience.reminded([reason.id for reason in verdict.reasons])
            text = said(verdict)
            return Tell(text, _receipt(verdict, heard, deed, text))
        case Ask() if not heard.can_ask and _may_go_on(verdict, talk):
            return None
        case Ask() | Block():
            text = asks(verdict, can_ask=heard.can_ask)
            reply = AskFirst if heard.can_ask and isinstance(verdict, Ask) else SayNo
            return reply(text, _receipt(verdict, heard, deed, text))


def _receipt(verdict: Verdict, heard: Heard, deed: Deed, text: str) -> Briefing:
    """What is noted of an answer: the reasons, for nothing else was shown, and why."""
    # What came of such a call tells whether the person said yes.
    is_theirs = isinstance(verdict, Ask) and heard.can_ask and heard.person_answers
    because = verdict.page.because | ({"call": BEFORE_THEM} if is_theirs else {})
    return Briefing(
        text=text, tokens=count(text), tier=None, session=heard.session, at="", items=named(verdict), kind="gate",
        agent=heard.agent, because=because, verdict=verdict_name(verdict), tool=deed.tool, call=deed.name,
    )  # fmt: skip


def _may_go_on(verdict: Ask, talk: Talk) -> bool:
    """Where the host cannot ask, the agent is to: it may go on once when a person has said yes."""
    reasons = [reason.id for reason in verdict.reasons]
    says_yes = any(lexicon(name).opens(talk.request) for name in ("yes", "go_on"))
    if says_yes and all(talk.sent_back.get(reason, talk.prompts) < talk.prompts for reason in reasons):
        for reason in reasons:
            del talk.sent_back[reason]
        return True
    for reason in reasons:
        talk.sent_back.setdefault(reason, talk.prompts)
    return False


def _step(flow: Flow | None, deed: Deed) -> bool | None:
    """Whether a command is the last step of a flow; None: it is no step of it."""
    if flow is None or not deed.command:
        return None
    commands = [" ".join(part.text.split()) for part in parts(deed.command)]
    for place, step in enumerate(" ".join(step.split()) for step in flow.steps):
        # "make release" in "run make release and wait"; a single word may stand anywhere.
        if any(command == step or (" " in command and command in step) for command in commands):
            return place == len(flow.steps) - 1
    return None


def _is_ours(tool: str) -> bool:
    return tool.startswith("mcp__") and "steno" in tool
