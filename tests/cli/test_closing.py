"""Tasks and promises close: by a plain word, a finished list of to-dos, and with their work."""

import json

import pytest

from ..staged import staged


@pytest.fixture
def heard(steno, home):
    """What a dialogue leaves of tasks and promises: whose, the words, and where they stand."""

    def hear(*lines, project="shop", day=1):
        steno("capture", staged(home, project, *lines, day=day))
        found = [json.loads(line) for line in steno("entries", "--json").stdout.splitlines()]
        pending = [one for one in found if one["category"] in ("task", "commitment")]
        # What was done long ago is laid aside as done.
        return [
            (one["origin"], one["evidence"][0]["quote"], "done" if one["detail"].get("resolved") else one["status"])
            for one in pending
        ]

    return hear


@pytest.fixture
def works(steno, home):
    """Pieces of work a dialogue leaves, the oldest first."""

    def hear(*lines, project="shop", day=1):
        steno("capture", staged(home, project, *lines, day=day))
        listed = map(json.loads, steno("sessions", "work", "--json").stdout.splitlines())
        found = [one | one["checkpoint"] for one in listed]
        return sorted(found, key=lambda one: one["begun_at"])

    return hear


def people(found):
    return [(words, status) for origin, words, status in found if origin == "user"]


def promised(found):
    return [(words, status) for origin, words, status in found if words.startswith(("I'll", "I will", "Once"))]


TESTS, GUIDE = "remind me to add a test for empty files", "remind me to write the migration guide"


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (("done with the test for empty files",), "done"),
        (("the migration guide is finished, thanks", "ok, the test is done"), "done"),
        (("drop the test for empty files",), "archived"),
        (("forget about the test",), "archived"),
        (("that's all, thanks",), "done"),
        (("drop it",), "archived"),
        (("! TodoWrite completed completed",), "done"),
        # What an agent tells, and what does not plainly say so, closes nothing.
        (("> I added a test for empty files.", "great, works"), "active"),
        (("done with the test for full disks",), "active"),
        (("is the test done?",), "active"),
        (("the test is not done yet",), "active"),
        (("tell me when the test is done",), "active"),
        (("! TodoWrite completed pending",), "active"),
        (("now let's rework the settings page", "> Ok."), "active"),
    ],
)
def test_a_task_closes_by_a_plain_word_a_finished_list_and_with_its_work(heard, lines, status):
    found = heard("rework the importer", "> Ok.", TESTS, "> Noted.", *lines)
    assert people(found)[0] == (TESTS, status)


def test_a_word_closes_only_what_it_names(heard):
    found = heard("rework the importer", "> Ok.", TESTS, "> Noted.", GUIDE, "> Noted.", "done with the guide")
    assert people(found) == [(TESTS, "active"), (GUIDE, "done")]


def test_a_ticked_to_do_closes_the_task_of_the_same_words(heard):
    lines = ("rework the importer", "> Ok.", "remind me to part 0", "> Noted.", GUIDE, "! TodoWrite completed pending")
    assert people(heard(*lines)) == [("remind me to part 0", "done"), (GUIDE, "active")]


def test_what_the_human_drops_is_never_the_next_step(works):
    lines = ("rework the settings page", "> Which parts?", "add a dark mode to the settings page", "> Ok.")
    [work] = works(*lines, "forget the dark mode, we don't need it", "> ok")
    assert [one for one in [work["goal"], *work["next"]] if "dark mode" in one] == []


def test_a_no_to_one_of_two_things_leaves_the_work_at_hand(works):
    lines = ("rework the settings page and add a dark mode", "> Next: dark mode.", "forget the dark mode", "> ok")
    [work] = works(*lines)
    assert (work["goal"], work["next"], work["status"]) == (lines[0], [], "active")


def test_who_drops_the_goal_drops_the_work(works):
    first, second = works("add a dark mode", "> Ok.", "forget the dark mode, write the release notes instead", "> ok")
    assert (first["goal"], first["status"]) == ("add a dark mode", "dropped")
    assert (second["goal"], second["status"]) == ("write the release notes instead", "active")


PROMISE = "I'll send you the release notes on Friday."


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (("ok",), "active"),
        (("ok", "> The release notes are sent."), "active"),
        (("ok", "> …", "done with the release notes"), "done"),
        (("drop the release notes",), "archived"),
        (("> On it.", "thanks, all done"), "done"),
    ],
)
def test_a_promise_is_kept_dropped_or_over_with_its_work(heard, lines, status):
    found = heard("prepare the release", f"> {PROMISE}", *lines)
    assert promised(found) == [(PROMISE, status)]


def test_unrelated_requests_after_a_reported_end_are_works_of_their_own(works):
    found = works(
        "Add pagination to the orders page", "! Edit orders.tsx", "> Done, pagination works.",
        "Write a script that backs up the database every night", "! Write backup.sh", "> Done, it is in backup.sh.",
        "Add a contact form to the landing page", "! Edit landing.tsx", "> Done.",
    )  # fmt: skip
    assert [(one["goal"], one["status"]) for one in found] == [
        ("Add pagination to the orders page", "active"),
        ("Write a script that backs up the database every night", "active"),
        ("Add a contact form to the landing page", "active"),
    ]


@pytest.mark.parametrize(
    "then",
    [
        "add a test for the last page",
        "commit and open a pull request",
        "add a button for the first page of the orders",
        "write a summary of it",
        "great, works",
        "thanks!",
    ],
)
def test_what_follows_from_the_work_belongs_to_it(works, then):
    [found] = works(
        "Add pagination to the orders page", "! Edit orders.tsx", "> Done, pagination works.", then, "> Ok."
    )
    assert (found["goal"].splitlines()[0], found["status"]) == ("Add pagination to the orders page", "active")


@pytest.mark.parametrize("praise", ["great, works", "thanks!", "perfect", "nice, looks good"])
def test_praise_is_no_next_step(works, praise):
    [found] = works("fix the login bug", "! Edit login.py", "> Fixed.", praise, "> Welcome.")
    assert (found["goal"], found["next"]) == ("fix the login bug", [])


@pytest.mark.parametrize("answer", ["not until the beta is out", "no, because our kit has no support for it"])
def test_an_answer_is_no_goal(works, answer):
    assert works("hm", "> Shall I upgrade to React 19?", answer, "> ok") == []


def test_the_name_of_a_command_is_not_part_of_the_goal(works):
    command = (
        "<command-name>/feature-dev:feature-dev</command-name>\n<command-args>add a login with TOTP</command-args>"
    )
    [found] = works(command, "> I start with the model.")
    assert found["goal"] == "add a login with TOTP"


def test_an_assignment_behind_what_a_host_puts_before_it_begins_a_work(works):
    wrapped = "<system_instruction>\nYou work inside an app.\n</system_instruction>\n\nfix the typo in the header"
    [found] = works(wrapped, "> Let me look.")
    assert found["goal"] == "fix the typo in the header"


def test_an_edit_ends_the_planning(works):
    talk = (
        "how would you add a login with TOTP?",
        "> With pyotp.",
        "and backup codes?",
        "> Hashed.",
        "what else?",
        "> Nothing.",
    )
    [found] = works(*talk, "ok, add the login", "! Edit totp.py")
    assert found["done"] == []


def test_what_was_done_is_still_told_to_whoever_goes_on(steno, home):
    asked = "add a license file to the repository of the shop"
    steno(
        "capture",
        staged(home, "shop", asked, "> I added the license file.", "write the release notes", "> Let me look."),
    )
    assert asked in steno("brief", "--session", "shop-1").stdout
