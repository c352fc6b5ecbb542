"""`steno notebook`: its state, sync, init, git, commit."""

import json

import pytest

RULE = "never change the payments table by hand"


@pytest.fixture
def shop(home, steno):
    """A project with a rule and a notebook."""
    (home / "shop" / ".git").mkdir(parents=True)
    assert steno("rules", "add", RULE, "--project", str(home / "shop")).exit_code == 0
    assert steno("notebook", "sync").stdout == "0 edits taken in, 3 pages written.\n"
    return home / "steno" / "notebook" / "shop"


def test_where_there_is_none_it_says_how_to_begin(steno):
    assert steno("notebook").stdout == "No notebook yet. `steno notebook sync` writes it; `steno up` keeps it.\n"


def test_an_edit_is_told_and_in_force(shop, steno):
    page = shop / "rules.md"
    page.write_text(page.read_text().replace("payments", "orders") + "\n- always be early\n")
    assert steno("notebook").stdout.splitlines()[3:] == ["changed: shop/rules.md", "git history: off"]
    first, second, last = steno("notebook", "sync").stdout.splitlines()
    assert (first.startswith("revised "), first.endswith("never change the orders table by hand")) == (True, True)
    assert second.endswith("always be early")
    assert last == "2 edits taken in, 3 pages written."
    assert "orders table" in steno("rules").stdout
    assert "orders table" in steno("believes", "orders").stdout


def test_its_state_and_what_came_of_a_sync_are_data(shop, home, steno):
    state = json.loads(steno("notebook", "--json").stdout)
    assert state["folders"][1]["project"] == str(home / "shop")
    assert (state["changed"], state["due"], state["git"]) == ([], 0, False)
    assert json.loads(steno("notebook", "sync", "--json").stdout) == {
        "edits": [], "conflicts": [], "written": [], "held": [],
    }  # fmt: skip


def test_its_history_is_kept_where_somebody_wants_it(shop, steno):
    assert steno("notebook", "commit").exit_code == 2
    assert "kept every night" in steno("notebook", "git", "on").stdout
    assert steno("notebook", "commit").stdout == "Kept 3 pages.\n"
    assert steno("notebook", "commit").stdout == "Nothing changed since the last time.\n"
    assert "kept no more" in steno("notebook", "git", "off").stdout
    assert steno("notebook", "commit").exit_code == 2
