"""The capsule: who an agent is and what it must not forget, in a hundred lines."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from steno.briefing.handoff import InWork, asked, section
from steno.briefing.render import framed, safe
from steno.language.alike import same
from steno.vocabulary import Entry, Rule

COLD_START: Final = "no capsule: cold start"
_MOST_LINES: Final = 100
_TRAITS, _PRIORITIES, _RULES, _FACTS, _SESSIONS = 10, 10, 30, 20, 3


class Self(Struct, frozen=True, kw_only=True):
    """What a capsule is made of; each the most important or the newest first."""

    written_at: str
    agent: str | None = None
    # What an agent is, can do, is doing.
    traits: Sequence[Entry] = ()
    # What matters now: priorities, deadlines.
    priorities: Sequence[Entry] = ()
    rules: Sequence[Rule] = ()
    facts: Sequence[Entry] = ()
    sessions: Sequence[InWork] = ()


def capsule(about: Self) -> str:
    """The capsule as Markdown, or that there is none."""
    critical = [rule for rule in about.rules if rule.status == "critical" and rule.merged_into is None]
    goals = [text for work in about.sessions[:1] for text in reversed(asked(work.checkpoint)) if text]
    shared = about.agent is None and (critical or about.facts)
    if not (about.traits or about.priorities or about.sessions or shared):
        return f"{COLD_START}\n"
    who = [f"agent {about.agent}"] if about.agent else []
    lines = ["# Capsule", f"written at {about.written_at}"]
    lines += section("Who", [*who, *(entry.summary for entry in about.traits[:_TRAITS])])
    lines += section("Priorities", [*goals, *(entry.summary for entry in about.priorities[:_PRIORITIES])])
    facts = [(entry.summary, entry.project) for entry in about.facts[:_FACTS]]
    lines += section("Critical facts", _each_once([*((rule.rule, rule.project) for rule in critical[:_RULES]), *facts]))
    lines += section("Last sessions", map(_session, about.sessions[:_SESSIONS]))
    return framed(lines[: _MOST_LINES - 2], page="capsule") + "\n"


def _each_once(told: Sequence[tuple[str, str | None]]) -> Iterator[tuple[str, str]]:
    """What was told of a project with its name, and nothing that only repeats what stands above it."""
    above: dict[str | None, list[str]] = {}
    for text, project in told:
        of_project = above.setdefault(project, [])
        if not any(same(text, one) for one in of_project):
            of_project.append(text)
            yield f"in {safe(project, 80)}: " if project else "", text


def _session(work: InWork) -> str:
    where = f" in {safe(work.project, 80)}" if work.project else ""
    begun, last = asked(work.checkpoint)
    goal = f"{safe(begun, 100)}; then: {last}" if last else begun or "no goal named"
    return f"{(work.at or 'no time')[:16]} {safe(work.session, 60)}{where}: {goal}"
