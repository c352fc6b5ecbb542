"""What a person's turn says: rejections, decisions, instructions, tasks, context."""

from steno.scribe.human_answer import answers
from steno.scribe.human_decide import decisions, taken_up
from steno.scribe.human_hear import Heard, hear
from steno.scribe.human_plan import plan
from steno.scribe.human_points import points
from steno.scribe.human_reject import rejections
from steno.scribe.human_rest import requests, rules, situation
from steno.scribe.human_write import Note, write
from steno.vocabulary import Candidate, JournalTurn, Window

# More than this from one turn is a document that was not recognised as one.
_MAX_CANDIDATES = 16


def from_human(turn: JournalTurn, window: Window) -> list[Candidate]:
    """Candidates of a person's turn."""
    if not turn.turn.text.strip() or _is_command_line(turn):
        return []
    heard = hear(turn, window)
    notes = plan(heard) + answers(heard, window) + _chat(heard)
    return [write(heard, note) for note in notes[:_MAX_CANDIDATES]]


def _chat(heard: Heard) -> list[Note]:
    settled_points, left = points(heard)
    always_from, heard = heard, heard._replace(said=left)
    no = rejections(heard)
    rejected = _starts(no)
    always = [note for note in rules(always_from) if not _starts([note]) <= rejected or note.sure >= 0.8]
    # "Don't touch the vendor folder" is one thing: an instruction that stands.
    no = [note for note in no if note.cue != "an order not to" or not _starts([note]) <= _starts(always)]
    chosen = decisions(heard, rejected | _starts(always))
    asked = [note for note in requests(heard) if not (note.said[0].asks and note.cue == "an order")]
    settled = rejected | _starts(always) | _starts(chosen)
    agreed = [
        taken_up(heard, note.said[0]) for note in asked if note.category == "task" and not _starts([note]) <= settled
    ]
    told = situation(heard, settled | _starts(asked))
    return settled_points + no + always + chosen + [note for note in agreed if note is not None] + asked + told


def _starts(notes: list[Note]) -> set[int]:
    return {one.span.start for note in notes for one in note.said}


def _is_command_line(turn: JournalTurn) -> bool:
    """A shell command or the bare name of a slash command says nothing; longer arguments are words."""
    return turn.turn.kind == "command" and len(turn.turn.text.split()) < 5
