"""A refused idea proposed again: in nearly the same words, by its kind, in an edit; and what is only near it."""

import pytest

TALKS = {
    "options": (
        ("user", "people are charged twice"),
        ("assistant", "a) disable the pay button in JavaScript after the first click\nb) an idempotency key"),
        ("user", "b. not a, people turn javascript off and we had that bug before"),
    ),
    "bare": (
        ("user", "go on"),
        ("assistant", "For the login form I'd bring in Formik, so that the code stays short. Shall I?"),
        ("user", "no"),
    ),
    "kind": (
        ("user", "go on"),
        ("assistant", "The product page is slow. I'd put a cache in front of the database."),
        ("user", "no cache please, it hides the real problem"),
    ),
    "other words": (
        ("user", "go on"),
        ("assistant", "I'll mount the new handlers under `/v2/invoices`."),
        ("user", "we don't version in the url"),
    ),
    "before": (
        ("user", "go on"),
        ("assistant", "`billing_zip` in the answer repeats `address.zip`, so I'll remove it."),
        ("user", "no, the partners read it"),
    ),
    "hands off": (
        ("user", "go on"),
        ("assistant", "Sure."),
        ("user", "vendor/ is third party code, hands off"),
    ),
}


@pytest.mark.parametrize(
    ("talk", "text", "more"),
    [
        ("options", "disable the pay button with javascript after a click", {}),
        ("bare", "bring in formik for the login form", {}),
        ("bare", "set up the form", {"tool": "Bash", "input": {"command": "npm install formik"}}),
        ("kind", "put redis in front of the database of the product page", {}),
        ("kind", "speed it up", {"tool": "Bash", "input": {"command": "pip install redis && redis-server"}}),
        ("other words", "mount the new handlers under /v2/invoices", {}),
        ("before", "remove billing_zip from the answer", {}),
        ("hands off", "change the broken function in vendor/pdf directly", {}),
    ],
)
def test_it_is_recognised(before, listen, talk, text, more):
    listen(*TALKS[talk], session="s2")
    verdict, quotes = before(text, **more)
    assert (verdict in ("ask", "warn"), quotes[:1]) == (True, [TALKS[talk][-1][1]])


@pytest.mark.parametrize(
    ("talk", "text"),
    [
        ("options", "store an idempotency key with each payment"),
        ("bare", "shorten the labels of the login form"),
        ("bare", "take formik out of the login form again"),
        ("kind", "add an index for the slow query of the product page"),
        ("kind", "remove the redis container"),
        ("other words", "list the handlers under /v2/invoices"),
        ("before", "add the country to the answer"),
        ("hands off", "read the third party code in vendor/pdf"),
    ],
)
def test_what_is_only_near_it_is_fine(before, listen, talk, text):
    listen(*TALKS[talk], session="s2")
    assert before(text) == ("allow", [])


def test_an_edit_is_about_what_it_changes(before, listen):
    listen(
        ("user", "go on"),
        ("assistant", "I enabled the update bot with `interval: daily`."),
        ("user", "no, daily is too noisy, monthly please"),
        session="s2",
    )
    again = {"file_path": ".github/bot.yml", "old_string": "interval: monthly", "new_string": "interval: daily"}
    back = {"file_path": ".github/bot.yml", "old_string": "interval: daily", "new_string": "interval: monthly"}
    assert before("updates for the web folder", tool="Edit", input=again)[0] in ("ask", "warn")
    assert before("updates for the web folder", tool="Edit", input=back)[0] == "allow"


def test_a_no_in_passing_refuses_nothing_that_was_proposed_before(before, listen):
    listen(
        ("user", "go on"),
        ("assistant", "Shall I continue with the session picker in interactive mode?"),
        ("user", "you can look up the history of this session in the log if you need to (don't read the full file!)"),
        session="s2",
    )
    assert before("continue with the session picker in interactive mode")[0] != "ask"


def test_where_a_command_is_run_says_nothing(before, listen):
    listen(
        ("user", "go on"),
        ("assistant", "I'll put the parser into /home/me/work/shop/packages/tools."),
        ("user", "no"),
        session="s2",
    )
    run = {"command": "cd /home/me/work/shop/packages && make check"}
    assert before("run the checks", tool="Bash", input=run) == ("allow", [])
