"""Tasks and promises close: as an agent reports it, as a person confirms or drops it, and with their work."""

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


FIX = "fix the login bug"
ANSWER = "> The form posts to the login route, which looks the name up and compares the hashes. " + "It is slow. " * 30


@pytest.mark.parametrize(
    "lines",
    [
        ("add a license file", "> I added the license file."),
        ("add a license file", "! Write LICENSE", "> The license file is added. Anything else?"),
        (FIX, "! Edit login.py", "> Fixed, all 3 tests pass."),
        (FIX, "> Done."),
        (FIX, "! Edit login.py", "> The login form takes long names now.", "great, works"),
        (FIX, "> Shall I add a test, too?", "yes", "! Edit login.py", "> Done, the login works."),
        ("write a script that backs up the database", "! Write b.sh", "> The backup script is in b.sh.", "thanks"),
        ("look at the login page and tell me how it works", ANSWER, "ok, now add a captcha to it"),
    ],
)  # fmt: skip
def test_a_task_is_done_as_the_agent_reports_it_or_the_human_confirms_it(heard, lines):
    assert people(heard(*lines))[0] == (lines[0], "done")


@pytest.mark.parametrize(
    "lines",
    [
        (FIX, "> Let me look at the login first."),
        ("add dark mode and a language switch", "> I'll begin.", "forget the language switch, only dark mode"),
        ("add dark mode and a language switch", "> I added dark mode."),
        ("prepare release 2.3", "> All tests pass. Should I tag it?"),
        (FIX, "> The login bug is not fixed yet."),
        (FIX, "> Once the login bug is fixed, I'll run the tests."),
        (FIX, "> I think I fixed the login bug."),
        (FIX, "> Fixed the typo in the header. Now let me look at the login."),
        (FIX, "> Should I have fixed the login bug in the form?"),
        ("add a license file", "> I removed the license file."),
        ("look at the login page and fix it", ANSWER, "ok, now add a captcha to it"),
        ("look at the login page", ANSWER, "no, I meant the other one"),
        ("prepare the release", "> I have written the migration guide.", "nice"),
        ("add a license file and write the changelog", "> I added the license file."),
        (FIX, "> Fixed.", "no, it still crashes when I log in", "> Let me look."),
        ("add a contact form", "> Which fields?", "don't add the contact form yet", "> Ok."),
    ],
)
def test_what_is_not_surely_done_stays_open(heard, lines):
    assert people(heard(*lines))[0] == (lines[0], "active")


@pytest.mark.parametrize(
    "words",
    [
        "forget the dark mode, we don't need it",
        "we don't need the dark mode anymore, drop it",
        "never mind the dark mode",
    ],
)
def test_what_the_human_drops_is_laid_aside_and_never_the_next_step(heard, works, words):
    lines = (
        "rework the settings page",
        "> Which parts?",
        "add a dark mode to the settings page",
        "> Ok.",
        words,
        "> ok",
    )
    assert people(heard(*lines)) == [
        ("rework the settings page", "active"),
        ("add a dark mode to the settings page", "archived"),
    ]
    [work] = works(*lines)
    assert [one for one in [work["goal"], *work["next"]] if "dark mode" in one] == []


def test_a_no_to_one_of_two_things_leaves_the_task_open(heard, works):
    lines = ("rework the settings page and add a dark mode", "> Next: dark mode.", "forget the dark mode", "> ok")
    assert people(heard(*lines)) == [(lines[0], "active")]
    [work] = works(*lines)
    assert (work["goal"], work["next"]) == (lines[0], [lines[0]])


def test_who_drops_the_goal_drops_the_work(works):
    first, second = works("add a dark mode", "> Ok.", "forget the dark mode, write the release notes instead", "> ok")
    assert (first["goal"], first["status"]) == ("add a dark mode", "dropped")
    assert (second["goal"], second["status"]) == ("write the release notes instead", "active")


PROMISE = "Once CI is green I'll tag v2.0 and publish it."


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ((f"> {PROMISE}", "ok"), "active"),
        ((f"> {PROMISE}", "ok", "! git tag v2.0", "> Tagged v2.0 and published it."), "done"),
        ((f"> {PROMISE}", "no, don't tag v2.0", "> Understood."), "archived"),
        ((f"> {PROMISE}", "ok", "> On it.", "thanks, all done"), "done"),
        (("> I'll update the changelog after the review.", "ok", "> The changelog is updated."), "done"),
        (("> I will write the migration guide once the tests pass.", "> I have written the migration guide."), "done"),
        (("> I will write the migration guide once the tests pass.", "> I have read the migration guide."), "active"),
    ],
)
def test_a_promise_is_kept_refused_or_over_with_its_work_and_never_a_task_that_is_done(heard, lines, status):
    found = heard("prepare the release", *lines)
    assert promised(found) == [(lines[0][2:], status)]


def test_unrelated_requests_after_a_reported_end_are_works_of_their_own(works):
    found = works(
        "Add pagination to the orders page", "! Edit orders.tsx", "> Done, pagination works.",
        "Write a script that backs up the database every night", "! Write backup.sh", "> Done, it is in backup.sh.",
        "Add a contact form to the landing page", "! Edit landing.tsx", "> Done.",
    )  # fmt: skip
    assert [(one["goal"], one["status"]) for one in found] == [
        ("Add pagination to the orders page", "finished"),
        ("Write a script that backs up the database every night", "finished"),
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
    assert found["phase"] == "executing"


def test_what_was_done_is_still_told_to_whoever_goes_on(steno, home):
    asked = "add a license file to the repository of the shop"
    steno(
        "capture",
        staged(home, "shop", asked, "> I added the license file.", "write the release notes", "> Let me look."),
    )
    assert asked in steno("brief", "--session", "shop-1").stdout
