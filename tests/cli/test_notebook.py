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


@pytest.fixture
def waiting(shop, steno):
    """The page of rules, of which somebody deleted the rule and typed another."""
    page = shop / "rules.md"
    was = page.read_text()
    page.write_text("# Rules: shop\n\n## What holds\n\n- be early\n")
    told = steno("notebook", "sync").stdout
    assert told.startswith(
        "left alone: shop/rules.md has lost the marks of 1 line, and what is new may be theirs (`steno rev"
    )
    return page, was


def test_a_page_that_waits_comes_first_and_is_counted(waiting, steno):
    shown = steno("review", "--everywhere").stdout
    [found] = [json.loads(line) for line in steno("review", "--everywhere", "--json").stdout.splitlines()]
    assert {name: found[name] for name in ("kind", "folder", "name", "who")} == {
        "kind": "held page", "folder": "shop", "name": "rules.md", "who": None,
    }  # fmt: skip
    assert shown.startswith(
        "Waits until you answer\n"
        f"page  shop/rules.md has lost the marks of 1 line, and what is new may be theirs  {found['id']}\n"
    )
    assert shown.endswith(
        "  -- never change the payments table by hand\n  +- be early\n"
        f"`steno review answer {found['id']} take | back` settles it\n\n"
    )
    assert json.loads(steno("review", "show", found["id"][:6], "--json").stdout) == found
    assert "waits     1 page of the notebook: `steno review`, one key each\n" in steno("status").stdout
    assert "left alone: shop/rules.md has lost the marks" in steno("notebook").stdout
    missed = steno("review", "answer", found["id"], "keep")
    assert (missed.exit_code, "'keep' does not settle this" in missed.stderr) == (2, True)


@pytest.mark.parametrize(
    ("key", "told", "holds"), [("t", "taken as it is", "be early"), ("b", "as it was before", RULE)]
)
def test_a_page_is_answered_for_with_one_key(waiting, steno, terminal, without_colours, key, told, holds):
    page, was = waiting
    changed = page.read_text()
    code, drawn = terminal("review", "--everywhere", typed=f"x{key}")
    shown = without_colours(drawn)
    assert (code, "[t]ake it as it is  [b]ack to what was there  [s]kip" in shown) == (0, True)
    assert f"{told}  shop/rules.md" in shown
    assert [json.loads(line)["rule"] for line in steno("rules", "--everywhere", "--json").stdout.splitlines()] == [
        holds
    ]
    assert steno("review", "--everywhere").stdout == "Nothing to review.\n"
    if key == "b":
        [kept] = page.parent.glob("rules.md.*")
        assert (page.read_text(), kept.read_text()) == (was, changed)
