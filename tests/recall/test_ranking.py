"""Which of several answers stands first, what an answer says about itself, and what no input may break."""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steno.memory import Memory
from steno.recall.cues import changes
from steno.recall.fits import Best, Never, Tells, likely, tells
from steno.recall.question import ask
from steno.recall.rank import Among, Scored, by_session, judge, pairs, rank
from steno.recall.recall import best_turns
from steno.recall.search import stands_by_turns
from steno.recall.vectors import Alike, Near
from steno.recall.weigh import WEIGHTS, Beside, Network, Over, Signals, signals_of, together, told
from steno.store.recall import Resting, TurnTraits
from steno.testing import house, said, write_jsonl
from steno.vocabulary import Neighbour
from steno.vocabulary.errors import WrongUse

House = Callable[..., AbstractContextManager[Memory]]
NOW = "2026-06-01T00:00:00Z"


def scored(id_: int, score: float, session: int = 1, at: str | None = None, beginning: str = "") -> Scored:
    one = Scored(id_)
    one.score, one.session, one.at, one.beginning = score, session, at, beginning
    return one


# -- the order -------------------------------------------------------------------------------------------------------


def test_of_two_turns_on_the_same_thing_the_newer_stands_above_and_says_so(real_house: House, tmp_path: Path) -> None:
    lines = [
        said("Ada lives in Oslo.", id="old", session="a", at="2026-03-01T10:00:00Z"),
        said("Ben plays the cello.", id="other", session="a", at="2026-03-02T10:00:00Z"),
        said("Ada lives in Turin.", id="new", session="b", at="2026-04-01T10:00:00Z"),
    ]
    with real_house() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.embed()
        hits = {hit.native_id: hit for hit in memory.recall("In which city does Ada live?", within="turns", now=NOW)}
        assert next(iter(hits)) == "new"
        assert hits["new"].earlier == Neighbour(hits["old"].turn, "user", "Ada lives in Oslo.")
        assert hits["old"].earlier is None


def test_the_very_same_words_said_later_do_not_stand_for_the_older_ones(real_house: House, tmp_path: Path) -> None:
    lines = [said("Ada lives in Oslo.", id=at, session=at, at=f"2026-{at}-01T10:00:00Z") for at in ("03", "04")]
    with real_house() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.embed()
        hits = memory.recall("In which city does Ada live?", within="turns", now=NOW)
        assert [(hit.native_id, hit.earlier) for hit in hits] == [("04", None), ("03", None)]


def listen(memory: Memory, folder: Path, talk: str) -> None:
    """Take in talk: a line each, with its session, which is a month, who and what."""
    lines = []
    for number, line in enumerate(talk.strip().splitlines(), 1):
        month, role, text = line.split(maxsplit=2)
        at = f"2026-{month}-01T10:{number:02}:00Z"
        lines.append(said(text, role=role, id=str(number), session=month, at=at))
    memory.capture(write_jsonl(folder / "t.jsonl", *lines), source="jsonl")
    memory.embed()


@pytest.mark.parametrize(
    ("question", "talk", "shown"),
    [
        (
            "when do we deploy?",
            """
            03 user and deploy on Fridays after lunch, the support team is in then
            03 assistant Noted, I set the deploy job to Friday 13:00.
            04 user Friday deploys ruin our weekends, let's do Tuesdays
            04 assistant The job runs on Tuesday 13:00 now.
            """,
            [(3, None), (4, None), (2, None), (1, None)],
        ),
        (
            "who signs each drawing before it goes out?",
            """
            03 user Nothing goes out of the house before Anna has seen it. She signs each drawing.
            03 assistant Understood: each drawing waits for Anna's signature before it goes out.
            04 user other thing. Anna retires in February, then it is Henning
            04 assistant Noted.
            """,
            [(3, None), (2, None), (1, None), (4, None)],
        ),
        # A question changes nothing, and other things of the same kind do not; but who reads may be told of them.
        (
            "which port does the proxy listen on?",
            """
            03 user let the proxy listen on 8080
            03 assistant The proxy listens on 8080.
            04 user should we move the proxy to 9090?
            """,
            [(2, None), (1, None), (3, None)],
        ),
        (
            "how often do we retry the tax API?",
            """
            03 user if the tax API fails, retry five times with a pause of a second
            03 assistant The tax client now retries five times, one second apart.
            04 user the mail server is slow today, try twice there and give up
            04 assistant Done, two tries for mail.
            """,
            [(1, None), (2, None), (3, None), (4, None)],
        ),
        (
            "what goes into a backup?",
            """
            03 user the backup holds the database and the uploads
            03 assistant The nightly backup holds the database and the uploads now.
            04 user the restore of the backup took an hour yesterday
            04 assistant I will look at it.
            """,
            [(2, 3), (1, None), (3, None), (4, None)],
        ),
    ],
)
def test_in_a_small_store_what_was_changed_in_passing_stands_above_what_it_changed(
    real_house: House, tmp_path: Path, question: str, talk: str, shown: list[tuple[int, int | None]]
) -> None:
    with real_house() as memory:
        listen(memory, tmp_path, talk)
        hits = memory.recall(question, within="turns", now=NOW)
        assert [(hit.turn, hit.later and hit.later.turn) for hit in hits] == shown


def test_an_entry_stands_where_the_turn_stands_that_it_quotes_first() -> None:
    def resting(entry: str, turn: int, place: int) -> Resting:
        return Resting(entry, turn, place, "decision", "active", "user", None)

    newer, older = scored(2, 0.9), scored(1, 0.5)
    newer.rests = [resting("both", 2, 1), resting("new", 2, 0), resting("late", 2, 1)]
    older.rests = [resting("both", 1, 0), resting("late", 1, 2)]
    assert stands_by_turns([newer, older]) == {"both": 0.5, "new": 0.9, "late": 0.9}


def test_a_newer_word_names_the_older_one_and_not_what_it_answers(real_house: House, tmp_path: Path) -> None:
    talk = """
    03 user How long may a firing log stay on the controller?
    03 assistant I would keep firing logs on the controller for 14 days; the card holds about three weeks.
    03 user let's go with 14 days
    04 user The insurance wants firing logs for two years. So not 14 days any more: copy them every night.
    04 assistant Changed: firing logs stay on the controller for 60 days and are copied every night.
    """
    with real_house() as memory:
        listen(memory, tmp_path, talk)
        hits = memory.recall("how long do firing logs stay on the controller?", now=NOW)
        # Each older one is shown once.
        assert [(hit.turn, hit.earlier and hit.earlier.turn) for hit in hits] == [
            (5, 3),
            (4, None),
            *((turn, None) for turn in (2, 1, 3)),
        ]


@pytest.mark.parametrize(
    ("asked", "said_later", "order", "later", "instead"),
    [
        ("when does an API token expire?", "Changed: 30 days for tokens now.", [2, 1], 2, 1),
        # Who asks how it was, or hears later of something else, gets what was said then, with a note.
        ("when did an API token expire at first?", "Changed: 30 days for tokens now.", [1, 2], 2, 1),
        ("when does an API token expire?", "tokens are listed on the settings page", [1, 2], 2, None),
    ],
)
def test_where_turns_are_few_what_was_likely_said_anew_stands_just_above_what_it_changed(
    asked: str, said_later: str, order: list[int], later: int, instead: int | None
) -> None:
    older = scored(1, 1.5, 1, "2026-03-01T10:00:00Z", "API tokens expire after 90 days.")
    newer = scored(2, 1.0, 2, "2026-05-01T10:00:00Z", said_later)
    older.signals = Signals(0.4, 0.5, 0.7, 0.7, 0.1, 0.4, 0.7, length=0.5)
    newer.signals = Signals(0.2, 0.5, 0.5, 0.5, 0.4, 0.1, 0.7, human=1.0, length=0.4)
    among = Among({1: older, 2: newer}, {}, Alike([1, 2], np.array([[1.0, 0.8], [0.8, 1.0]], np.float32)))
    found = [one.id for one in rank(ask(asked, NOW), among)]
    assert (found, older.later, newer.instead) == (order, later, instead)


@pytest.mark.parametrize(
    ("text", "of_then", "of_work"),
    [
        ("add a planar reflection to the lake", False, True),
        ("please rename the folder", False, True),
        ("can you make the plot quicker?", False, True),
        ("how do we name folders?", False, False),
        ("what did we decide last week?", True, False),
        ("the peak arrives later each week", False, False),
    ],
)
def test_a_question_says_whether_it_is_of_the_past_or_work_to_do(text: str, of_then: bool, of_work: bool) -> None:
    question = ask(text, NOW)
    assert (question.of_then, question.of_work) == (of_then, of_work)


def test_a_clock_that_is_wrong_or_missing_breaks_nothing(real_house: House, tmp_path: Path) -> None:
    times = ("2026-03-01T10:00:00Z", None, "2099-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2026-03-01T10:00:00Z")
    lines = [
        said(f"Ada lives in {city}.", id=city, **({"at": at} if at else {}))
        for city, at in zip(("Oslo", "Turin", "Quito", "Hanoi", "Perth"), times, strict=True)
    ]
    with real_house() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.embed()
        found = memory.recall("In which city does Ada live?", within="turns", now=NOW)
        assert {hit.native_id for hit in found} == {"Oslo", "Turin", "Quito", "Hanoi", "Perth"}


@pytest.mark.parametrize(
    ("at", "newer", "later"),
    [
        ("2026-03-01T10:00:00Z", "Changed: 30 days for tokens now.", 2),
        # A question changes nothing, nor do the very same words; of a turn without a time nobody knows what came later.
        ("2026-03-01T10:00:00Z", "Should API tokens now expire after 30 days only, instead of that?", None),
        ("2026-03-01T10:00:00Z", "API tokens expire after 90 days.", None),
        (None, "Changed: 30 days for tokens now.", None),
    ],
)
def test_what_may_have_changed_was_said_later_and_otherwise(at: str | None, newer: str, later: int | None) -> None:
    one = scored(1, 1.0, 1, at, "API tokens expire after 90 days.")
    other = scored(2, 0.6, 2, "2026-05-01T10:00:00Z", newer)
    one.signals = other.signals = Signals(0.5, 0.5, length=0.35)
    among = Among({1: one, 2: other}, {}, Alike([1, 2], np.array([[1.0, 0.8], [0.8, 1.0]], np.float32)))
    rank(ask("when does an API token expire?", NOW), among)
    # What may be a change is shown; that it is one would be said only if it were likely.
    assert (one.later, other.instead) == (later, None)


@pytest.mark.parametrize(("id_", "later"), [(21, 21), (20, None)])
def test_far_on_in_a_session_something_may_be_said_anew_and_nearby_it_is_the_same_exchange(
    id_: int, later: int | None
) -> None:
    one = scored(1, 1.0, 1, "2026-03-01T10:00:00Z", "API tokens expire after 90 days.")
    other = scored(id_, 0.6, 1, "2026-03-01T14:00:00Z", "Changed: 30 days for tokens now.")
    one.signals = other.signals = Signals(0.5, 0.5, length=0.35)
    among = Among({1: one, id_: other}, {}, Alike([1, id_], np.array([[1.0, 0.8], [0.8, 1.0]], np.float32)))
    rank(ask("when does an API token expire?", NOW), among)
    assert one.later == later


@pytest.mark.parametrize(("works", "long"), [(True, (0.0, 0.5)), (False, (0.5, 0.0))])
def test_what_is_long_is_a_report_where_somebody_works_in_a_folder(works: bool, long: tuple[float, float]) -> None:
    traits = TurnTraits(1, 1, "assistant", "said", None, round(300 * 20**0.5), "Pushed. What was done:", works)
    (told,) = signals_of([(0.0,) * 7], [traits], [()], ask("what was pushed?", NOW), NOW)
    assert (told.long, told.report) == pytest.approx(long, abs=1e-3)
    one = scored(1, 1.0)
    one.signals, one.near = told._replace(words=0.7), Near(0.5, 0.4, 0.1, 0.1)
    # A long turn may hold behind its beginning what was asked for.
    assert [best.words for best in best_turns([one])] == [0.7]


def test_a_report_is_as_long_as_other_talk_where_it_may_change_something() -> None:
    def told(newer: Signals) -> list[float]:
        one = scored(1, 1.0, 1, "2026-03-01T10:00:00Z", "API tokens expire after 90 days.")
        other = scored(2, 0.6, 2, "2026-05-01T10:00:00Z", "Changed: 30 days for tokens now.")
        one.signals, other.signals = Signals(0.5, 0.5), newer
        among = Among({1: one, 2: other}, {}, Alike([1, 2], np.array([[1.0, 0.8], [0.8, 1.0]], np.float32)))
        some = pairs(ask("when does an API token expire?", NOW), among)
        return [] if some is None else some.over[0].tolist()

    assert told(Signals(0.5, 0.5, report=0.4)) == told(Signals(0.5, 0.5, long=0.4)) != told(Signals(0.5, 0.5))


def test_what_ends_a_discussion_gains_by_the_turn_that_opened_it() -> None:
    question = ask("double charge", NOW)
    opened, ends, other = scored(1, 1.0), scored(5, 0.2), scored(6, 0.2)
    ranked = rank(question, Among({one.id: one for one in (opened, ends, other)}, {5: [1]}, None))
    assert [one.id for one in ranked] == [1, 5, 6]
    assert ranked[1].score > ranked[2].score


def test_a_session_counts_by_all_its_turns_and_shows_its_best() -> None:
    turns = [scored(1, 1.0, session=1), scored(2, 0.99, session=2), scored(3, 0.98, session=2)]
    assert [(one.session, one.id) for one in by_session(turns)] == [(2, 2), (1, 1)]


# -- how sure --------------------------------------------------------------------------------------------------------


def test_an_answer_is_the_likelier_the_nearer_it_is_and_the_more_it_holds() -> None:
    question = ask("which printers take zebra labels", NOW)
    far, near = (likely(question, [Best("something else", value, value)], Never(), ()) for value in (0.1, 0.8))
    assert 0.0 < far < near < 1.0
    texts = ("something else", "zebra labels, other printers")
    words = [likely(question, [Best(text, None, None)], Never(), ()) for text in texts]
    assert words[0] < words[1]
    assert likely(question, [], Never(), ()) == 0.0


def test_an_answer_is_the_likelier_the_further_it_stands_above_a_field() -> None:
    question, best = ask("which printers take zebra labels", NOW), [Best("zebra labels", 0.5, 0.5)]
    out, among_equals = ([1.5, *(1.5 - lead for _ in range(60))] for lead in (0.9, 0.1))
    assert likely(question, best, Never(), among_equals) < likely(question, best, Never(), out)
    # Of a few turns none can be said to stand out, and none not to.
    assert likely(question, best, Never(), out[:20]) == likely(question, best, Never(), among_equals[:20])


def test_a_long_turn_holds_what_stands_behind_its_beginning() -> None:
    question = ask("which printers take zebra labels", NOW)
    told = tells(question, [Best("something else", 0.5, 0.5, words=0.7)], Never(), ())
    assert (told.held, told.covered) == (0.7, 0.7)


def test_what_is_told_is_less_sure_than_what_tells_answers_from_noise_and_never_wholly_sure() -> None:
    told_of = [told(likely) for likely in (0.0, 0.125, 0.5, 0.9, 1.0)]
    assert told_of == sorted(told_of)
    assert (told(0.9) < 0.9, told_of[0] > 0.0, told_of[-1] < 1.0) == (True, True, True)


def test_no_weight_is_missing() -> None:
    tables = tomllib.loads(WEIGHTS.read_text("utf-8"))
    of = {"turns": Signals, "turns_by_words": Signals, "supersedes": Over, "beside": Beside, "fits": Tells}
    assert {name: tuple(tables[name]) for name in of} == {name: kind._fields for name, kind in of.items()}
    assert tables["fits_by_words"].keys() == tables["fits"].keys()
    assert list(tables["told"]) == ["always", "odds"]


# -- word for word, and the nearest ----------------------------------------------------------------------------------


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    lines = [
        said("the job failed with E-1042 again", id="1", at="2026-03-01T10:00:00Z"),
        said("the job failed with E-1043", id="2", at="2026-03-02T10:00:00Z"),
        said("again: E-1042, this time at night", id="3", session="s2", at="2026-03-03T10:00:00Z"),
    ]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        yield memory


def test_exactly_what_was_asked_is_found_the_newest_first(memory: Memory) -> None:
    found = {within: memory.recall("E-1042", how="exact", within=within) for within in ("turns", "sessions")}  # type: ignore[arg-type]
    assert [hit.native_id for hit in found["turns"]] == ["3", "1"]
    assert [hit.id for hit in found["sessions"]] == ["s2", "s1"]
    assert memory.recall("E-1044", how="exact") == []
    assert memory.recall("failed E-1042", how="exact") == []
    assert memory.recall("  FAILED with\ne-1042 ", how="exact")[0].native_id == "1"
    assert memory.recall("E-1042", how="exact", project="elsewhere") == []


def test_of_very_many_that_hold_the_words_the_newest_are_shown(tmp_path: Path) -> None:
    lines = [said(f"Zebrafix {day:03}", id=str(day), at=f"{2000 + day}-05-01T10:00:00Z") for day in range(1, 251)]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        assert [hit.native_id for hit in memory.recall("Zebrafix", k=2, how="exact")] == ["250", "249"]


def test_an_answer_is_not_taken_for_the_words_it_answers(tmp_path: Path) -> None:
    lines = [
        said("Ana left, it's Tomislav now who sends the schedule.", id="1"),
        said("Noted, I updated the contact in the README.", id="2", role="assistant"),
    ]
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        found = memory.recall("Ana left", how="exact")
        assert {(hit.native_id, hit.origin) for hit in found} == {("1", "user")}


@pytest.mark.parametrize(
    ("asked", "asks", "order"),
    [
        ("we take cards through Stripe", 0.0, [1, 2]),
        # A turn that only asks the same is no answer; who asks does not give words as they were said.
        ("we take cards through Stripe", 1.0, [2, 1]),
        ("do we take cards through Stripe?", 0.0, [2, 1]),
    ],
)
def test_what_was_said_word_for_word_stands_first_where_nobody_asks(asked: str, asks: float, order: list[int]) -> None:
    said_so, near = scored(1, 0.5), scored(2, 1.0)
    said_so.signals, near.signals = Signals(0.5, 0.5, phrases=1.0, asks=asks), Signals(0.5, 0.5, phrases=0.5)
    assert [one.id for one in rank(ask(asked, NOW), Among({1: said_so, 2: near}, {}, None))] == order


@pytest.mark.parametrize("wrong", [{"how": "bogus"}, {"k": 2.5}, {"k": "3"}, {"query": None}, {"query": b"x"}])
def test_what_cannot_be_asked_is_refused_in_words(memory: Memory, wrong: dict[str, Any]) -> None:
    with pytest.raises(WrongUse, match=r"cannot (?:look|give)"):
        memory.recall(**{"query": "E-1042", **wrong})


def test_the_nearest_is_shown_on_request(memory: Memory) -> None:
    asked = "which opera did the emperor's gardener hum at night while pruning the roses?"
    assert memory.recall(asked) == []
    [hit, *_] = memory.recall(asked, how="nearest")
    assert hit.native_id == "3"
    assert hit.likely is not None
    assert hit.likely < 0.5


# -- bad input -------------------------------------------------------------------------------------------------------


def test_a_thousand_identical_turns_are_one_answer_a_session(quick_house: House, tmp_path: Path) -> None:
    lines = [said("restart the payment worker", id=str(number), session="ab"[number % 2]) for number in range(1000)]
    with quick_house() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.embed()
        hits = memory.recall("restart the payment worker", within="turns")
        assert sorted(hit.session for hit in hits) == ["a", "b"]
        assert len(memory.recall("restart the payment worker", within="sessions")) == 2


def test_a_store_of_one_turn_and_a_question_of_five_thousand_words(real_house: House, tmp_path: Path) -> None:
    with real_house() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("the harbour office wants ink")), source="jsonl")
        memory.embed()
        [hit] = memory.recall("who wants ink?", within="turns")
        assert hit.text == "the harbour office wants ink"
        long = " ".join(f"harbour{number} office ink" for number in range(1700))
        assert len(memory.recall(long, within="turns", how="nearest")) == 1
        assert memory.recall(long, how="exact") == []


# -- what signals tell together --------------------------------------------------------------------------------------


def test_a_network_reads_the_signals_and_how_far_a_turn_stands_above_its_rivals() -> None:
    words = [0.9, 0.5, 0.5, 0.4, 0.4, 0.3, 0.1]
    signals = np.array([Signals(words=one, stretch=0.2, human=1.0) for one in words])
    rows = together(signals)
    assert np.array_equal(rows[:, : signals.shape[1]], signals)
    above = rows[:, signals.shape[1] :]
    assert above[:, 0].tolist() == pytest.approx([0.6, 0.2, 0.2, 0.1, 0.1, 0.0, 0.0])
    assert not above[:, 1:].any()


def test_what_signals_tell_together_moves_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    one, *others = [scored(id_, 0.5) for id_ in range(40)]
    one.signals = Signals(words=0.8, stretch=0.0)
    size = together(np.array([one.signals])).shape[1]
    line, inner = np.zeros(size), np.zeros((size, 1))
    line[0], inner[0, 0] = 1.0, 2.0
    monkeypatch.setattr("steno.recall.weigh.network", lambda: Network(line, inner, np.array([0.1]), np.array([3.0])))
    judge([one, *others])
    bent = [0.8 + 3 * np.tanh(1.7), *[3 * np.tanh(0.1)] * 39]
    assert [one.score, *(other.score for other in others)] == pytest.approx([0.5 + told for told in bent])
    # Few turns are no field to stand out from.
    judge([one, *others[1:]])
    assert one.score == pytest.approx(0.5 + bent[0])


@pytest.mark.parametrize(
    ("said", "share"),
    [
        ("the bell rings at nine", 0.0),
        ("um neun läutet es", 0.0),
        ("switched to tea", 1 / 3),
        ("five is too many, three are plenty", 2 / 3),
        ("actually no longer mondays, from now on only at night", 1.0),
    ],
)
def test_what_speaks_of_a_change_does_so_in_several_words(said: str, share: float) -> None:
    assert changes(said) == pytest.approx(share)
