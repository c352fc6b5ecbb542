"""Everything that is measured of an agent. Another dimension is a column of a query and a line here; `docs/fitness.md`
is made from this table, and a test says that table, queries and page agree."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from steno.vocabulary.fitness import Better, Dimension


class _Line(NamedTuple):
    name: str
    about: str
    better: Better = ""
    half: float | None = None
    mend: str = ""


# Where a number that no query gives comes from.
LESSONS: Final = "lessons_in_words"
UNREAD: Final = "unread_messages"
READY: Final = "fleet/ready.py"

_TABLE: Final[dict[str, tuple[_Line, ...]]] = {
    "fitness_turns": (
        _Line("turns", "turns captured"),
        _Line("words_of_people", "turns in which a person spoke"),
        _Line("active_days", "days on which anything was said or done"),
        _Line("tool_calls", "tools it called"),
        _Line("failed_calls", "share of its tool calls that failed", "less", None, "steno turns latest"),
        _Line("refused_calls", "share of its tool calls a person refused", "less", None,
              "steno entries --category rejected"),
        _Line("interruptions", "times a person stopped it", "less", 5, "steno turns latest"),
        _Line("scheduled_prompts", "prompts nobody typed"),
        _Line("compactions", "times its context was compacted"),
    ),
    "fitness_capture": (
        _Line("sessions", "sessions it was heard of in"),
        _Line("hours_silent", "hours since it was heard of", "less", 48, "steno sessions"),
        _Line("context_fill", "share of its context that is full, at the fullest", "less", None, "steno status"),
        _Line("turns_unread", "turns the scribe has not read", "less", 500, "steno scribe"),
        _Line("silent_sessions", "long sessions of which nothing was learnt", "less", 1, "steno status"),
    ),
    "fitness_transcripts": (
        _Line("gaps", "gaps in its transcripts", "less", 1, "steno status"),
        _Line("bad_lines", "share of lines that could not be read", "less", None, "steno status"),
        _Line("mended_lines", "share of lines that were mended", "less", None, "steno status"),
        _Line("unreadable_transcripts", "transcripts that cannot be read", "less", 1, "steno status"),
    ),
    "fitness_entries": (
        _Line("entries", "what was learnt of its sessions and holds"),
        _Line("entries_new", "what was learnt of its sessions lately"),
        _Line("decisions", "decisions that hold"),
        _Line("refusals", "refusals that hold"),
        _Line("failed_approaches", "approaches that failed"),
        _Line("lessons", "lessons that hold"),
        _Line("facts", "facts and discoveries that hold"),
        _Line("promises_open", "promises that are not kept yet", "less", 10, "steno entries --category commitment"),
        _Line("tasks_open", "tasks that are open", "less", 20, "steno entries --category task"),
        _Line("oldest_task_days", "age of its oldest open task, in days", "less", 14, "steno entries --category task"),
        _Line("confirmed", "share of what holds that is confirmed", "more", None, "steno review"),
        _Line("refuted", "share of what was learnt that proved wrong", "less", None, "steno review"),
        _Line("unsure_rules", "rules and refusals that may not be any", "less", 10, "steno review"),
        _Line("field_known", "share of what holds whose field of work is known", "more", None, "steno entries"),
        _Line("said_again", "what people had to say again", "less", 5, "steno rules"),
        _Line("superseded", "share of what was learnt that was replaced"),
        _Line("contradictions", "contradictions that wait for a person", "less", 3, "steno review"),
    ),
    "fitness_use": (
        _Line("entries_recalled", "share of what holds that was ever recalled"),
        _Line("used_of_given", "share of what it was given that turned up in what it did", "more", None,
              "steno receipts"),
        _Line("used_badly", "share of what it used that went wrong", "less", None, "steno upkeep explain trace"),
        _Line("given_in_vain", "share of what was given that nobody ever used", "less", None,
              "steno upkeep explain trace"),
    ),
    "fitness_rules": (
        _Line("rules", "rules in force for it"),
        _Line("critical_rules", "critical rules in force for it"),
        _Line("dormant_rules", "dormant rules"),
        _Line("checkable_rules", "share of its rules a gate can check exactly", "more", None, "steno rules trial"),
        _Line("rules_ever_broken", "share of its rules that were ever broken", "less", None, "steno rules"),
    ),
    "fitness_outcomes": (
        _Line("outcomes", "actions somebody said the outcome of"),
        _Line("outcomes_passed", "share of its actions that went well, as was said afterwards", "more", None,
              "steno rules lessons"),
        _Line("rules_broken", "rules broken in its actions", "less", 1, "steno rules"),
        _Line("rules_kept", "rules heeded in its actions"),
        _Line("lessons_learnt", "lessons that came of its actions"),
        _Line("lessons_repeated", "share of lessons that had been learnt before", "less", None, "steno rules lessons"),
    ),
    "fitness_given": (
        _Line("gate_answers", "actions the gate was asked about"),
        _Line("gate_reminders", "share of its actions at which the gate reminded", "less", None, "steno receipts"),
        _Line("gate_asks", "actions at which the gate said: ask first", "less", 5, "steno receipts"),
        _Line("gate_blocks", "actions the gate blocked", "less", 2, "steno receipts"),
        _Line("boots", "times it was told what it is for and what holds"),
        _Line("briefings", "briefings it was given"),
        _Line("briefing_tokens", "tokens a briefing or a boot took, on the average"),
        _Line("compactions_briefed", "share of compactions after which it was briefed", "more", None, "steno doctor"),
    ),
    "fitness_ungraded": (
        _Line("ungraded", "share of actions of which nobody said how they went", "less", None,
              "steno gate after --help"),
    ),
    "fitness_losses": (
        _Line("lost", "share of what work depends on that compactions took", "less", None,
              "steno loss --session latest"),
    ),
    "fitness_flows": (
        _Line("flows", "flows in force for it"),
        _Line("flow_success", "share of times its flows came to a good end", "more", None, "steno flows"),
        _Line("flows_broken", "flows that fail more often than not", "less", 1, "steno flows"),
        _Line("flows_unused", "flows nobody followed in a month", "less", 3, "steno flows"),
    ),
    "fitness_works": (
        _Line("works_open", "pieces of work that are open", "less", 10, "steno work"),
        _Line("works_finished", "pieces of work it finished lately"),
        _Line("works_dropped", "pieces of work that were dropped lately", "less", 3, "steno work"),
        _Line("finished_of_ended", "share of work that ended by being finished", "more", None, "steno work"),
        _Line("works_claimed", "pieces of work it calls finished and nobody confirmed", "less", 5, "steno work"),
        _Line("oldest_work_days", "days since anybody went on with the oldest open work", "less", 7, "steno work"),
    ),
    "fitness_model": (
        _Line("model_calls", "times a model read its sessions"),
        _Line("model_failed", "share of a model's calls that failed", "less", None, "steno spend"),
        _Line("model_tokens", "tokens a model took for it"),
        _Line("model_dollars", "dollars a model took for it"),
    ),
    "fitness_fleet": (
        _Line("capabilities", "what it can do, as far as is known"),
        _Line("capabilities_well", "share of its capabilities whose last check went well", "more", None,
              "steno capabilities check"),
        _Line("capabilities_unchecked", "share of its capabilities nobody checked", "less", None,
              "steno capabilities check"),
        _Line("messages_sent", "messages it sent"),
        _Line("messages_got", "messages that were ever sent to it"),
        _Line("messages_answered", "share of messages to it that it answered", "more", None, "steno relay threads"),
        _Line("flags_raised", "flags it raised that stand", "less", 3, "steno flags"),
        _Line("beat_hours", "hours since it said that it is alive", "less", 24, "steno agents"),
    ),
    UNREAD: (
        _Line("unread", "messages that wait for it", "less", 5, "steno relay threads"),
        _Line("oldest_unread_hours", "hours the oldest message waits for it", "less", 24, "steno relay threads"),
    ),
    READY: (
        _Line("ready", "share of what self-direction needs that is there", "more", None, "steno agents"),
    ),
    LESSONS: (
        _Line("lessons_in_words", "lessons that are only words", "less", 3, "steno rules lessons"),
        _Line("oldest_lesson_days", "age of its oldest lesson in words, in days", "less", 7, "steno rules lessons"),
    ),
    "fitness_bridges": (
        _Line("bridges", "bridges it stands at one end of"),
        _Line("bridges_well", "share of its bridges in order", "more", None, "steno bridges"),
    ),
    "fitness_home": (
        _Line("jobs_failing", "jobs whose last run failed", "less", 1, "steno upkeep"),
        _Line("runs_well", "share of runs that went well", "more", None, "steno upkeep"),
        _Line("backup_hours", "hours since the last backup", "less", 72, "steno upkeep run backup"),
        _Line("pages_owed", "changes that are not on their pages", "less", 200, "steno notebook sync"),
        _Line("flags_standing", "flags that stand", "less", 5, "steno flags"),
        _Line("infrastructure_well", "share of what was looked at on this machine that is well", "more", None,
              "steno infrastructure"),
        _Line("infrastructure_unknown", "share of what could not be looked at", "less", None, "steno infrastructure"),
        _Line("files_changed", "watched files and folders that changed lately"),
    ),
}  # fmt: skip


def _all() -> Iterator[Dimension]:
    for source, lines in _TABLE.items():
        for line in lines:
            yield Dimension(**line._asdict(), source=source, shared=source == "fitness_home")


# By name, in the order they are shown.
DIMENSIONS: Final[dict[str, Dimension]] = {one.name: one for one in _all()}
