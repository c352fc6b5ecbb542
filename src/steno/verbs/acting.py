"""How to behave and how to do it: rules, flows, and the gate before and after an action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from steno.choices import FlowStatus, RuleStatus
from steno.verbs.table import Agent, Arg, At, Words, verb

if TYPE_CHECKING:
    from steno.memory import Memory
    from steno.verbs import answers
    from steno.verbs.asking import Asker, Where
    from steno.vocabulary import Flow

Id = Annotated[str, Arg(metavar="ID")]
Name = Annotated[str, Arg(metavar="NAME")]
For = Annotated[str | None, Arg("The agent it is for; else all.", "A")]
Field = Annotated[str, Arg("The field of work it belongs to.", "D")]
Steps = Annotated[tuple[str, ...], Arg("What is to be done; once for each step, in order.", flag="--step")]
Triggers = Annotated[tuple[str, ...], Arg("A phrase that calls for it; once for each.", flag="--trigger")]
Place = Annotated[str | None, Arg("Where it is done; else the current directory.", kind="path")]
In = Annotated[str | None, Arg("The session it is done in.", "S")]


# -- rules -----------------------------------------------------------------------------------------------------------


@verb("rules list", fresh=True, held=True)
def rules(
    memory: Memory, where: Where, *,
    status: Annotated[RuleStatus | None, Arg("Only these; else critical and active ones.")] = None,
    agent: Agent = None, at: At = None,
) -> answers.Rules:  # fmt: skip
    """List the rules that hold here, the highest score first.

    Critical rules (9 and more) always hold, and only a person retires them. Active ones hold; from 7 on they are loaded
    when a session starts. A rule nobody repeats loses half a point a day after a while: below 5 it is dormant, below 3
    retired, below 1 no longer listed.

    $ steno rules
    """
    from steno.verbs.answers import Heard, Rules

    found, heard, project = memory.rules.all(status, where.project, agent, at), None, where.project
    if not found and status is None and agent is None:
        told = {name: memory.entries(category=name, project=project) for name in ("rule", "rejected")}
        heard = Heard(len(told["rule"]), len(told["rejected"]), memory.rules.faded(project))
    dormant = len(memory.rules.all("dormant", project, agent, at)) if status is None else 0
    return Rules(rules=found, dormant=dormant, heard=heard)


@verb("rules show", fresh=True)
def show_rule(memory: Memory, id: Id) -> answers.RuleShown:
    """Show a rule with the words it rests on. The beginning of its id is enough.

    $ steno rules show 3f2a
    """
    from msgspec import structs

    from steno.verbs.answers import RuleShown

    rule = memory.rules.one(id)
    return RuleShown(**structs.asdict(rule), evidence=memory.rules.entry(rule).evidence)


@verb("rules add", "rules", fresh=True)
def add_rule(
    memory: Memory, where: Where, text: Words, *,
    preference: Annotated[bool, Arg("What you prefer, not what must be: it starts at 7 and may fade.")] = False,
    domain: Field = "GENERAL", agent: For = None,
) -> answers.Rule:  # fmt: skip
    """Add an instruction that binds this project, or all with `--everywhere`.

    It is critical at once, and holds until a person retires it.

    $ steno rules add "always run make lint before you commit"
    """
    return memory.rules.add(text, preference=preference, domain=domain, project=where.project, agent=agent)


@verb("rules raise", "rules", fresh=True)
def raise_rule(
    memory: Memory, id: Id, *,
    to: Annotated[Literal["ask", "block"] | None, Arg("One step up: from warn to ask, from ask to block.")] = None,
) -> answers.Rule:  # fmt: skip
    """Raise the score of a rule by half a point, or let its matcher ask or block.

    A retired rule comes back at 5. With --to, its matcher goes up one step instead; it may ask or block only after a
    trial: `steno rules trial ID`.

    $ steno rules raise 3f2a --to ask
    """
    return memory.rules.raise_(id, to)


@verb("rules lower", "rules", fresh=True)
def lower_rule(
    memory: Memory, id: Id, *,
    to: Annotated[Literal["warn", "ask"] | None, Arg("Down to asking, or to warning.")] = None,
) -> answers.Rule:  # fmt: skip
    """Lower the score of a rule by half a point, or its matcher to asking or warning.

    $ steno rules lower 3f2a
    """
    return memory.rules.lower(id, to)


@verb("rules retire", "rules", fresh=True)
def retire_rule(memory: Memory, id: Id) -> answers.Rule:
    """Retire a rule, also a critical one.

    Its entry stays; `steno rules raise ID` brings the rule back.

    $ steno rules retire 3f2a
    """
    return memory.rules.retire(id)


@verb("rules lessons", fresh=True)
def lessons(memory: Memory, where: Where) -> list[answers.Lesson]:
    """List lessons that agents learnt and that exist only as words.

    No script, flow, matcher or schema changed because of them. A lesson leaves the list when `steno gate after` tells
    it again after something changed, or when its rule gets a matcher (`steno rules trial ID`) or is retired.

    $ steno rules lessons
    """
    return [one for one in memory.rules.lessons() if where.project is None or one.project in (None, where.project)]


@verb("rules trial", "rules", slow=True, fresh=True)
def trial(
    memory: Memory, progress: Any, id: Id, *,
    matcher_command: Annotated[str | None, Arg("Set the matcher first: a pattern in a shell command.", "RE")] = None,
    matcher_path: Annotated[str | None, Arg("The same for a path the action touches.", "RE")] = None,
    matcher_tool: Annotated[str | None, Arg("The same for the whole name of the tool.", "RE")] = None,
    matcher_text: Annotated[str | None, Arg("The same anywhere in the action.", "RE")] = None,
    matcher_family: Annotated[str | None, Arg("The same for what it does: a command family.", "NAME")] = None,
) -> answers.Tried:  # fmt: skip
    """Try a rule's matcher on every tool call in the journal.

    Shows where it would have fired, and what the human did then: refused, corrected, accepted, or nothing that is
    known. Only after a trial may a matcher ask or block. Patterns follow RE2 and ignore case; all that are given must
    be found.

    $ steno rules trial 3f2a --matcher-command "^npm"
    """
    from steno.pipeline.trial import Trials
    from steno.verbs.answers import Tried
    from steno.vocabulary import Matcher

    patterns = {
        "command": matcher_command, "path": matcher_path, "tool": matcher_tool, "text": matcher_text,
        "family": matcher_family,
    }  # fmt: skip
    matcher = Matcher(**patterns) if any(patterns.values()) else None
    with progress("Trying") as told:
        rule, _, firings = Trials(memory.home, memory.rules).trial(id, matcher, told)
    return Tried(rule, firings)


# -- flows -----------------------------------------------------------------------------------------------------------


@verb("flows list", fresh=True, held=True)
def flows(
    memory: Memory, where: Where, *,
    status: Annotated[FlowStatus | None, Arg("Only these.")] = None, agent: Agent = None, at: At = None,
) -> list[answers.FlowShown]:  # fmt: skip
    """List procedures with their record.

    Those in force come first, then candidates, then retired ones. Candidates were learnt from transcripts and wait for
    `steno flows activate NAME`.

    $ steno flows
    """
    return [_shown(one) for one in memory.flows.all(status, where.project, at, agent=agent)]


@verb("flows find", fresh=True, held=True)
def find_flows(memory: Memory, where: Where, text: Words, *, agent: Agent = None) -> list[answers.FlowShown]:
    """Find the procedures that a text calls for, the best first.

    The words of triggers, names and steps are compared.

    $ steno flows find "deploy the blog"
    """
    found = memory.flows.find(text, where.project, agent=agent)
    return [_shown(flow, round(score, 3)) for flow, score in found]


@verb("flows show", fresh=True)
def show_flow(memory: Memory, name: Name) -> answers.FlowShown:
    """Show a procedure with its steps, its record and that of its earlier versions.

    $ steno flows show deploy-blog
    """
    return _shown(memory.flows.one(name))


@verb("flows add", "rules", fresh=True)
def add_flow(
    memory: Memory, where: Where, name: Name, *, steps: Steps = (), triggers: Triggers = (),
    domain: Field = "GENERAL", agent: For = None,
    needs_approval: Annotated[bool, Arg("A person must agree before it begins.")] = False,
) -> answers.FlowShown:  # fmt: skip
    """Add a procedure to this project; with `--everywhere`, to all.

    It is in force at once. A name is lower case with hyphens.

    $ steno flows add deploy-blog --step "make build" --trigger "deploy the blog"
    """
    return _shown(memory.flows.add(name, steps, triggers, domain, agent, where.project, needs_approval))


@verb("flows edit", "rules", fresh=True)
def edit_flow(
    memory: Memory, asker: Asker, name: Name, *, steps: Steps = (), triggers: Triggers = (),
    domain: Annotated[str | None, Arg("The field of work it belongs to.", "D")] = None,
    agent: Annotated[str | None, Arg("The agent it is for.", "A")] = None,
    project: Annotated[str | None, Arg("The project it holds in, by name or folder.", "P", kind="place")] = None,
    needs_approval: Annotated[bool | None, Arg("Whether a person must agree before it begins.")] = None,
) -> answers.FlowShown:  # fmt: skip
    """Change a procedure.

    What is not given stays as it is. Other steps make a new version with a record of its own.

    $ steno flows edit deploy-blog --step "make test" --step "make build"
    """
    from steno.verbs.asking import where

    if project is not None:
        project = where(memory, asker, project=project, everywhere=False, directory=None, writes=True).project
    changed = memory.flows.edit(
        name, steps=steps or None, triggers=triggers or None, domain=domain, agent=agent, project=project,
        needs_approval=needs_approval,
    )  # fmt: skip
    return _shown(changed)


@verb("flows activate", "rules", fresh=True)
def activate_flow(memory: Memory, name: Name) -> answers.FlowShown:
    """Put a candidate, or a retired procedure, in force.

    $ steno flows activate deploy-blog
    """
    return _shown(memory.flows.activate(name))


@verb("flows retire", "rules", fresh=True)
def retire_flow(memory: Memory, name: Name) -> answers.FlowShown:
    """Take a procedure out of force.

    Its record stays; a candidate does not come up again.

    $ steno flows retire deploy-blog
    """
    return _shown(memory.flows.retire(name))


@verb("flows outcome", "rules", fresh=True)
def grade_flow(memory: Memory, name: Name, went: Literal["pass", "fail"], summary: str = "") -> answers.FlowShown:
    """Record how a procedure went after it was followed to the end.

    $ steno flows outcome deploy-blog pass
    """
    return _shown(memory.flows.outcome(name, went == "pass", summary))


def _shown(flow: Flow, score: float | None = None) -> answers.FlowShown:
    from msgspec import structs

    from steno.clock import utc_now
    from steno.flows.record import health
    from steno.verbs.answers import FlowShown

    return FlowShown(
        **structs.asdict(flow), used=flow.used, effectiveness=flow.effectiveness, health=health(flow, utc_now()),
        score=score,
    )  # fmt: skip


# -- the gate --------------------------------------------------------------------------------------------------------


@verb("gate before", fresh=True, held=True, tool=("gate", "action agent tool input directory"))
def before(
    memory: Memory, asker: Asker,
    agent: Annotated[str | None, Arg("Your name.", "AGENT")] = None,
    action: Annotated[str, Arg("What you are about to do, in words, or the command itself.", "ACTION")] = "", *,
    tool: Annotated[str | None, Arg("The tool it is done with.")] = None,
    input: Annotated[dict[str, Any] | None, Arg("The tool's input.", "JSON", kind="json")] = None,
    directory: Place = None, session: In = None,
    exit_code: Annotated[bool, Arg("Exit with 3 where a person must be asked, with 4 where it is blocked.")] = False,
) -> answers.Gated:  # fmt: skip
    """Ask before an action: was it refused, did it fail, which rules, flow and tools apply.

    The verdict is allow, warn, ask or block.

    $ steno gate before bot "make deploy" --tool Bash
    """
    from steno.briefing.page import page_rows, page_text, verdict_name
    from steno.verbs.answers import Gate, Gated, GateReason
    from steno.verbs.held import only_a_persons
    from steno.vocabulary import Action, Ask, Reason
    from steno.vocabulary.errors import WrongUse

    if not action.strip() and not input:
        raise WrongUse("no action is given", hint='steno gate before AGENT "what is to be done"')
    if not asker.sees_all:
        directory, session = asker.sees(memory, directory), None
    asked = Action(
        agent=agent or "agent", text=action, tool=tool, input=input or {}, directory=directory, session=session
    )
    verdict = memory.before(asked)
    if words := only_a_persons(memory, asked):
        text = f"this waits for a person: `{words}`"
        verdict = Ask(reasons=(Reason(id=words, kind="act", text=text, quote="", at=None),), page=verdict.page)
    flow, reasons = verdict.page.flow, [GateReason.of(one) for one in getattr(verdict, "reasons", ())]
    name: Any = verdict_name(verdict)
    gate = Gate(verdict=name, reasons=reasons, flow=flow.name if flow else None, page=page_text(verdict))
    return Gated(gate=gate, rows=tuple(page_rows(verdict)), exits=exit_code)


@verb("gate after", "notes", fresh=True, held=True)
def after(
    memory: Memory, asker: Asker, agent: Annotated[str, Arg(metavar="AGENT")], went: Literal["pass", "fail"],
    summary: Annotated[str, Arg(metavar="SUMMARY")], *,
    flow: Annotated[str | None, Arg("The procedure that was followed.", "NAME")] = None,
    learned: Annotated[str | None, Arg("What was learnt; `none`: nothing was.")] = None,
    directory: Place = None, session: In = None,
) -> answers.Graded:  # fmt: skip
    """Report how an action went, so that rules and flows learn from it.

    What was done and what was learnt are each kept once. A lesson that changed no script, flow, matcher or schema is
    only words; the answer then proposes how to make it last.

    $ steno gate after bot pass "the service is up" --flow deploy-blog
    """
    from steno.vocabulary import Outcome

    if not asker.sees_all:
        directory, session = asker.sees(memory, directory), None
    outcome = Outcome(
        agent=agent, passed=went == "pass", summary=summary, flow=flow, learned=learned, directory=directory,
        session=session,
    )  # fmt: skip
    return memory.after(outcome)
