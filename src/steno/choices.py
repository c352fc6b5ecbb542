"""Words somebody may choose from, in one light place: the table of verbs reads them on every command line."""

from typing import Literal

Category = Literal[
    "decision",  # what was chosen, and why
    "rejected",  # what the human said no to
    "rule",  # a standing instruction or preference
    "exclusion",  # an approach that failed
    "task",  # something to do
    "commitment",  # something somebody promised
    "discovery",  # found out now
    "learning",  # a lesson from a mistake
    "fact",  # a lasting truth about people, project, infrastructure
    "context",  # priorities, deadlines, mood: soft, expires
    "agent_state",  # what an agent is, can do, is doing
]
EntryStatus = Literal["active", "done", "superseded", "archived", "forgotten"]
# What a person says to a review: the first four to an offer, `end` or `keep` to a rule that may end, three to a
# contradiction, two to a held page, and two to what an agent asked for.
Answer = Literal[
    "keep",  # it lasts from now on
    "drop",  # it holds no more: archived
    "reword",  # it lasts, in other words
    "work",  # it stays as it is: for its piece of work only
    "end",  # the rule holds no more: archived
    "one",
    "other",
    "both",
    "take",  # the page is meant as it is
    "back",  # what stood there before stands there again
    "yes",
    "no",
]

RuleStatus = Literal["critical", "active", "dormant", "retired"]
# How hard a matcher stands in the way. The ladder is climbed one step at a time, and only after a trial.
Mode = Literal["warn", "ask", "block"]

# `candidate`: learnt from transcripts, not in force until a person says so.
FlowStatus = Literal["candidate", "active", "retired"]

WorkStatus = Literal["active", "finished", "dropped"]

# What recall looks through; all: entries and turns.
Within = Literal["entries", "turns", "sessions", "all"]
# What likely fits; the nearest, however far; or only what holds the question word for word.
How = Literal["likely", "nearest", "exact"]
