"""A matcher tried on the journal: every firing with the human's reaction, and what the trial allows."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from steno.cli.tree import program
from steno.memory import Memory
from steno.pipeline.trial import Trials
from steno.rules.trial import in_words, objects
from steno.testing import SteppingClock, house, write_jsonl
from steno.vocabulary import Firing, Matcher, Trial
from steno.vocabulary.errors import UnknownEntry, WrongUse

NOW = "2026-03-01T09:00:00.000Z"
AT = "2026-02-01T10:00:00.000Z"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file). "
)
INTERRUPTED = "[Request interrupted by user for tool use]"
NPM = Matcher(command=r"^npm\b")
_numbers = count(1)


def line(role: str, content: Any, session: str) -> dict[str, Any]:
    """A line of Claude Code's transcript."""
    return {
        "type": role, "uuid": f"u{next(_numbers)}", "timestamp": AT, "sessionId": session, "cwd": "/nowhere/shop",
        "message": {"role": role, "content": content},
    }  # fmt: skip


def said(words: str, session: str = "s1") -> dict[str, Any]:
    return line("user", words, session)


def call(id_: str, command: str, session: str = "s1") -> dict[str, Any]:
    block = {"type": "tool_use", "id": id_, "name": "Bash", "input": {"command": command}}
    return line("assistant", [block], session)


def result(id_: str, text: str = "done", session: str = "s1") -> dict[str, Any]:
    refused = text.startswith(REFUSED[:30])
    block = {"type": "tool_result", "tool_use_id": id_, "content": text, "is_error": refused}
    return line("user", [block], session) | ({"toolUseResult": f"Error: {text}"} if refused else {})


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with house(tmp_path, clock=SteppingClock(NOW)) as opened:
        yield opened


def trials(memory: Memory) -> Trials:
    return Trials(memory.home, memory.rules)


def capture(memory: Memory, *lines: dict[str, Any]) -> None:
    memory.capture(write_jsonl(memory.home.root.parent / "t.jsonl", *lines), source="claude-code")
    memory.scribe()


def tried(memory: Memory, matcher: Matcher = NPM) -> list[Firing]:
    """The firings of a matcher that a person gave to a rule of theirs."""
    rule = memory.rules.add("Install with pnpm.")
    return trials(memory).trial(rule.id, matcher)[2]


def shown(firings: list[Firing]) -> list[tuple[str, str, str]]:
    return [(firing.action, firing.reaction, firing.words) for firing in firings]


def test_a_firing_says_where_what_and_how_the_human_took_it(memory: Memory) -> None:
    capture(memory, said("set it up"), call("c1", "cd web && npm ci"), result("c1"), said("no, use pnpm instead"))
    assert tried(memory) == [
        Firing(
            session="s1", turn=2, at=AT, tool="Bash", action="npm ci", reaction="corrected",
            words="no, use pnpm instead",
        )
    ]  # fmt: skip


def test_a_call_the_human_denied_was_rightly_fired_on(memory: Memory) -> None:
    with_words = REFUSED + "To tell you how to proceed, the user said:\nwe have pnpm"
    capture(
        memory,
        call("c1", "npm ci"), result("c1", with_words),
        call("c2", "npm test"), result("c2", REFUSED), said(INTERRUPTED), said("show me the plan"),
    )  # fmt: skip
    assert shown(tried(memory)) == [("npm ci", "refused", "we have pnpm"), ("npm test", "refused", "show me the plan")]


def test_of_calls_made_at_once_only_the_denied_one_is_refused(memory: Memory) -> None:
    capture(
        memory,
        call("c1", "npm ci"), call("c2", "npm test"), result("c1"), result("c2", REFUSED), said("looks good, go on"),
    )  # fmt: skip
    assert shown(tried(memory)) == [
        ("npm ci", "accepted", "looks good, go on"),
        ("npm test", "refused", "looks good, go on"),
    ]


def test_a_call_the_human_interrupted_was_rightly_fired_on(memory: Memory) -> None:
    capture(memory, call("c1", "npm ci"), result("c1"), call("c2", "npm test"), said(INTERRUPTED), said("thanks"))
    assert shown(tried(memory)) == [("npm ci", "accepted", "thanks"), ("npm test", "refused", "thanks")]


def test_where_nobody_spoke_again_nothing_is_known(memory: Memory) -> None:
    capture(memory, said("install it"), call("c1", "npm ci"), result("c1"))
    assert shown(tried(memory)) == [("npm ci", "none", "")]


def test_an_objection_to_something_later_says_nothing_about_an_earlier_act(memory: Memory) -> None:
    later = [turn for number in range(5) for turn in (call(f"m{number}", "make"), result(f"m{number}"))]
    capture(memory, call("c1", "npm ci"), result("c1"), *later, said("no, that colour is wrong"))
    assert shown(tried(memory)) == [("npm ci", "none", "no, that colour is wrong")]


def test_an_objection_that_names_an_earlier_act_is_about_it(memory: Memory) -> None:
    later = [turn for number in range(5) for turn in (call(f"m{number}", "make"), result(f"m{number}"))]
    capture(memory, call("c1", "npm ci"), result("c1"), *later, said("why did you run npm here?"))
    assert shown(tried(memory)) == [("npm ci", "corrected", "why did you run npm here?")]


def test_sessions_that_run_at_once_do_not_answer_for_each_other(memory: Memory) -> None:
    capture(
        memory,
        call("c1", "npm ci", "one"), call("c2", "npm test", "two"), said("stop, revert it", "one"),
        said("fine, next", "two"),
    )  # fmt: skip
    assert shown(tried(memory)) == [
        ("npm ci", "corrected", "stop, revert it"),
        ("npm test", "accepted", "fine, next"),
    ]


def test_a_rule_of_a_project_is_tried_on_what_was_done_there(memory: Memory) -> None:
    capture(memory, call("c1", "npm ci"), result("c1"), said("no, use pnpm"))
    here, there = (memory.rules.add("Install with pnpm.", project=project) for project in ("/nowhere/shop", "/blog"))
    assert [trials(memory).trial(rule.id, NPM)[1].fired for rule in (here, there)] == [1, 0]


def test_the_figures_are_kept_and_survive_a_rebuild(memory: Memory) -> None:
    capture(memory, call("c1", "npm ci"), result("c1"), said("no, use pnpm"), call("c2", "npm ci"), said("go on"))
    rule, trial, _ = trials(memory).trial(memory.rules.add("Install with pnpm.").id, NPM)
    assert trial == Trial(at=NOW, matcher=NPM, fired=2, right=1, wrong=1)
    assert (rule.matcher, rule.mode, rule.trial) == (NPM, "warn", trial)
    memory.rebuild()
    memory.rules.settle()
    assert memory.rules.one(rule.id) == rule
    assert memory.rules.raise_(rule.id, to="ask").mode == "ask"


def test_another_matcher_begins_at_the_foot_of_the_ladder(memory: Memory) -> None:
    rule, _, _ = trials(memory).trial(memory.rules.add("Install with pnpm.").id, NPM)
    memory.rules.raise_(rule.id, to="ask")
    rule, trial, _ = trials(memory).trial(rule.id, Matcher(command="^yarn"))
    assert (rule.mode, rule.trial) == ("warn", trial)


def test_no_trial_however_good_raises_a_matcher(memory: Memory) -> None:
    refused = [turn for n in range(5) for turn in (call(f"c{n}", "npm ci"), result(f"c{n}", REFUSED), said("no"))]
    capture(memory, *refused)
    rule, trial, _ = trials(memory).trial(memory.rules.add("Install with pnpm.").id, NPM)
    assert (rule.mode, trial.right) == ("warn", 5)


@pytest.mark.parametrize(
    ("fired", "right", "wrong", "sentence"),
    [
        (7, 6, 1, "would have fired 7 times, 6 of them rightly"),
        (7, 4, 1, "would have fired 7 times, 4 of them rightly, 2 not known"),
        (1, 1, 0, "would have fired once, rightly"),
        (1, 0, 1, "would have fired once, wrongly"),
        (1, 0, 0, "would have fired once, whether rightly is not known"),
        (0, 0, 0, "would never have fired"),
    ],
)
def test_a_trial_is_told_in_a_sentence(fired: int, right: int, wrong: int, sentence: str) -> None:
    assert in_words(Trial(at=NOW, matcher=NPM, fired=fired, right=right, wrong=wrong)) == sentence


@pytest.mark.parametrize("words", ["No.", "don't do that", "undo this", "that's wrong", "please stop", "Why did you?"])
def test_these_words_object(words: str) -> None:
    assert objects(words)


@pytest.mark.parametrize("words", ["yes", "no problem", "don't worry", "log: hook=stop", "next", "why not", ""])
def test_these_words_do_not(words: str) -> None:
    assert not objects(words)


def test_a_rule_without_a_matcher_says_how_to_give_it_one(memory: Memory) -> None:
    rule = memory.rules.add("Be kind.")
    with pytest.raises(WrongUse, match=f"the rule {rule.id} has no matcher to try"):
        trials(memory).trial(rule.id)
    with pytest.raises(UnknownEntry, match="no rule 'nosuch'"):
        trials(memory).trial("nosuch")


def test_a_pattern_that_cannot_be_read_or_holds_a_secret_changes_nothing(memory: Memory) -> None:
    rule = memory.rules.add("Install with pnpm.")
    with pytest.raises(WrongUse, match="cannot be read"):
        trials(memory).trial(rule.id, Matcher(command="("))
    with pytest.raises(WrongUse, match="looks like a secret"):
        trials(memory).trial(rule.id, Matcher(text="ghp_" + "x7Kq2mVn" * 4 + "aB3d"))
    assert memory.rules.one(rule.id) == rule


# -- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def rule_id(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> str:
    """A rule in a home that the command line opens, and something for it to fire on."""
    monkeypatch.setenv("STENO_HOME", str(memory.home.root))
    monkeypatch.setenv("STENO_EMBEDDING", "off")
    capture(
        memory,
        call("c1", "npm ci"), result("c1"), said("no, use pnpm \x1b[2J"), call("c2", "npm test"), result("c2", REFUSED),
    )  # fmt: skip
    return memory.rules.add("Install with pnpm.").id


def steno(*args: str) -> str:
    """What `steno rules trial` prints."""
    done = CliRunner().invoke(program, ["rules", "trial", *args])
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def test_the_command_prints_every_firing_and_what_to_do_next(rule_id: str) -> None:
    assert steno(rule_id, "--matcher-command", r"^npm\b").splitlines() == [
        f"{rule_id}  Install with pnpm.",
        r"matcher  command ^npm\b",
        "",
        "when                      session  turn  what            reaction   the human's words",
        f"{AT}  s1          1  Bash: npm ci    corrected  no, use pnpm ␛[2J",
        f"{AT}  s1          4  Bash: npm test  refused    -",
        "",
        "Would have fired 2 times, 2 of them rightly.",
        f"It warns from now on. `steno rules raise {rule_id} --to ask` makes it ask.",
    ]


def test_as_json_it_is_the_rule_with_its_trial_and_the_firings(rule_id: str) -> None:
    found = json.loads(steno(rule_id[:8], "--matcher-command", "^npm", "--matcher-tool", "bash", "--json"))
    assert [(one["turn"], one["action"], one["reaction"]) for one in found["firings"]] == [
        (1, "npm ci", "corrected"),
        (4, "npm test", "refused"),
    ]
    tried = found["rule"]["trial"]
    assert (found["rule"]["id"], found["rule"]["mode"]) == (rule_id, "warn")
    assert tried == {
        "at": tried["at"], "matcher": {"tool": "bash", "command": "^npm"}, "fired": 2, "right": 2, "wrong": 0,
    }  # fmt: skip


def test_where_a_rule_has_a_condition_the_next_step_says_so(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STENO_HOME", str(memory.home.root))
    capture(memory, call("c1", "npm ci"), result("c1"), said("no, not on Fridays"))
    rule = memory.rules.add("Never run npm on a Friday.")
    assert steno(rule.id, "--matcher-command", r"^npm\b").splitlines()[-1] == (
        "It warns from now on, each time: nothing but a reader sees whether its condition holds. "
        f"`steno rules raise {rule.id} --to ask` makes it ask."
    )
