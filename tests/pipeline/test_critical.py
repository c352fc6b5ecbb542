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
    "Don't push this yet.",
    "Remember to commit when you are done.",
    "should we always use UTC?",
    "Add a check that users must always verify their mail.",
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
        found = {rule.project for rule in memory.rules.all("critical")}
    return [text for n, text in enumerate(texts) if f"/p{n}" in found]


def test_an_order_for_good_is_critical_at_once(tmp_path: Path) -> None:
    assert critical(tmp_path, FOR_GOOD) == FOR_GOOD


def test_what_is_said_of_a_thing_or_of_the_moment_is_not(tmp_path: Path) -> None:
    assert critical(tmp_path, NOT_FOR_GOOD) == []
