"""Progress in an assistant's calls: what it writes into a commit, and into its host's task list."""

import re

from msgspec.structs import replace

from steno.scribe.agent_tasks import SUMMARY_LENGTH, State, task
from steno.scribe.agent_words import shortened
from steno.vocabulary import Candidate, JournalTurn, Quote, Window

# Only the beginning of a call is read: a message stands before its attachments.
READ = 6000
# Where git says which commit it made: before or after what its hooks print.
HEAD, TAIL = 600, 1200
# The first line of a commit message, as it stands in the call's JSON: after -m, or in a here-document after it.
_COMMIT = re.compile(
    r"git commit\b[^\n]{0,200}?-a?m (?:\\\"\$\(cat <<-? ?(?:\\\")?'?EOF'?(?:\\\")?\\n\s*|\\\"|')"
    r"((?:[^\\\"'\n]|\\(?![n\"])){12,300})"
)
_MADE = re.compile(r"\[[^\[\]\n]{1,120} ([0-9a-f]{7,12})\] [^\n]{1,200}")
_SUBJECT = re.compile(r'"(?:subject|title)" ?: ?"((?:[^"\\]|\\.){6,300})"')
_DESCRIPTION = re.compile(r'"description" ?: ?"((?:[^"\\]|\\.){6,900})"')
_STATUS = re.compile(r'"status" ?: ?"(\w+)"')
_STATES: dict[str, State] = {"completed": "done", "in_progress": "doing"}


def from_commit(result: JournalTurn, window: Window) -> list[Candidate]:
    """The commit a call made, once its result says it did not fail: the words are the assistant's, from the call."""
    done = result.turn
    if done.failed or done.call is None:
        return []
    made = next((one for one in reversed(window.done) if one.turn.kind == "call" and one.turn.call == done.call), None)
    match = _COMMIT.search(made.turn.text[:READ]) if made and "git commit" in made.turn.text[:READ] else None
    if made is None or match is None:
        return []
    proof = _MADE.search(done.text[:HEAD]) or _MADE.search(done.text[-TAIL:])
    words = f"Committed{f' as {proof.group(1)}' if proof else ''}: {match.group(1)}"
    found = task(made, match.group(1), words, "done", "a commit that went through")
    return [replace(found, evidence=[*found.evidence, Quote(result.id, proof.group())]) if proof else found]


def from_task_list(turn: JournalTurn) -> list[Candidate]:
    """What an assistant writes into its host's task list."""
    text = turn.turn.text[:READ]
    listed = "task" in (turn.turn.tool or "").lower() and '"prompt"' not in text
    return _listed(turn, text) if listed else []


def _listed(turn: JournalTurn, text: str) -> list[Candidate]:
    status = _STATUS.search(text)
    more = _DESCRIPTION.search(text)
    match = _SUBJECT.search(text) or (more if status else None)
    if match is None:
        return []
    state: State = _STATES.get(status.group(1), "open") if status else "open"
    words = match.group(1) if more is None or more is match else f"{match.group(1)}: {more.group(1)}"
    return [task(turn, match.group(1), shortened(words, SUMMARY_LENGTH), state, "an entry in the agent's task list")]
