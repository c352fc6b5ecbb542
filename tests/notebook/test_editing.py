"""Saving a page in any editor: what becomes of it, and that nothing is lost."""

import json
import os

import pytest

from steno.vocabulary import Action, Ask, Block

from .conftest import PROJECT, Desk

TOPIC = "topics/projects/shop.md"


def test_a_changed_line_revises_its_entry_and_keeps_what_it_was(desk: Desk) -> None:
    id_ = desk.told("never change the payments table by hand")
    desk.sync()
    assert desk.replace("the payments table", "the orders table") == [
        ("revised", "never change the orders table by hand")
    ]
    entry = desk.memory.entry(id_)
    assert (entry.summary, entry.origin) == ("never change the orders table by hand", "edit")
    (belief,) = desk.memory.believes("orders table")
    change = belief.last.changes[-1]
    assert (change.was, change.summary) == (
        "never change the payments table by hand",
        "never change the orders table by hand",
    )


def test_an_edit_is_in_force_at_the_next_recall_briefing_and_gate(desk: Desk) -> None:
    desk.told("never change the payments table by hand")
    desk.sync()
    desk.replace("never change the payments table by hand", "never delete the ledger")
    memory = desk.memory
    assert [hit.text for hit in memory.recall("ledger", within="entries")] == ["never delete the ledger"]
    assert [rule.rule for rule in memory.rules.all()] == ["never delete the ledger"]
    boot = memory.boot(project=PROJECT, given=False).text
    assert "never delete the ledger" in boot
    assert "payments" not in boot
    verdict = memory.before(Action(agent="a", text="delete the ledger", directory=PROJECT))
    assert isinstance(verdict, Ask | Block)


def test_a_deleted_line_archives_its_entry_and_bringing_it_back_revives_it(desk: Desk) -> None:
    id_ = desk.told("Ada draws the boxes", "fact")
    desk.told("the oven is from 1970", "fact")
    desk.sync()
    whole = desk.read(TOPIC)
    line = next(line for line in whole.splitlines(keepends=True) if id_ in line)
    assert desk.replace(line, "", TOPIC) == [("archived", "Ada draws the boxes")]
    assert desk.memory.entry(id_).status == "archived"
    desk.save(whole, TOPIC)
    assert desk.sync() == [("brought back", "Ada draws the boxes")]
    assert desk.memory.entry(id_).status == "active"
    assert desk.read(TOPIC) == whole


def test_a_new_line_becomes_what_its_heading_says(desk: Desk) -> None:
    desk.save("# Shop\n\n## To do\n\n* order new cookies\n\n## What holds\n\n- the oven is from 1970\n", TOPIC)
    assert desk.sync() == [("added", "order new cookies"), ("added", "the oven is from 1970")]
    found = {
        entry.summary: (entry.category, entry.origin, entry.project) for entry in desk.memory.entries(status="active")
    }
    assert found == {
        "order new cookies": ("task", "edit", PROJECT),
        "the oven is from 1970": ("fact", "edit", PROJECT),
    }
    assert desk.lines(TOPIC)[1:3] == ["## To do", "- [ ] order new cookies"]
    assert desk.lines(TOPIC)[3:] == ["## What holds", "- the oven is from 1970"]
    assert desk.sync() == []


@pytest.fixture(autouse=True)
def shop(desk: Desk) -> None:
    """The project is known, and its folder is there."""
    id_ = desk.told("there is a shop", "fact")
    desk.sync()
    desk.memory.archive(id_)
    desk.sync()
    (desk.shop / TOPIC).unlink()


def test_a_ticked_box_closes_a_task_and_opens_it_again(desk: Desk) -> None:
    id_ = desk.told("order new cookies", "task")
    desk.sync()
    assert desk.replace("[ ]", "[x]", TOPIC) == [("done", "order new cookies")]
    assert desk.memory.entry(id_).status == "done"
    assert desk.replace("[x]", "[ ]", TOPIC) == [("reopened", "order new cookies")]
    assert desk.memory.entry(id_).status == "active"


def test_a_line_moved_to_another_page_changes_its_topic(desk: Desk) -> None:
    id_ = desk.told("Ada draws the boxes", "fact")
    desk.told("the oven is from 1970", "fact")
    desk.sync()
    line = next(line for line in desk.read(TOPIC).splitlines(keepends=True) if id_ in line)
    desk.save(desk.read(TOPIC).replace(line, ""), TOPIC)
    desk.save(f"# Team\n\n## What holds\n\n{line}", "topics/people/team.md")
    assert desk.sync() == [("moved", "Ada draws the boxes")]
    assert desk.memory.entry(id_).status == "active"
    assert "Ada" not in desk.read(TOPIC)
    desk.memory.rebuild()
    desk.sync()
    assert "- Ada draws the boxes" in desk.lines("topics/people/team.md")
    assert "[people/team](topics/people/team.md)" in desk.read("MEMORY.md")


def test_a_line_moved_under_another_heading_changes_its_category(desk: Desk) -> None:
    id_ = desk.told("check the oven every night", "fact")
    desk.sync()
    assert desk.replace("## What holds", "## To do", TOPIC) == [("moved", "check the oven every night")]
    assert desk.memory.entry(id_).category == "task"
    assert desk.lines(TOPIC)[1:] == ["## To do", "- [ ] check the oven every night"]


def test_a_rule_moved_to_the_refusals_is_one(desk: Desk) -> None:
    id_ = desk.told("no framework for forms")
    desk.sync()
    line = next(line for line in desk.read().splitlines(keepends=True) if id_ in line)
    desk.save(desk.read().replace(line, ""))
    desk.save(f"## What was refused\n\n{line}", "rejections.md")
    assert desk.sync() == [("moved", "no framework for forms")]
    assert desk.memory.entry(id_).category == "rejected"


def test_what_stands_below_a_decision_can_be_edited_too(desk: Desk) -> None:
    id_ = desk.told("use SQLite", "decision")
    desk.sync()
    line = next(line for line in desk.read("decisions.md").splitlines(keepends=True) if id_ in line)
    desk.replace(line, f"{line}  - reasoning: one file\n  - options: Postgres; MySQL\n", "decisions.md")
    detail = desk.memory.entry(id_).detail
    assert (detail.stance.why, detail.options) == ("one file", ["Postgres", "MySQL"])  # type: ignore[union-attr]
    assert desk.lines("decisions.md")[2:] == [
        "- 2026-03-02 09:03 use SQLite",
        "  - options: Postgres; MySQL",
        "  - reasoning: one file",
    ]
    assert desk.sync() == []


def test_both_sides_changed_keeps_both_texts_and_asks(desk: Desk) -> None:
    id_ = desk.told("meetings are on Monday", "fact")
    desk.sync()
    desk.memory.revise(id_, summary="meetings are on Tuesday")
    desk.save(desk.read(TOPIC).replace("Monday", "Friday"), TOPIC)
    synced = desk.memory.notebook.sync()
    assert [(one.id, one.text) for one in synced.conflicts] == [(id_, "meetings are on Friday")]
    assert {line for line in desk.lines(TOPIC) if line.startswith("- ")} == {
        "- meetings are on Tuesday",
        "- meetings are on Friday",
    }
    (review,) = desk.memory.reviews()
    desk.memory.resolve(review.id, "other")
    desk.sync()
    assert desk.lines(TOPIC)[2:] == ["- meetings are on Friday"]


def test_prose_stays_untouched_and_is_found_by_recall(desk: Desk) -> None:
    desk.told("the oven is from 1970", "fact")
    desk.sync()
    prose = "\n## My own thoughts\n\nGrandmother bought the oven in Lyon.\n\n| a | b |\n|---|---|\n\n```sh\n- rm\n```\n"
    desk.save(desk.read(TOPIC) + prose, TOPIC)
    desk.sync()
    assert desk.read(TOPIC).endswith(prose)
    (hit,) = desk.memory.recall("grandmother Lyon", within="entries", k=1)
    assert (hit.text, hit.origin) == ("Grandmother bought the oven in Lyon.", "file")
    desk.save(desk.read(TOPIC).replace("Grandmother bought the oven in Lyon.", ""), TOPIC)
    desk.sync()
    assert [hit.text for hit in desk.memory.recall("grandmother Lyon", within="entries")] == []


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_how_a_person_typed_it_stays(desk: Desk, ends: str) -> None:
    text = "\ufeff# Mine\n\n## What holds\n\n*\tthe oven is hot   \n- the shop\n  opens at nine\n"
    desk.save(text.replace("\n", ends), TOPIC)
    assert desk.sync() == [("added", "the oven is hot"), ("added", "the shop opens at nine")]
    typed = desk.read(TOPIC)
    assert typed.startswith(f"\ufeff# Mine{ends}{ends}## What holds{ends}{ends}- the oven is hot <!-- ")
    assert typed.count("\r\n") == (typed.count("\n") if ends == "\r\n" else 0)
    wrapped = typed.replace("the shop opens", f"the shop{ends}  opens  ").replace("oven is", "oven  is")
    desk.save(wrapped, TOPIC)
    assert (desk.sync(), desk.read(TOPIC)) == ([], wrapped)


def test_a_half_saved_file_is_left_until_it_is_whole(desk: Desk) -> None:
    for number in range(4):
        desk.told(f"rule number {number} of the house is short")
    desk.sync()
    whole = desk.read()
    for cut in ("", whole[: len(whole) - 40]):
        desk.save(cut)
        synced = desk.memory.notebook.sync()
        assert [(one.page, one.reason) for one in synced.held] == [("shop/rules.md", "looks half saved")]
        assert desk.read() == cut
    desk.save(whole)
    assert (desk.sync(), len(desk.memory.rules.all())) == ([], 4)


def test_most_of_a_page_is_not_deleted_by_mistake(desk: Desk) -> None:
    for number in range(12):
        desk.told(f"box number {number} of the house is red", "fact")
    desk.sync()
    desk.save("# Shop\n", TOPIC)
    assert [one.reason for one in desk.memory.notebook.sync().held] == ["has lost 12 of 12 lines"]
    assert len(desk.memory.entries(category="fact", status="active")) == 12
    (desk.shop / TOPIC).unlink()
    desk.sync()
    assert (len(desk.lines(TOPIC)), desk.memory.reviews()) == (14, [])


def test_deleted_on_purpose_is_archived(desk: Desk) -> None:
    for number in range(12):
        desk.told(f"rule number {number} of the house is short")
    desk.sync()
    desk.save("# Rules: shop\n")
    assert len(desk.memory.notebook.sync(deleted=True).edits) == 12
    assert desk.memory.rules.all() == []


def test_a_read_only_file_and_a_link_are_left_alone(desk: Desk, tmp_path: os.PathLike[str]) -> None:
    desk.told("always be early")
    desk.sync()
    (desk.shop / "rules.md").chmod(0o400)
    desk.told("always be kind to strangers")
    outside = desk.memory.home.root.parent / "outside.md"
    outside.write_text("# Mine\n\n- my own secret line\n")
    (desk.shop / "topics" / "people").mkdir(parents=True)
    (desk.shop / "topics" / "people" / "ada.md").symlink_to(outside)
    (desk.shop / "topics" / "places").symlink_to(outside.parent)
    synced = desk.memory.notebook.sync()
    assert [(one.page, one.reason) for one in synced.held] == [("shop/rules.md", "is read-only")]
    assert "strangers" not in desk.read()
    assert outside.read_text() == "# Mine\n\n- my own secret line\n"
    assert "my own secret line" not in [entry.summary for entry in desk.memory.entries()]
    (desk.shop / "rules.md").chmod(0o600)
    desk.told("and be brief, too")
    desk.sync()
    assert "- always be kind to strangers" in desk.lines()


def test_a_new_file_becomes_a_flow_and_a_changed_one_its_next_version(desk: Desk) -> None:
    desk.save("# Ship it\n\nHow we ship.\n\n1. run the tests\n2. tag it\n", "flows/Ship It.md")
    assert desk.sync() == [("flow", "run the tests; tag it")]
    flow = desk.memory.flows.one("ship-it")
    assert (flow.steps, flow.version, flow.project) == (["run the tests", "tag it"], 1, PROJECT)
    name = next(path.name for path in (desk.shop / "flows").iterdir())
    desk.save(desk.read(f"flows/{name}").replace("2. tag it", "2. tag it\n3. tell Ada"), f"flows/{name}")
    desk.sync()
    assert (desk.memory.flows.one("ship-it").steps[-1], desk.memory.flows.one("ship-it").version) == ("tell Ada", 2)
    assert "How we ship." in desk.read(f"flows/{name}")
    assert desk.sync() == []


def test_a_secret_somebody_types_is_not_kept(desk: Desk) -> None:
    desk.save("## What holds\n\n- the password is password=hunter2hunter2\n", TOPIC)
    desk.sync()
    assert "hunter2hunter2" not in json.dumps([entry.summary for entry in desk.memory.entries()])


def test_a_retired_flow_leaves_its_folder(desk: Desk) -> None:
    desk.memory.flows.add("ship-it", ["run the tests", "tag it"], project=PROJECT)
    desk.sync()
    assert (desk.shop / "flows" / "ship-it.md").exists()
    desk.memory.flows.outcome("ship-it", True)
    desk.sync()
    assert "100 % (1 of 1)" in desk.read("flows/ship-it.md")
    desk.memory.flows.retire("ship-it")
    desk.sync()
    assert not (desk.shop / "flows" / "ship-it.md").exists()


def test_a_line_typed_into_the_index_goes_to_its_topic_and_prose_there_stays(desk: Desk) -> None:
    desk.told("Ada draws the boxes", "fact")
    desk.sync()
    index = desk.read("MEMORY.md") + "\n## Key people\n\n- Bob bakes\n\nRemember to smile.\n"
    desk.save(index, "MEMORY.md")
    assert ("added", "Bob bakes") in desk.sync()
    assert "- Bob bakes" in desk.lines("topics/people/people.md")
    assert "Bob bakes" not in desk.read("MEMORY.md")
    assert "Remember to smile." in desk.read("MEMORY.md")
    assert "[people/people](topics/people/people.md): 1 line" in desk.read("MEMORY.md")
    assert desk.sync() == []


def test_prose_in_the_index_that_is_too_much_is_told_and_never_cut(desk: Desk) -> None:
    desk.told("Ada draws the boxes", "fact")
    desk.sync()
    desk.save(desk.read("MEMORY.md") + "\n" + "My own words. " * 500 + "\n", "MEMORY.md")
    (held,) = desk.memory.notebook.sync().held
    assert (held.page, "bytes of your own" in held.reason) == ("shop/MEMORY.md", True)
    assert desk.read("MEMORY.md").count("My own words.") == 500
