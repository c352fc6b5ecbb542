"""`steno status`: what holds in a project and what waits, and what it says of the language people speak."""

import json

import pytest

from steno.clock import utc_now
from steno.testing import said

from .conftest import SEQUENCE

ENGLISH = ("please put the tests beside the code", "why is the build red", "that is not what we want")
GERMAN = ("bitte leg die Tests neben den Code", "warum ist der Build rot", "das wollen wir so nicht")
FOREIGN = {
    "Japanese": ("テストはコードの隣に置いてください", "なぜ build が失敗したのですか", "main に push しないで"),
    "Chinese": ("请把测试放在代码旁边", "为什么构建失败了", "不要推送到 main"),
    "Korean": ("테스트를 코드 옆에 두세요", "빌드가 왜 실패했나요", "main 에 푸시하지 마세요"),
    "Cyrillic letters": ("положи тесты рядом с кодом", "почему сборка упала", "не надо пушить в main"),
    "Arabic letters": ("ضع الاختبارات بجانب الكود", "لماذا فشل البناء", "لا تدفع إلى main"),
    "French": ("mets les tests à côté du code", "pourquoi est-ce que le build est rouge", "ne pousse pas sur main"),
    "Spanish": (
        "pon los tests al lado del código",
        "por qué está rojo el build",
        "no hagas push a los lunes, por favor",
    ),
    "Italian": ("metti i test accanto al codice", "perché la build non passa", "non fare push sulla main di notte"),
    "Portuguese": ("põe os testes ao lado do código", "por que o build não passa", "não faça push para o main"),
    "Dutch": ("zet de tests naast het bestand", "waarom is het zo langzaam, wat moet er mee", "dat wil ik niet"),
    "Polish": ("połóż testy obok kodu, to jest ważne", "czy to jest czerwone", "nie rób tego w nocy"),
}


@pytest.fixture
def flags(steno, transcript):
    """What `steno status` flags after somebody said these things."""

    def found(*words):
        path = transcript(*(said(text, id=f"{number}", project="/shop") for number, text in enumerate(words)))
        assert steno("capture", path, "--source", "jsonl").exit_code == 0
        return json.loads(steno("status", "--json").stdout)["flags"]

    return found


@pytest.mark.parametrize("name", FOREIGN)
def test_a_home_whose_people_speak_another_language_is_told_that_little_is_noted(steno, flags, name):
    told = f"people here mostly write in {name}: "
    told += "rules and refusals are noted in English and German only; `steno recall` finds the rest"
    assert flags(*FOREIGN[name] * 2, *ENGLISH) == [told]
    assert f"\nflag      {told}\n" in steno("status").stdout


@pytest.mark.parametrize("spoken", [ENGLISH, GERMAN, (*ENGLISH, *GERMAN)])
@pytest.mark.parametrize("name", FOREIGN)
def test_where_half_is_english_or_german_nothing_is_said(flags, spoken, name):
    assert flags(*FOREIGN[name], *spoken) == []


def test_nobody_is_called_foreign_for_a_word_or_two(flags):
    assert flags(*FOREIGN["French"], "ok", "npm run build") == []


def test_at_one_glance_it_says_what_holds_here_what_waits_and_what_is_wrong(steno, home, transcript, terminal):
    for project in ("shop", "zoo"):
        (home / project / ".git").mkdir(parents=True)
    long = "before you touch the ledger, ask Ann, who has kept it for twenty years and knows why it is as it is"
    for words in (*(f"never paint the door {colour}" for colour in ("red", "blue", "green", "pink", "grey")), long):
        steno("rules", "add", words, "--project", str(home / "shop"))
    steno("rules", "add", "never feed the bear", "--project", str(home / "zoo"))
    path = transcript(said("ask me before you push to main", id="1", project=str(home / "shop"), at=utc_now()))
    steno("capture", path, "--source", "jsonl")
    steno("pause")
    shown = [
        "holds     7 rules and 0 refusals of yours",
        "  now         “ask me before you push to main”",
        "  now         “before you touch the ledger, ask Ann, who has kept it for twenty",
        "              years and knows why it is as it is”",
        *(f"  now         “never paint the door {colour}”" for colour in ("grey", "pink", "green")),
        "              2 more: `steno rules`",
        "waits     1 instruction you may make last: `steno review`, one key each",
        "heard     1 turn in 1 session, the last now",
        "daemon    does not run; `steno up` starts it",
    ]
    *drawn, paused = terminal("status", "--project", str(home / "shop"))[1].splitlines()
    bare = [SEQUENCE.sub("", line).rstrip() for line in drawn]
    # A long folder stands on lines of its own.
    assert "".join(bare[: -len(shown)]).replace(" ", "") == f"inshop({home}/shop)"
    assert bare[-len(shown) :] == shown
    assert "paused    since " in SEQUENCE.sub("", paused)
    assert "\x1b" in paused
    whole = steno("status", "--project", str(home / "shop")).stdout
    assert "\x1b" not in whole
    assert f"  now         “{long}”\n" in whole
