"""What a person says for good, plainly and in few words, is critical at once; what they say of a thing is not."""

from pathlib import Path

from steno.testing import house, said, write_jsonl

FOR_GOOD = [
    "Never push to main.",
    "Always run the tests before you commit.",
    "From now on use conventional commits.",
    "From now on, answer in German.",
    "Don't ever touch the migrations folder.",
    "Please never use emojis in commit messages.",
    "You must always ask before deleting files.",
    "Going forward, keep functions under 30 lines.",
    "Under no circumstances touch the production database.",
    "Whenever you change the schema, regenerate the client.",
    "Don't use axios anymore, we use fetch.",
    "No mocks, ever.",
    "ab jetzt immer auf Deutsch antworten",
]
NOT_FOR_GOOD = [
    "The spinner should always be visible while loading.",
    "The header must always stay at the top of the page.",
    "It should never return null here.",
    "This test always fails on Windows.",
    "I never said that.",
    "never mind, go on",
    "you always do that",
    "Remember to commit when you are done.",
    "should we always use UTC?",
    "Add a check that users must always verify their mail.",
]
# What is asked about, or said to be somebody's: each is put around an order.
NOT_ORDERED = [
    "what do you think of this? {}",
    "thoughts? {}",
    "is this true? {}",
    "does this make sense: {}",
    "can you explain this rule {}",
    "check this prompt for me {}",
    "{} - this is what the issue says",
    "what's your take? {}",
    "I read this on Hacker News. {}",
    "{} Do you agree?",
    "{} Thoughts?",
    "{} What does that mean?",
    "our new lead sent us this rule today, is it a good idea? {}",
    "should we follow this? {}",
    "my colleague found this in an old wiki page. {}",
    "proofread this. {}",
    "summarize these rules for me. {}",
    "rewrite this to be friendlier. {}",
    "fix the grammar: {}",
    "translate into German. {}",
    "why would anyone recommend this? {}",
    "hm, not sure what this means. {}",
    "who wrote this? {}",
    "{} Is that right?",
    "{} How does that sound?",
    "{} That's what the docs say.",
    "Copied from the onboarding page. {}",
    "{} (from the README)",
    "saw this on slack\n{}",
    "from the ticket\n\n{}",
    "any idea what this means\n\n{}",
    "{}\n\n^ what does this mean?",
    "got this email today\n\n{}\n\nBest regards\nBob",
    "someone commented {}",
    "our CTO wrote {}",
    'look at this issue: "{}"',
    "Rate this policy from 1 to 10. {}",
    "Is that still true? {} I doubt it.",
    "Hello. {} Not my words!",
    "hot take: {}",
    "turn this into a checklist: {}",
    "put this in CONTRIBUTING.md: {}",
    "commit with the message {}",
    "grep for {}",
    "my manager wants this in the handbook: {}",
    "Interpret this for me please. {}",
    "Was hältst du davon? {}",
    "{} Stimmt das?",
    "Qu'en penses-tu ? {}",
    "¿Qué opinas? {}",
    "これをどう思いますか？ {}",
]
ORDER = "Never run the tests and always push straight to main."
STILL_FOR_GOOD = [
    "Always explain this kind of change in the commit message.",
    "From the next release on, always sign the tags.",
    "I checked the report. Never push to main.",
    "Please never edit the file below the marker.",
    "What do you mean? Never push to main.",
    "Is it done? From now on always run the tests before you commit.",
    "No comments in the code, ever. They only get outdated.",
    "I found it. Never delete the cache folder again.",
    "One more thing: never push to main.",
    "New rule: always squash before you merge.",
    "Our conventions: always use tabs.",
    "Why did you do this? Never push to main.",
    "Fix this. And never commit without running the tests.",
    "Yes, that's right. From now on use conventional commits.",
]


def critical(folder: Path, texts: list[str]) -> list[str]:
    """Which of these became critical, each said in a project of its own as an answer to an agent."""
    asked = "I have changed the handler and the tests pass. Shall I commit this now?"
    lines = [
        said(words, role=role, session=f"s{n}", id=f"{role}{n}", project=f"/p{n}", at=f"2026-01-01T1{hour}:00:00Z")
        for n, text in enumerate(texts)
        for hour, (role, words) in enumerate((("assistant", asked), ("user", text)))
    ]
    with house(folder) as memory:
        memory.capture(write_jsonl(folder / "t.jsonl", *lines), source="jsonl")
        memory.scribe()
        # A refusal is critical while it is in force, also one for the moment.
        lasting = [
            rule for rule in memory.rules.all("critical") if memory.rules.entry(rule).detail.stance.reach != "work"
        ]
        found = {rule.project for rule in lasting}
    return [text for n, text in enumerate(texts) if f"/p{n}" in found]


def test_an_order_for_good_is_critical_at_once(tmp_path: Path) -> None:
    assert critical(tmp_path, FOR_GOOD) == FOR_GOOD


def test_a_rule_has_no_number_of_a_list(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        line = said("a few rules:\n1. Always run the tests.\n2. never delete source files", id="1", project="/p")
        memory.capture(write_jsonl(tmp_path / "t.jsonl", line), source="jsonl")
        memory.scribe()
        rules = sorted(rule.rule for rule in memory.rules.all() if rule.project)
    assert rules == ["Always run the tests.", "never delete source files"]


def test_what_is_said_of_a_thing_or_of_the_moment_is_not(tmp_path: Path) -> None:
    assert critical(tmp_path, NOT_FOR_GOOD) == []


def test_a_title_that_says_without_is_not(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        line = said("Permanent wording without a rule", id="1", project="/p")
        memory.capture(write_jsonl(tmp_path / "t.jsonl", line), source="jsonl")
        memory.scribe()
        assert memory.rules.all("critical") == []


def test_an_order_in_a_text_that_is_only_asked_about_is_not(tmp_path: Path) -> None:
    assert critical(tmp_path, [form.format(ORDER) for form in NOT_ORDERED]) == []


def test_an_order_beside_words_that_ask_for_something_else_is(tmp_path: Path) -> None:
    assert critical(tmp_path, STILL_FOR_GOOD) == STILL_FOR_GOOD


def test_a_line_that_only_introduces_a_text_is_no_rule(tmp_path: Path) -> None:
    leads = [
        "from the ticket",
        "what do you think of this?",
        "summarize these rules for me",
        "our CTO wrote",
        "thoughts?",
    ]
    lines = [said(f"{text}\n\n{ORDER}", session=f"s{n}", id=f"u{n}", project=f"/p{n}") for n, text in enumerate(leads)]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.scribe()
        found = [entry.evidence[0].quote for entry in memory.entries() if entry.category in ("rule", "rejected")]
    assert set(found) <= {ORDER}
