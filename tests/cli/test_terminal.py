"""What a person at a terminal sees."""

import json
import re
import unicodedata
from contextlib import redirect_stdout
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from steno.cli.show import one_line, plain, short_ids
from steno.cli.table import Column, table
from steno.cli.words import ago
from steno.hidden import encoded

HOSTILE = "\x1b[2J\x1b]0;owned\x07 [bold red]markup[/bold red] \u009b31m :owl:\rover\u202e"
SHOWN = "␛[2J␛]0;owned␇ [bold red]markup[/bold red] \\u009b31m :owl:␍over\\u202e"
# Colours, and what a progress bar needs: move the cursor, clear a line, hide and show the cursor.
OURS = re.compile(r"\x1b\[(\d*(;\d+)*m|\d*[AK]|\?25[lh])")


def test_plain_text_cannot_drive_a_terminal():
    assert plain(HOSTILE) == SHOWN
    assert plain("one\r\ntwo\tthree \ud800") == "one\ntwo\tthree \\ud800"
    assert one_line("one\n  two\x00") == "one two␀"


def smuggled(words):
    """Words in tags, which no terminal shows and some models read."""
    return "".join(chr(0xE0000 + ord(sign)) for sign in words)


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        ("pay\u200bload", r"pay\u200bload"),
        ("a\u200cb\u200dc\u2060d\ufeffe\xadf", r"a\u200cb\u200dc\u2060d\ufeffe\u00adf"),
        ("\u202egnp.exe\u202c \u2066x\u2069 \u200f\u061c", r"\u202egnp.exe\u202c \u2066x\u2069 \u200f\u061c"),
        (f"fine{smuggled('no')}", r"fine\U000e006e\U000e006f"),
        ("a\ufe00b\U000e0100c\u3164", r"a\ufe00b\U000e0100c\u3164"),
        ("one\u2028two", r"one\u2028two"),
        ("x\ufe0f 1\ufe0f2 1\u200d2", r"x\ufe0f 1\ufe0f2 1\u200d2"),
        ("👩\u200d", r"👩\u200d"),
        # Ordinary: a family, a heart, a pirate's flag, a key; Persian and Hindi; signs that can be seen.
        ("👩\u200d👩\u200d👧 ❤\ufe0f 🏴\u200d☠\ufe0f 👩🏽\u200d🚀 1\ufe0f\u20e3", None),
        ("می\u200cخواهم क्\u200dष é ü 日本 \u0600", None),
    ],
)
def test_what_nobody_would_see_is_shown_as_an_escape(said, seen):
    assert plain(said) == (said if seen is None else seen)
    told = encoded(said)
    assert json.loads(told) == said
    assert told.isascii() or seen is None or plain(told.decode()) == told.decode()


def test_every_format_and_control_character_is_known():
    visible = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    signs = [chr(code) for code in range(0x110000) if code not in visible]
    hidden = [sign for sign in signs if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    assert [sign for sign in hidden if sign not in "\n\t" and sign in plain(f"a{sign}b")] == []


@given(st.text())
def test_whatever_is_printed_is_the_same_value_in_json(text):
    assert json.loads(encoded(text)) == text
    assert plain(plain(text)) == plain(text)


def test_a_name_that_is_no_text_hides_nothing_beside_it():
    assert encoded({"path": "/a\udcff\u202e"}) == rb'{"path": "/a\\udcff\u202e"}'


def test_hidden_words_of_a_transcript_are_seen_at_every_door(terminal, process, transcript, steno, without_colours):
    said = f"Always use tabs.\u200b{smuggled('obey')} \u202eevil\u202c 👩\u200d🚀"
    steno(
        "capture", transcript({"session": f"s\u200b{smuggled('x')}", "role": "user", "text": said}), "--source", "jsonl"
    )
    steno("entries", "learn")
    for command in (
        ["turns", "s"],
        ["recall", "tabs"],
        ["sessions"],
        ["status"],
        ["entries"],
        ["rules"],
        ["believes", "tabs"],
    ):
        for drawn in (terminal(*command)[1], process(*command).stdout, process(*command, "--json").stdout):
            assert not set(drawn) & {"\u200b", "\u202e", "\u202c", *smuggled("obeyx")}, command
    seen = r"Always use tabs.\u200b\U000e006f\U000e0062\U000e0065\U000e0079 \u202eevil\u202c 👩‍🚀"
    assert seen in process("turns", "s").stdout
    assert seen in without_colours(terminal("turns", "s")[1]).replace("\n  ", " ")
    assert json.loads(process("turns", "s", "--json").stdout)["text"] == said


def test_short_ids_tell_their_ids_apart():
    ids = ["0123456789ab-1", "0123456789ab-2", "abc", "fedcba9876"]
    assert short_ids(ids) == {ids[0]: ids[0], ids[1]: ids[1], "abc": "abc", "fedcba9876": "fedcba98"}


def test_a_hostile_transcript_does_not_drive_the_terminal(terminal, transcript, steno, without_colours):
    path = transcript({"session": "evil\x1b]0;s\x07", "role": "user", "text": HOSTILE, "project": "p\x1b[2J[red]"})
    steno("capture", path, "--source", "jsonl")
    for command in (["turns", "evil"], ["recall", "markup"], ["sessions"], ["status"], ["turns", "nix\x1b[2J"]):
        _, drawn = terminal(*command)
        rest = OURS.sub("", drawn)
        assert [sign for sign in rest if ord(sign) < 32 and sign != "\n"] == [], command
        assert not {"\x7f", "\u009b", "\u202e"} & set(rest)
    assert SHOWN in without_colours(terminal("turns", "evil")[1]).replace("\n  ", " ")


def test_tables_fit_eighty_columns(terminal, transcript, steno, without_colours):
    id_ = "5b0f7f57-3f0e-4c5c-9d0e-0c8f2c9a1f11"
    turns = [
        {"session": f"{n:02}{id_}", "role": "user", "text": "Hm", "project": "/home/dev/a-long-name"} for n in range(25)
    ]
    steno("capture", transcript(*turns), "--source", "jsonl")
    code, drawn = terminal("status", "--health")
    table = without_colours(drawn).split("\n\n")[1].splitlines()
    assert code == 0
    assert max(map(len, table)) <= 80
    assert table[0].split() == "session project turns lines read skipped bad gaps lag context".split()
    assert table[1].split() == ["245b0f7f", "a-long-name", "1", "1", "1", "0", "0", "0", "0s", "-"]
    assert len(table) == 26
    assert "\x1b[1m" in drawn


def test_capture_draws_a_progress_bar_and_takes_it_away(terminal, transcript):
    # By a tool, so that the scribe has little to do.
    turns = [{"session": "s", "role": "tool", "text": "word " * 100} for _ in range(3000)]
    code, drawn = terminal("capture", transcript(*turns), "--source", "jsonl")
    assert code == 0
    assert "Reading" in drawn
    assert re.search(r"1\.\d/1\.\d MB|MB", drawn)
    last = OURS.sub("", drawn.rpartition("\x1b[2K")[2])
    assert last == "Captured 3,000 new turns in 1 session.\n  transcripts  1\n  lines        3,000 read, 0 skipped\n"


def test_long_results_are_cut_on_a_terminal_only(terminal, transcript, steno, without_colours):
    text = "\n".join(f"line {n}" for n in range(40))
    steno("capture", transcript({"session": "s", "role": "tool", "text": text, "tool": "Bash"}), "--source", "jsonl")
    drawn = without_colours(terminal("turns", "s")[1])
    assert ("  line 11\n" in drawn, "line 12" in drawn) == (True, False)
    assert "more characters: in a pipe or with --json" in drawn
    assert "  line 39\n" in steno("turns", "s").stdout


WIDE = "決して本番データベースを直接変更しないでください。" * 4
UNBROKEN = "https://example.org/" + "a" * 200
LOOKS = (
    "sessions", "status", "entries", "rules", "brief receipts", "checkpoint", "flows", "review", "brief handoff",
    "brief capsule",
)  # fmt: skip


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_nothing_is_wider_than_the_terminal(terminal, transcript, steno, without_colours, columns):
    path = transcript(
        {"session": "s" * 80, "role": "user", "text": f"never touch {UNBROKEN} again", "project": f"/srv/{UNBROKEN}"},
        {"session": "日本語", "role": "user", "text": f"never change {WIDE}", "project": f"/srv/{WIDE}"},
    )
    steno("capture", path, "--source", "jsonl")
    for text in (WIDE, UNBROKEN):
        steno("rules", "add", text, "--everywhere")
        steno("flows", "add", "a-flow-" + "x" * len(text[:20]), "--step", text, "--trigger", text, "--everywhere")
    steno("brief", "--given")
    gate = ["gate", "before", "bot", f"change {WIDE} {UNBROKEN}"]
    more = [
        ["turns", "日"],
        ["recall", "never"],
        ["believes", "never"],
        ["brief"],
        ["settings"],
        ["turns", "nix"],
        gate,
    ]
    for command in [*(look.split() for look in LOOKS), *more]:
        _, drawn = terminal(*command, typed="q" if command == ["review"] else "", columns=columns)
        lines = without_colours(drawn).splitlines()
        assert lines, command
        assert [line for line in lines if cell_len(line) > columns] == [], command


KINDS = st.sampled_from(["text", "id", "time", "path", "number", "right"])
NAME = st.text("abcdefgh ", max_size=9)  # ours, never a stranger's
COLUMN = st.builds(Column, name=NAME, heading=NAME, kind=KINDS, telling=st.booleans(), spare=st.integers(0, 3))
CELL = st.one_of(st.none(), st.integers(0, 10**9), st.text(max_size=90), st.sampled_from([WIDE, UNBROKEN]))


@settings(deadline=None)
@given(
    columns=st.lists(COLUMN, min_size=1, max_size=7, unique_by=lambda column: column.name),
    rows=st.integers(0, 3),
    width=st.integers(40, 200),
    data=st.data(),
)
def test_any_table_fits_any_page(columns, rows, width, data):
    cells = data.draw(st.lists(st.tuples(*[CELL] * len(columns)), min_size=rows, max_size=rows))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as page:
        patch.setenv("COLUMNS", str(width))
        table(columns, cells)
    assert [line for line in page.getvalue().splitlines() if cell_len(line) > width] == []
    assert "\x1b" not in page.getvalue()


def test_a_page_in_a_pipe_is_laid_out_in_the_columns_it_is_given_without_colours(steno, transcript, monkeypatch):
    path = transcript({"session": "5b0f7f57-3f0e-4c5c", "role": "user", "text": "never use tabs, always spaces"})
    steno("capture", path, "--source", "jsonl")
    monkeypatch.setenv("COLUMNS", "60")
    assert steno("sessions").stdout == (
        "last turn  source  session   kind  project  turns  context\n"
        "-          jsonl   5b0f7f57  main  -            1        -\n"
    )  # fmt: skip


def test_times_are_told_as_people_tell_them(monkeypatch):
    monkeypatch.setattr("steno.clock.utc_now", lambda: "2026-03-10T12:00:00.000Z")
    told = ["2026-03-10T11:59:30Z", "2026-03-10T11:48:00Z", "2026-03-09T10:00:00Z", "2026-03-04T10:00:00Z"]
    assert [ago(at) for at in told] == ["now", "12 min ago", "26 h ago", "6 days ago"]
    assert [ago(at) for at in ("2026-01-02T10:00:00Z", "2025-03-02T10:00:00Z", "2027-01-01T00:00:00Z")] == [
        "2 Jan",
        "2 Mar 2025",
        "1 Jan 2027",
    ]
    assert [ago(at) for at in (None, "", "soon")] == ["", "", "soon"]


def test_the_scribe_and_the_vectors_tell_how_much_there_is_to_do(terminal, transcript, with_meaning):
    turns = [{"session": "s", "role": "user", "text": f"never use number {n}"} for n in range(40)]
    _, drawn = terminal("capture", transcript(*turns), "--source", "jsonl")
    learning, _, making = drawn.partition("Making vectors")
    totals = [set(re.findall(r"\d+/(\d+)", part)) for part in (learning.partition("Learning")[2], making)]
    assert totals[0] == {"40"}
    assert len(totals[1]) <= 1  # how many, and whether any, depends on what the thread behind the memory made meanwhile


def test_an_import_tells_how_much_there_is_to_do(terminal, transcript, steno, home, monkeypatch):
    turns = [{"session": "s", "role": "tool", "text": "word " * 100} for _ in range(2000)]
    steno("capture", transcript(*turns), "--source", "jsonl")
    steno("store", "export", str(home / "out.jsonl"))
    monkeypatch.setenv("STENO_HOME", str(home / "other"))
    _, drawn = terminal("store", "import", home / "out.jsonl", "--trust")
    assert re.search(r"Importing.*\d\.\d/1\.\d MB", drawn)


def test_only_a_terminal_shows_how_to_lift_what_was_said(terminal, steno, without_colours):
    assert steno("rules", "add", "never push to the salt branch", "--everywhere").exit_code == 0
    asked = ("gate", "before", "bot", "push to the salt branch")
    assert "steno entries archive" not in steno(*asked).stdout
    assert "to allow  steno entries archive" in without_colours(terminal(*asked)[1])
