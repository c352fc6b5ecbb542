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


def test_a_projects_pages_move_into_its_repository_where_changes_wait_for_a_person(shop, home, steno):
    shop.joinpath("rules.md").write_text(shop.joinpath("rules.md").read_text() + "\nSome prose of my own.\n")
    notes = home / "shop" / "notes"
    assert steno("notebook", "init", str(notes)).exit_code == 0
    assert sorted(path.name for path in notes.iterdir()) == ["MEMORY.md", "rules.md"]
    assert list(shop.iterdir()) == []
    assert "Some prose of my own." in (notes / "rules.md").read_text()
    (notes / "rules.md").write_text((notes / "rules.md").read_text().replace("never change", "always change"))
    (notes / "decisions.md").write_text("# Decisions\n\n- the shop moves to another host\n")
    # What a pull brought must not bind before somebody looked: only a person's own sync takes it in.
    import steno as library

    with library.open(home / "steno") as memory:
        held = [(one.page, one.reason) for one in memory.notebook.sync().held]
        reason = "a change in a repository waits for a person"
        assert held == [("shop/decisions.md", reason), ("shop/rules.md", reason)]
        assert [rule.rule for rule in memory.rules.all()] == [RULE]
    assert "always change" in steno("notebook", "sync").stdout


@pytest.mark.parametrize("place", ["full", "file", "steno/notebook/x"])
def test_no_folder_of_anybodys_is_written_over(shop, home, steno, place):
    (home / "full").mkdir()
    (home / "full" / "MEMORY.md").write_text("mine")
    (home / "file").write_text("mine")
    done = steno("notebook", "init", str(home / place))
    assert (done.exit_code, (home / "full" / "MEMORY.md").read_text()) == (2, "mine")


def test_pages_that_are_put_elsewhere_are_said_to_be_there_also_before_the_first(home, steno):
    told = steno("notebook", "init", str(home / "new" / "pages")).stdout
    assert f"The pages of {home / 'new'} are kept in {home / 'new' / 'pages'}.\n" in told
    assert told.endswith("Nothing is known of that project yet; the folder is made with its first page.\n")


def test_its_history_is_kept_where_somebody_wants_it(shop, steno):
    assert steno("notebook", "commit").exit_code == 2
    assert "kept every night" in steno("notebook", "git", "on").stdout
    assert steno("notebook", "commit").stdout == "Kept 3 pages.\n"
    assert steno("notebook", "commit").stdout == "Nothing changed since the last time.\n"
    assert "kept no more" in steno("notebook", "git", "off").stdout
    assert steno("notebook", "commit").exit_code == 2
