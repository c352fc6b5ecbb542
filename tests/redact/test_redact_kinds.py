"""Each kind of secret is found wherever people and tools write it down.

Samples are put together at run time: no literal in this file looks like a token, so
secret scanners stay quiet about the repository.
"""

from __future__ import annotations

import random
import string

import pytest

from steno.redact import Redactor

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
URLSAFE = ALNUM + "_-"
LOWER = string.ascii_lowercase + string.digits

REDACTOR = Redactor(secret=b"a store's key")


def made(alphabet: str, length: int) -> str:
    """Random, the same in every run, with a letter and a digit at both ends."""
    chooser = random.Random(f"{alphabet}{length}")
    middle = "".join(chooser.choice(alphabet) for _ in range(length - 4))
    letter = "A" if "A" in alphabet else "a"
    return f"{letter}7{middle}{letter}9"


def jwt() -> str:
    return ".".join(("ey" + "J" + made(ALNUM, 30), "ey" + "J" + made(ALNUM, 60), made(URLSAFE, 43)))


TOKENS = {
    "aws-access-key": ["AK" + "IA" + made(UPPER, 16), "AS" + "IA" + made(UPPER, 16)],
    "age-key": ["AGE-SECRET-" + "KEY-1" + made(UPPER, 58)],
    "azure-secret": [made(ALNUM, 5)[:3] + "8Q" + "~" + made(ALNUM, 34)],
    "google-key": ["AI" + "za" + made(URLSAFE, 35)],
    "google-oauth": ["ya" + "29." + made(URLSAFE, 60), "GOC" + "SPX-" + made(ALNUM, 28), "1/" + "/0" + made(ALNUM, 40)],
    "digitalocean-token": [f"do{kind}_" + "v1_" + made(HEX, 64) for kind in "opr"],
    "cloudflare-key": ["cf" + "ut_" + made(ALNUM, 48), "v1." + "0-" + made(HEX, 24) + "-" + made(HEX, 146)],
    "alibaba-key": ["LT" + "AI" + made(ALNUM, 20)],
    "heroku-key": ["HRKU" + "-AA" + made(URLSAFE, 58)],
    "fly-token": ["fo" + "1_" + made(URLSAFE, 43)],
    "supabase-key": ["sb" + "p_" + made(HEX, 40), "sb_" + "secret_" + made(URLSAFE, 31)],
    "planetscale-token": ["pscale" + "_tkn_" + made(ALNUM, 43)],
    "databricks-token": ["da" + "pi" + made(HEX, 32)],
    "github-token": [f"gh{kind}_" + made(ALNUM, 36) for kind in "pousr"] + ["github" + "_pat_" + made(ALNUM, 82)],
    "gitlab-token": ["gl" + f"{kind}-" + made(ALNUM, 20) for kind in ("pat", "dt", "rt", "ptt")],
    "npm-token": ["np" + "m_" + made(ALNUM, 36)],
    "pypi-token": ["py" + "pi-AgE" + made(URLSAFE, 90)],
    "rubygems-token": ["ruby" + "gems_" + made(HEX, 48)],
    "nuget-key": ["oy" + "2" + made(LOWER, 43)],
    "docker-token": ["dckr" + "_pat_" + made(ALNUM, 27)],
    "atlassian-token": ["ATA" + "TT3" + made(ALNUM, 180), "AT" + "BB" + made(ALNUM, 32)],
    "vault-token": ["hv" + f"{kind}." + made(ALNUM, 90) for kind in "sbr"],
    "pulumi-token": ["pu" + "l-" + made(HEX, 40)],
    "sonar-token": ["sq" + "u_" + made(HEX, 40)],
    "buildkite-token": ["bk" + "ua_" + made(LOWER, 40)],
    "doppler-token": ["dp" + ".pt." + made(ALNUM, 43)],
    "tailscale-key": ["ts" + "key-auth-" + made(ALNUM, 16) + "-" + made(ALNUM, 32)],
    "anthropic-key": ["sk-" + "ant-api03-" + made(URLSAFE, 95)],
    "openai-key": ["sk" + "-proj-" + made(ALNUM, 100), "sk" + "-" + made(ALNUM, 48), "sk" + "-or-v1-" + made(HEX, 64)],
    "huggingface-token": ["h" + "f_" + made(ALNUM, 34)],
    "model-key": [
        *("gs" + "k_" + made(ALNUM, 52), "xa" + "i-" + made(ALNUM, 80), "pp" + "lx-" + made(ALNUM, 48)),
        *("nv" + "api-" + made(ALNUM, 64), "r" + "8_" + made(ALNUM, 37), "tv" + "ly-" + made(ALNUM, 32)),
        *("ls" + "v2_pt_" + made(HEX, 32) + "_" + made(HEX, 10), "f" + "c-" + made(HEX, 32)),
        *("cs" + "k-" + made(LOWER, 48), "s" + "k_" + made(HEX, 48)),
    ],
    "stripe-key": [f"{kind}_" + "live_" + made(ALNUM, 24) for kind in ("sk", "rk")] + ["wh" + "sec_" + made(ALNUM, 32)],
    "square-token": ["sq0" + "atp-" + made(ALNUM, 22)],
    "shopify-token": ["shp" + "at_" + made(HEX, 32)],
    "sendgrid-key": ["S" + "G." + made(ALNUM, 22) + "." + made(ALNUM, 43)],
    "mail-key": ["ke" + "y-" + made(HEX, 32), "xkey" + "sib-" + made(HEX, 64) + "-" + made(ALNUM, 16)],
    "slack-token": [f"xox{kind}-" + "1234567890-" + made(ALNUM, 24) for kind in "bpar"]
    + ["xa" + "pp-1-" + made(UPPER, 60)],
    "discord-token": ["M" + made(ALNUM, 23) + "." + made(ALNUM, 6) + "." + made(ALNUM, 38)],
    "telegram-token": ["123456789" + ":AA" + made(URLSAFE, 33)],
    "twilio-key": ["S" + "K" + made(HEX, 32)],
    "service-token": [
        *("lin_" + "api_" + made(ALNUM, 40), "nt" + "n_" + made(ALNUM, 46), "fig" + "d_" + made(ALNUM, 40)),
        *("pa" + "t" + made(ALNUM, 14) + "." + made(HEX, 64), "PM" + "AK-" + made(HEX, 24) + "-" + made(HEX, 34)),
        *("NR" + "AK-" + made(UPPER, 27), "gl" + "sa_" + made(ALNUM, 32) + "_" + made(HEX, 8)),
        *("sn" + "trys_" + made(ALNUM, 80), "CF" + "PAT-" + made(ALNUM, 43)),
    ],
    "jwt": [jwt()],
    "password-hash": ["$2" + "b$12$" + made(ALNUM, 53), "$6" + "$" + made(ALNUM, 8) + "$" + made(ALNUM, 86)],
}

SURROUNDINGS = {
    "alone": "{}",
    "in a sentence": "I used {} for that, and it worked.",
    "env file": "DEBUG=1\nSOME_TOKEN={}\nPORT=80",
    "shell": "export X='{}' && curl -H \"X-Key: {}\" https://example.com",
    "json": '{{"a": 1, "value": "{}", "b": 2}}',
    "json in json": '"{{\\"token\\": \\"{}\\"}}"',
    "after a written-out line break": "out:\\n{}\\nend",
    "yaml": "config:\n  value: {}\n  other: 1",
    "code": "client = Client('{}', retries=3)",
    "markdown": "the value is `{}`.",
    "address": "https://example.com/?x={}&y=1",
    "user of an address": "https://{}:x-oauth-basic@example.com/a.git",
}


@pytest.mark.parametrize("surrounding", SURROUNDINGS)
@pytest.mark.parametrize(("kind", "token"), [(kind, token) for kind, tokens in TOKENS.items() for token in tokens])
def test_a_token_is_found_and_named_in_every_surrounding(kind: str, token: str, surrounding: str) -> None:
    if ":" in token and surrounding == "user of an address":
        return  # such an address cannot be written
    text = SURROUNDINGS[surrounding].replace("{}", token).replace("{{", "{").replace("}}", "}")
    cleaned = REDACTOR.clean([text])
    assert token not in cleaned.texts[0]
    assert f"[redacted:{kind}:" in cleaned.texts[0]
    assert kind in cleaned.counts


# What a terminal is told before and after a word it shall mark, also written out, also without the escape character.
ESCAPES = (
    "\x1b[01;31m\x1b[K",
    "\x1b[m\x1b[K",
    "\x1b[m",
    "\x1b[K",
    "\x1b[2K",
    "\x1b[1;5H",
    "\x1b[?25h",
    "\x1b(B\x1b[m",
    "\x9bm",
)
ESCAPES += tuple(escape.replace("\x1b", written) for escape in ESCAPES[:4] for written in ("\\u001b", "\\x1b", "\\033"))
ESCAPES += ("[01;31m[K", "\x1b]8;;https://example.com\x1b\\")


@pytest.mark.parametrize("escape", [*ESCAPES, "\u200b", "\u00ad", "\ufeff"], ids=ascii)
def test_a_token_is_found_with_terminal_escapes_and_unseen_characters_before_it_and_inside(escape: str) -> None:
    for kind, token in [(kind, token) for kind, tokens in TOKENS.items() for token in tokens]:
        for parts in (
            ("", token),
            (token[:3], token[3:]),
            (token[:-9], token[-9:]),
            (token[:2], token[2:-8], token[-8:]),
        ):
            cleaned = REDACTOR.clean([f"is: {escape.join(parts)}{escape} end"]).texts[0]
            before, marker, after = cleaned.partition(f"[redacted:{kind}:")
            assert (before.replace(escape, ""), after[8:].replace(escape, "")) == ("is: ", "] end"), (marker, cleaned)


def test_a_secret_has_the_same_marker_however_a_terminal_marks_it() -> None:
    token = TOKENS["github-token"][0]
    plain, marked = REDACTOR.clean([f"a {token} b", f"a {token[:7]}\x1b[m\x1b[K{token[7:]} b"]).texts
    assert marked == plain


def test_a_password_beside_its_name_is_found_though_grep_marked_the_name() -> None:
    (text,) = REDACTOR.clean([f"\x1b[01;31m\x1b[KDB_PASSWORD\x1b[m\x1b[K={PASSWORD}\n"]).texts
    assert PASSWORD not in text


PASSWORD = "Tr0ub4dor" + "&3"
KEY = made(ALNUM, 32)
AWS = made(ALNUM + "/+", 40)
SLACK_HOOK = "/".join(("T" + made(UPPER, 8), "B" + made(UPPER, 8), made(ALNUM, 24)))

# (text before the secret, the secret, text after it, kind): all but the secret stays.
BESIDE = [
    *((f"{name}{sep}", AWS, "\n", "aws-secret-key") for name in (
        "AWS_SECRET_ACCESS_KEY", "aws_secret_access_key", "MY_AWS_SECRET_ACCESS_KEY", "SecretAccessKey",
        "secretAccessKey", "TF_VAR_aws_secret_access_key") for sep in ("=", " = ", ": ")),
    ('"SecretAccessKey": "', AWS, '",', "aws-secret-key"),
    ("aws_session_token = ", made(ALNUM + "/+", 200), "\n", "aws-session-token"),
    ("https://b.s3.amazonaws.com/k?X-Amz-Signature=", made(HEX, 64), "&x=1", "aws-session-token"),
    ("AccountName=a;AccountKey=", made(ALNUM + "+/", 86) + "==", ";EndpointSuffix=x", "azure-key"),
    ("https://a.blob.core.windows.net/c?sv=1&sig=", made(ALNUM, 43) + "%3D", "&se=2", "azure-signature"),
    ("https://hooks.slack.com/" + "services/", SLACK_HOOK, " ", "slack-webhook"),
    ("https://discord.com/api/" + "webhooks/123456789012345678/", made(URLSAFE, 68), " ", "discord-webhook"),
    (made(ALNUM, 14) + ".atlas" + "v1.", made(ALNUM, 67), "\n", "terraform-token"),
    ("https://api.telegram.org/bot", "123456789" + ":AA" + made(URLSAFE, 33), "/getMe", "telegram-token"),
    *((f"{scheme}://user:", PASSWORD, "@db.example.com:5432/app?x=1", "url-password") for scheme in (
        "postgres", "postgresql+psycopg", "mysql", "mongodb+srv", "amqp", "amqps", "https", "ftp", "rediss")),
    ("redis://:", "p@ss" + "w0rd", "@localhost:6379/0", "url-password"),
    ('DATABASE_URL="postgres://u:', "pass", '@h/db"', "url-password"),
    ("Authorization: Bearer ", KEY, "\n", "authorization"),
    ("curl -H 'authorization: bearer ", KEY, "' https://x", "authorization"),
    ('{"Authorization": "Bearer ', KEY, '"}', "authorization"),
    ('{\\"Authorization\\": \\"token ', KEY, '\\"}', "authorization"),
    ("Authorization: Basic ", "dXNlcjpw" + "YXNzd29yZA==", "\n", "authorization"),
    ("sent with Bearer ", KEY, " today", "authorization"),
    ("Cookie: ", f"theme=dark; session={KEY}; a=b", "\nHost: x", "cookie"),
    ("curl -H 'Cookie: ", f"sid={KEY}", "' https://x", "cookie"),
    ("Set-Cookie: sid=", KEY, "; Path=/; HttpOnly", "cookie"),
    ('"auth": "', "dXNlcjpw" + "YXNzd29yZA==", '"', "registry-auth"),
    ("machine example.com login bob password ", PASSWORD, "\n", "password"),
    ("DB_PASSWORD=", PASSWORD, "\n", "password"),
    ("export PGPASSWORD=", "letmein", " && psql", "password"),
    ("MYSQL_PASS=", PASSWORD, "\n", "password"),
    ("SMTP_PASSWORD_2=", PASSWORD, "\n", "password"),
    ('password = "', PASSWORD, '"', "password"),
    ("password = '", "correcthorse", "'", "password"),
    ("    password: ", "hunter2", "\n    user: x", "password"),
    ("db_passwd=", "hunter2", " host=x", "password"),
    ("Server=x;Uid=y;Pwd=", "s3cr3t!", ";", "password"),
    ('{"password": "', PASSWORD, '"}', "password"),
    ('{\\"password\\": \\"', PASSWORD, '\\"}', "password"),
    ('{\\\\\\"dbPassword\\\\\\": \\\\\\"', PASSWORD, '\\\\\\"}', "password"),
    ("mysql --host x --password ", "hunter2", " -e y", "password"),
    ("mysql --password=", "hunter2", " -e y", "password"),
    ("tool --db-password '", PASSWORD, "' go", "password"),
    ('const password: string = "', PASSWORD, '";', "password"),
    ('let password: &str = "', PASSWORD, '";', "password"),
    ('os.environ["DB_PASSWORD"] = "', PASSWORD, '"', "password"),
    ("<password>", PASSWORD, "</password>", "password"),
    ("The password is ", "Blue!Horse42", ", tell nobody.", "password"),
    ("das Passwort ist `", "hunter2", "`", "password"),
    ("curl -u bob:", PASSWORD, " https://x", "password"),
    ("SECRET_TOKEN=", KEY, "\n", "secret"),
    ("MY_API_KEY=", KEY, "\n", "secret"),
    ("api_key: ", KEY, "\n", "secret"),
    ('apiKey: "', KEY, '",', "secret"),
    ('"client_secret": "', KEY, '"', "secret"),
    ('{\\"client_secret\\": \\"', KEY, '\\"}', "secret"),
    ("x-api-key: ", KEY, "\n", "secret"),
    ("'secret_key' => '", KEY, "',", "secret"),
    ('apiKey := "', KEY, '"', "secret"),
    ("if token == '", KEY, "':", "secret"),
    ("https://x/y?access_token=", KEY, "&page=2", "secret"),
    ("//npm.example.com/:_authToken=", made(LOWER, 32), "\n", "secret"),
    ("tool --api-key ", KEY, " go", "secret"),
    ("TWILIO_AUTH_TOKEN=", made(HEX, 32), "\n", "secret"),
    ('CLOUDFLARE_API_TOKEN="', made(URLSAFE, 40), '"', "secret"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "secret", "after", "kind"), BESIDE)
def test_only_the_value_beside_a_telling_name_is_replaced(before: str, secret: str, after: str, kind: str) -> None:
    for front in ("", "first line\n  ", "// "):
        cleaned = REDACTOR.clean([front + before + secret + after])
        marker = cleaned.texts[0][len(front + before) :].removesuffix(after)
        assert cleaned.texts[0] == front + before + marker + after
        assert marker.startswith(f"[redacted:{kind}:")
        assert marker.endswith("]")
        assert cleaned.counts == {kind: 1}


def key_block(label: str, line_break: str = "\n") -> str:
    body = [made(ALNUM + "+/", 64) for _ in range(12)] + ["Ab3="]
    return line_break.join([f"-----BEGIN {label}-----", *body, f"-----END {label}-----"])


LABELS = ["RSA PRIVATE " + "KEY", "PRIVATE " + "KEY", "OPENSSH PRIVATE " + "KEY", "PGP PRIVATE " + "KEY BLOCK"]


@pytest.mark.parametrize(
    "line_break", ["\n", "\r\n", "\\n", "\\\\n", "\n    ", "\n  12\t", "\n   7→", '\\n" +\n  "', "\n+"]
)
@pytest.mark.parametrize("label", LABELS)
def test_a_private_key_block_goes_whole_however_its_lines_are_written(label: str, line_break: str) -> None:
    cleaned = REDACTOR.clean([f"before {key_block(label, line_break)} after"])
    assert cleaned.counts == {"private-key": 1}
    assert cleaned.texts[0].startswith("before [redacted:private-key:")
    assert cleaned.texts[0].endswith("] after")


def test_a_private_key_cut_off_before_its_end_goes_as_far_as_it_reaches() -> None:
    whole = key_block(LABELS[0])
    cut = whole[: len(whole) // 2 // 65 * 65]
    cleaned = REDACTOR.clean([cut + "\n[output truncated]"])
    assert cleaned.texts[0].endswith("]\n[output truncated]")
    assert "BEGIN" not in cleaned.texts[0]


@pytest.mark.parametrize(
    "line_break",
    ["\n", "\r\n", "\\n", "\n    ", "\n  12\t", "\n   7→", "\n+", "\n-", "$\n", "\x1b[m\n", "\n2026-01-01T10:00 app: "],
)
@pytest.mark.parametrize("lines", [1, 2, 3, 12])
@pytest.mark.parametrize("label", LABELS)
def test_the_end_of_a_private_key_goes_without_its_beginning(label: str, lines: int, line_break: str) -> None:
    *body, last, end = key_block(label).split("\n")[1:]
    tail = [line[::-1] + str(n) for n, line in enumerate(body[-lines:], start=10)]
    cleaned = REDACTOR.clean([f"$ tail {LABELS[0]}{line_break}" + line_break.join([*tail, last, end]) + "\nafter"])
    assert cleaned.counts == {"private-key": 1}
    before, _, after = cleaned.texts[0].partition("[redacted:private-key:")
    # The n of a written out line break, and the + of a diff, could as well be the first of the key.
    assert before.removesuffix(line_break).rstrip("\\\n") == f"$ tail {LABELS[0]}"
    assert after[8:] == f"]{line_break}{end}\nafter"


def test_the_end_of_a_private_key_goes_though_the_text_begins_within_a_line() -> None:
    line, end = made(ALNUM, 64), f"-----END {LABELS[0]}-----"
    for text in (f"{line[-7:]}\n{line}\n{end}", f"{line[-20:]}\n{end}", f"{line}\n{line[:5]}\n{end}"):
        assert REDACTOR.clean([text]).texts[0].endswith(f"]\n{end}")
        assert REDACTOR.clean([text]).texts[0].startswith("[redacted:private-key:")


def test_the_end_of_a_putty_key_goes_without_its_beginning() -> None:
    (text,) = REDACTOR.clean([f"{made(ALNUM, 64)}\n{made(ALNUM, 44)}\nPrivate-MAC: {made(HEX, 40)}"]).texts
    assert made(ALNUM, 44)[3:40] not in text
    assert made(ALNUM, 64)[3:40] not in text


def test_words_before_the_end_of_a_key_stay() -> None:
    for text in (
        "grep for it\n-----END X KEY-----",
        "It ends in:\n  -----END X KEY-----",
        "a1B2c3\n-----END X KEY-----",
    ):
        text = text.replace("X KEY", LABELS[0])
        assert REDACTOR.clean([text]).texts == [text]


def test_a_key_with_headers_goes_whole() -> None:
    headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC," + made(UPPER, 32) + "\n\n"
    begin, body = key_block(LABELS[0]).split("\n", 1)
    assert REDACTOR.clean([f"{begin}\n{headers}{body}"]).counts == {"private-key": 1}


def test_a_service_account_file_loses_its_key_and_keeps_its_names() -> None:
    text = '{"project_id": "demo", "private_key": "' + key_block(LABELS[1], "\\n") + '\\n", "client_email": "a@b.c"}'
    cleaned = REDACTOR.clean([text])
    assert cleaned.counts == {"private-key": 1}
    assert cleaned.texts[0].startswith('{"project_id": "demo", "private_key": "[redacted:private-key:')
    assert cleaned.texts[0].endswith('"client_email": "a@b.c"}')


def test_a_very_long_value_goes_whole_though_the_judge_saw_only_its_head() -> None:
    cleaned = REDACTOR.clean(["SESSION_SECRET=" + KEY * 100 + "\nnext"])
    assert cleaned.texts[0].endswith("]\nnext")
    assert KEY[-8:] not in cleaned.texts[0]


def test_a_secret_in_letters_of_several_bytes_is_cut_between_characters() -> None:
    cleaned = REDACTOR.clean(['password = "' + "pä55wörté" * 60 + '" ö', "ä" * 20_000 + " password='ö1" + "é" * 20_000])
    assert cleaned.counts == {"password": 2}
    assert cleaned.texts[0].endswith('" ö')
