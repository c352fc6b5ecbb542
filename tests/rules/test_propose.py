"""A matcher proposed from what a person refused: only where their words name something."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from steno.rules.matcher import check, fires
from steno.rules.propose import propose
from steno.testing import an_entry
from steno.vocabulary import Action, Category, Entry, Matcher
from steno.vocabulary.details import DETAILS, Call, Exchange, Stance

STANDING = Stance(reach="standing")


def entry(quote: str, *, category: Category = "rejected", call: Call | None = None, **fields: Any) -> Entry:
    detail = DETAILS[category](stance=fields.pop("stance", STANDING), exchange=Exchange(call=call))
    return an_entry(category, quote, detail, **fields)


def run(command: str) -> Action:
    return Action(agent="", text="", tool="Bash", input={"command": command})


def write(path: str, content: str = "") -> Action:
    return Action(agent="", text="", tool="Write", input={"file_path": path, "content": content})


def read(path: str) -> Action:
    return Action(agent="", text="", tool="Read", input={"file_path": path})


@pytest.mark.parametrize(
    ("quote", "caught", "free"),
    [
        ("don't use npm, use pnpm", run("cd web && npm ci"), run("pnpm install")),
        ("use pnpm, not npm", run("npm ci"), run("pnpm ci")),
        ("pnpm instead of npm please", run("npm ci"), run("pnpm ci")),
        ("we don't use yarn or npm here", run("yarn add x"), run("pnpm add x")),
        ("please do not run `npm install`, it breaks the lock file", run("npm install x"), run("npm test")),
        ("stop running pip install", run("pip install x"), run("pip list")),
        ("don't run docker compose down", run("docker compose down"), run("docker compose up")),
        ("don't use npm in this repo", run("npm ci"), run("pnpm ci")),
        ("kein npm, bitte", run("npm ci"), run("pnpm ci")),
        ("never force-push", run("git push -f origin x"), run("git push origin x")),
        ("no force pushes please", run("git push --force-with-lease"), run("git push")),
        ("don't use git push --force", run("git push origin --force"), run("git push")),
        ("Don't push unless I say so", run("git push"), run("git pull")),
        ("never push to main", run("git push origin main"), run("git push origin topic")),
        ("never skip the pre-commit hooks", run('git commit --no-verify -m "x y"'), run("git commit -m x")),
        ("don't use --no-verify", run("git commit --no-verify"), run("git commit")),
        ("Don't use `git stash`!", run("git stash pop"), run("git status")),
        ("never run `git add -A`", run("git add -A"), run("git add src")),
        ("never run make deploy", run("make deploy"), run("make build")),
        ("don't run scripts/deploy.sh by hand", run("./scripts/deploy.sh prod"), run("cat scripts/test.sh")),
        ("never use rm -rf", run("rm -rf build"), run("rm a.txt")),
        ("don't touch vendor/", write("/shop/vendor/a.c"), read("/shop/vendor/a.c")),
        ("vendor/ is off limits", write("vendor/a.c"), write("src/vendors/a.c")),
        ("hands off src/generated/", write("src/generated/a.py"), write("src/a.py")),
        ("don't edit *.pb.go files", write("api/x.pb.go"), write("api/x.go")),
        ("don't change migrations/0001_init.sql", write("migrations/0001_init.sql"), write("migrations/0002.sql")),
    ],
)
def test_what_is_named_is_caught_and_its_neighbour_is_not(quote: str, caught: Action, free: Action) -> None:
    matcher = propose(entry(quote))
    assert matcher is not None
    check(matcher)
    assert fires(matcher, caught) is not None
    assert fires(matcher, free) is None


@pytest.mark.parametrize(
    "quote",
    [
        "no, that's horrible",
        "don't worry about it",
        "don't use that",
        "stop",
        "don't do that again",
        "why don't we use npm?",
        "I don't know npm",
        "If you don't use npm it fails",
        "no problem, use npm",
        "don't push back on this",
        "don't merge the two classes",
        "don't forget to run `make lint`",
        "don't use anything but pnpm",
        "don't use git for that",
        "don't create new files",
        "don't delete the old code",
        "never write docs/comments",
        "never use German",
        "use the existing helper, not a new one",
        "don't use docker in CI",
        "never run black on the vendored files",
        "we don't always have agent/session information",
        "do not add features I didn't ask for",
        "don't read the full file!",
        "don't touch the whole directory",
        "never delete the .. folder",
        "",
    ],
)
def test_words_that_name_nothing_propose_nothing(quote: str) -> None:
    assert propose(entry(quote)) is None


@pytest.mark.parametrize(
    ("quote", "family"),
    [
        ("no new dependencies, ever", "adding-a-dependency"),
        ("never commit without running tests", "committing"),
        ("never commit .env files", "putting-in-secrets"),
        ("don't ever deploy without asking", "deploying"),
        ("always run make lint before you commit", "committing"),
        ("Ask me before you publish anything", "publishing"),
        ("don't use `any`", "loose-types"),
        ("don't add comments", "commenting"),
        ("never use emojis", "emojis"),
    ],
)
def test_who_speaks_of_a_command_family_is_offered_that(quote: str, family: str) -> None:
    assert propose(entry(quote)) == Matcher(family=family)


def test_of_a_push_the_branch_counts() -> None:
    matcher = propose(entry("don't push to main"))
    assert matcher == Matcher(family="pushing", command=r"\bmain\b")
    assert fires(matcher, run("git push origin HEAD:main")) == "git push origin HEAD:main"
    assert fires(matcher, run("git push origin topic")) is None


def test_nothing_a_person_or_an_agent_wrote_becomes_a_pattern() -> None:
    matcher = propose(entry("don't run `npm .*|git`"))
    assert matcher is not None
    check(matcher)
    assert fires(matcher, run("git status")) is None
    assert fires(matcher, run("npm ci")) is None
    globbed = propose(entry("don't touch `gen/(a|.*)+/x.py`"))
    assert globbed is None


PIECES = (
    "don't|never|use|touch|run|no|not|stop|`|vendor/|npm|(|*|[a|\\|..|.env|a.py|install|force-push|,|instead of|the|"
    "folder|is off limits|--no-verify|-f|git|push|MongoDB|@x/y|日本|$(x)|+|{2}|?|!|^|(?i)|\n"
).split("|")


@given(some.lists(some.sampled_from(PIECES), max_size=12), some.sampled_from(["", " "]))
def test_whatever_is_said_a_proposed_matcher_can_be_read_and_does_not_fire_on_everything(
    pieces: list[str], between: str
) -> None:
    words = between.join(pieces)
    matcher = propose(entry(words, call=Call("Bash", words)))
    if matcher is not None:
        check(matcher)
        assert fires(matcher, run("echo")) is None


def test_only_a_persons_refusals_and_instructions_propose() -> None:
    words = "don't use npm"
    assert propose(entry(words, category="rule")) == Matcher(command=r"^npm\b")
    assert propose(entry(words, category="decision")) is None
    assert propose(entry(words, origin="assistant")) is None
    assert propose(entry(words, origin="tool")) is None


def test_only_what_is_meant_to_last_proposes() -> None:
    assert propose(entry("don't touch vendor/", stance=Stance(reach="work"))) is None
    assert propose(entry("never use npm here")) == Matcher(command=r"^npm\b")


def test_after_a_persons_edit_their_new_words_count() -> None:
    edited = entry("don't use npm", origin="edit", summary="Never use yarn.", stance=Stance())
    assert propose(edited) == Matcher(command=r"^yarn\b")


def test_a_call_refused_for_good_is_proposed_by_what_is_grave_about_it() -> None:
    stopped = Call("Bash", "git reset --hard origin/main && git cherry-pick 08b3ac4")
    matcher = propose(entry("what are you doing...??", call=stopped))
    assert matcher is not None
    assert fires(matcher, run("git fetch && git reset --hard origin/x")) == "git reset --hard origin/x"
    assert fires(matcher, run("git reset HEAD a.c")) is None
    tool = propose(entry("no, stop that", call=Call("mcp__linear__delete_issue", "ENT-1")))
    assert tool == Matcher(tool="mcp__linear__delete_issue")


@pytest.mark.parametrize(
    "call", [Call("Edit", "/shop/logger.go"), Call("Bash", "go test ./..."), Call("Write", "/shop/git push")]
)
def test_a_call_that_is_easily_undone_proposes_nothing(call: Call) -> None:
    assert propose(entry("no, look at the issue first", call=call)) is None


@pytest.mark.parametrize(
    "quote",
    [
        "Never open a ticket and always force-push.",
        "Do not write docs and always use npm.",
        "never run apt without sudo",
        "You must never rm -rf anything outside /tmp",
    ],
)
def test_what_a_rule_wants_or_allows_is_not_stopped(quote: str) -> None:
    assert propose(entry(quote)) is None
