"""What exists already for an action is on its page: found in files, never run, never outside the directory."""

import os

import pytest

from steno.briefing.page import page_rows
from steno.testing import house
from steno.vocabulary import Action, Tool


@pytest.fixture
def shop(tmp_path):
    folder = tmp_path / "shop"
    (folder / "scripts").mkdir(parents=True)
    return folder


@pytest.fixture
def tools(tmp_path, shop):
    """The tools on the page of an action in the shop."""
    with house(tmp_path) as memory:
        yield lambda text: memory.before(Action(agent="bot", text=text, directory=str(shop))).page.tools


def test_scripts_targets_and_recipes_are_found_by_their_words(shop, tools):
    (shop / "scripts" / "deploy.sh").write_text("#!/bin/sh\n# Put the shop online.\n")
    (shop / "backup.sh").write_text("#!/bin/sh\n")
    (shop / "Makefile").write_text(
        "VERSION := 1\n.PHONY: release\n\n# Ship a new version.\nrelease: build\n\ttrue\n\n"
        "lint: ## check the style\n\ttrue\n"
    )
    (shop / "justfile").write_text("# Bring the shop to production.\ndeploy-prod target='eu':\n  true\n")
    (shop / "package.json").write_text('{"scripts": {"deploy:web": "vite build", "test": "vitest", "bad": 3}}')
    (shop / "pyproject.toml").write_text('[project.scripts]\nshop-deploy = "shop.deploy:main"\n')
    assert tools("deploy the blog to production") == [
        Tool(command="just deploy-prod", kind="just", about="Bring the shop to production."),
        Tool(command="make release", kind="make", about="Ship a new version."),
        Tool(command="npm run deploy:web", kind="package", about="vite build"),
        Tool(command="scripts/deploy.sh", kind="script", about="Put the shop online."),
        Tool(command="shop-deploy", kind="package", about="shop.deploy:main"),
    ]
    assert [tool.command for tool in tools("check the style of the code")] == ["make lint"]
    assert [tool.command for tool in tools("make a backup")] == ["backup.sh"]
    assert tools("answer the customer's question") == []


def test_the_lock_file_says_which_program_runs_a_package_script(shop, tools):
    (shop / "package.json").write_text('{"scripts": {"deploy": "x"}}')
    (shop / "pnpm-lock.yaml").write_text("")
    assert [tool.command for tool in tools("deploy")] == ["pnpm run deploy"]


def test_a_new_tool_is_noticed(shop, tools):
    assert tools("deploy") == []
    (shop / "scripts" / "deploy.sh").write_text("")
    assert [tool.command for tool in tools("deploy")] == ["scripts/deploy.sh"]
    (shop / "Makefile").write_text("deploy:\n\ttrue\n")
    assert [tool.command for tool in tools("deploy")] == ["make deploy", "scripts/deploy.sh"]


def test_what_can_be_done_is_on_the_page_after_the_rules_with_how_its_last_check_went(tmp_path):
    with house(tmp_path) as memory:
        memory.rules.add("always deploy to staging first")
        memory.rules.add("ask before you rename a table")
        for name, health in (("staging", "true"), ("cluster", "false"), ("canary", None)):
            memory.fleet.capabilities.tell(f"deploy {name}", f"ship deploy-{name}", about="to staging", health=health)
        for name in ("staging", "cluster"):
            memory.fleet.capabilities.check(f"deploy {name}")
        verdict = memory.before(Action(agent="bot", text="deploy to staging"))
        assert {tool.command: tool.healthy for tool in verdict.page.tools} == {
            "ship deploy-staging": True, "ship deploy-cluster": False, "ship deploy-canary": None,
        }  # fmt: skip
        shown = [row.text for row in page_rows(verdict) if row.label == "able"]
        assert sorted(shown) == [
            "– ship deploy-canary   to staging",
            "⚠ ship deploy-cluster: last check failed   to staging",
            "✓ ship deploy-staging   to staging",
        ]
        labels = [row.label for row in page_rows(verdict)]
        assert labels.index("able") > labels.index("rules")
        # A check that goes otherwise is noticed.
        memory.fleet.capabilities.tell("deploy canary", "ship deploy-canary", about="to staging", health="true")
        memory.fleet.capabilities.check("deploy canary")
        page = memory.before(Action(agent="bot", text="deploy to staging")).page
        assert [tool.healthy for tool in page.tools if tool.command == "ship deploy-canary"] == [True]


def test_hostile_files_list_no_tools_and_harm_nobody(shop, tools, tmp_path):
    (tmp_path / "deploy-secrets.sh").write_text("# deploy the secrets\n")
    (shop / "scripts" / "deploy-link.sh").symlink_to(tmp_path / "deploy-secrets.sh")
    os.mkfifo(shop / "scripts" / "deploy-pipe.sh")
    (shop / "Makefile").write_bytes(b"deploy-big:\n\ttrue\n" + b"#" * 300_000)
    (shop / "package.json").write_text('{"scripts": ["deploy"]}')
    (shop / "justfile").write_bytes(b"\xff\xfe\x00deploy")
    (shop / "pyproject.toml").write_text("[[[")
    found = tools("deploy the secrets")
    assert [tool.command for tool in found] == ["scripts/deploy-link.sh"]
    assert found[0].about == ""


def test_deeply_nested_json_is_no_trouble(shop, tools):
    (shop / "package.json").write_text('{"scripts":' * 20_000)
    (shop / "scripts" / "deploy.sh").write_text("")
    assert [tool.command for tool in tools("deploy")] == ["scripts/deploy.sh"]


def test_a_directory_that_is_not_there_has_no_tools(tmp_path):
    with house(tmp_path) as memory:
        assert memory.before(Action(agent="bot", text="deploy", directory="/no/such\x00place")).page.tools == []
        assert memory.before(Action(agent="bot", text="deploy", directory=str(tmp_path / "gone"))).page.tools == []


def test_of_two_capabilities_with_one_command_the_failed_check_is_told(tmp_path):
    with house(tmp_path) as memory:
        tell, check = memory.fleet.capabilities.tell, memory.fleet.capabilities.check
        tell("Options scanner", "tools/flow-scan.sh", about="scan options flow before a trade", health="false")
        tell("flow-scan", "./tools/flow-scan.sh", about="scan options flow", health="true")
        check("Options scanner")
        check("flow-scan")
        memory.flows.add(
            "trade-execution", ["check the margin", "scan options flow", "place it"], ["place a live trade"]
        )
        for text in ("scan options flow", "place a live trade"):
            page = memory.before(Action(agent="trading", text=text)).page
            assert [(tool.command, tool.healthy) for tool in page.tools] == [("tools/flow-scan.sh", False)]


def test_the_domain_of_an_agent_that_has_one_is_on_its_page(tmp_path):
    with house(tmp_path) as memory:
        memory.fleet.agents.tell("trading", domains=("TRADING",))
        assert memory.before(Action(agent="trading", text="place a trade")).page.domain == "TRADING"
