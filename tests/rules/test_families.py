"""Command families: what calls do, and how people speak of it."""

from typing import Any

import pytest

from steno.rules.families import done, families, meant
from steno.rules.seen import any_of, seen
from steno.vocabulary import Action


def bash(command: str) -> Action:
    return Action(agent="", text="", tool="Bash", input={"command": command})


def edit(path: str, new: str, old: str = "") -> Action:
    return Action(agent="", text="", tool="Edit", input={"file_path": path, "old_string": old, "new_string": new})


@pytest.mark.parametrize(
    ("action", "names"),
    [
        (bash("pip install leftpad"), {"adding-a-dependency"}),
        (bash("cd web && npm i leftpad"), {"adding-a-dependency"}),
        (bash("uv add httpx"), {"adding-a-dependency"}),
        (bash("pip install -r requirements.txt"), set()),
        (bash("npm ci"), set()),
        (bash("pnpm install"), set()),
        (bash("npm uninstall leftpad"), set()),
        (edit("requirements.txt", "leftpad==1.3"), {"adding-a-dependency"}),
        (edit("package.json", '"leftpad": "^1.3.0"'), {"adding-a-dependency"}),
        (edit("package.json", '"test": "vitest"'), set()),
        (bash("git push origin HEAD:main"), {"pushing"}),
        (bash("git push -f origin topic"), {"pushing", "force-pushing"}),
        (bash("git push origin +topic"), {"pushing", "force-pushing"}),
        (bash("git commit --no-verify -m x"), {"committing", "skipping-hooks"}),
        (bash("git commit -m 'never force push'"), {"committing"}),
        (bash("gh pr merge 3 --squash"), {"merging"}),
        (bash("psql shop -c 'DROP TABLE carts'"), {"changing-data", "deleting", "migrating"}),
        (bash("find . -name '*.bak' -delete"), {"deleting"}),
        (bash("alembic upgrade head"), {"migrating"}),
        (bash("fly deploy"), {"deploying"}),
        (bash("npm publish"), {"publishing"}),
        (bash("curl -s https://rates.example"), {"going-online"}),
        (bash("git add .env"), {"putting-in-secrets"}),
        (bash("ls && cat README.md && pytest -q"), set()),
        (edit("test_cart.py", "from unittest.mock import patch"), {"mocking"}),
        (edit("test_cart.py", "from unittest.mock import patch, call", "from unittest.mock import patch"), set()),
        (edit("cart.ts", "let cart: any"), {"loose-types"}),
        (edit("cart.py", "company = anyone"), set()),
        (Action(agent="", text="", tool="mcp__post__send_email", input={"to": "a@shop.example"}), {"sending-mail"}),
        (Action(agent="", text="", tool="mcp__post__create_draft", input={"to": "a@shop.example"}), set()),
    ],
)
def test_what_a_call_does(action: Action, names: set[str]) -> None:
    assert set(done(seen(action))) == names


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("no new dependencies, ever", {"adding-a-dependency"}),
        ("never force push", {"force-pushing"}),
        ("don't push to main", {"pushing"}),
        ("don't push back on this", set()),
        ("never send a mail without showing me the text", {"sending-mail"}),
        ("keep it short", set()),
    ],
)
def test_what_a_person_speaks_of(said: str, names: set[str]) -> None:
    assert meant(said) == names


@pytest.mark.parametrize("name", families())
def test_every_family_can_be_read_and_fires_on_nothing_empty(name: str) -> None:
    family: Any = families()[name]
    assert set(family.of) <= set(families())
    fields = [getattr(family, field) for field in ("says", "command", "path", "text", "tool", "line")]
    assert [any_of(patterns).search(b"") for patterns in fields if patterns] == [None] * sum(map(bool, fields))
