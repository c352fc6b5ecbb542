"""What only looks like a secret stays: this text is a person's memory."""

from __future__ import annotations

import hashlib
import uuid
from base64 import b64encode

import pytest

from steno.redact import Redactor

REDACTOR = Redactor(secret=b"a store's key", extra=())

SHA = hashlib.sha1(b"x").hexdigest()
IMAGE = b64encode(hashlib.shake_256(b"image").digest(60_000)).decode()

PLACEHOLDERS = [
    *("", '""', "''", "null", "None", "nil", "true", "false", "undefined", "***", "********", "xxxxxxxx", "..."),
    *(
        "<your-token>",
        "<TOKEN>",
        "${VAR}",
        "${VAR:-x1}",
        "$VAR",
        "$1",
        "$(cat /run/x1)",
        "{{ vault.token1 }}",
        "{token1}",
    ),
    *("process.env.API_KEY_2", "os.environ['TOKEN_1']", 'os.environ["TOKEN_1"]', "os.getenv('A1B2C3D4')"),
    *("getToken()", "get_token(user1, 2)", "await getToken1()", "config.db.password1", "self.token2", "Token::new1()"),
    *("string", "String", "str", "number", "Optional[str]", "str | None", "SecretStr", "[private]", "%s", "%(token1)s"),
    *("[redacted:secret:0123abcd]", "your-api-key-1", "/run/secrets/token1", "~/.config/token1.json", "./key1.pem"),
    *("https://example.com/a1b2c3d4e5", "...abc12345", "args[++i1]", "'some prose with 12345 in it'", "changeme"),
]
NAMES = [
    "password",
    "DB_PASSWORD",
    "token",
    "api_key",
    "client_secret",
    "AWS_SECRET_ACCESS_KEY",
    "Authorization: Bearer",
]


@pytest.mark.parametrize("value", PLACEHOLDERS)
@pytest.mark.parametrize("name", NAMES)
def test_a_value_that_is_plainly_no_secret_stays(name: str, value: str) -> None:
    bare = value.strip("\"'")
    texts = [f"{name}{sep}{value}" for sep in ("=", ": ", " = ")]
    texts += [
        f'{{"{name}": "{bare}"}}',
        f'{{\\"{name}\\": \\"{bare}\\"}}',
        f"    {name}: {value},\n",
        f"--{name.lower()} {value}",
    ]
    assert REDACTOR.clean(texts).texts == texts
    assert REDACTOR.clean(texts).counts == {}


ORDINARY = [
    str(uuid.UUID(int=0x1234567890ABCDEF1234567890ABCDEF)),
    f"commit {SHA}\nAuthor: A <a@b.c>",
    f"index {SHA[:7]}..{SHA[7:14]} 100644",
    f"sha256:{hashlib.sha256(b'x').hexdigest()}",
    f"integrity: sha512-{b64encode(hashlib.sha512(b'x').digest()).decode()}",
    "/home/me/projects/secret-santa/src/token/password_reset.py:42",
    f"data:image/png;base64,{IMAGE}",
    "token = next(tokens)",
    "token = tokens[0]",
    "max_tokens: 4096",
    '{"input_tokens": 1200, "output_tokens": 34, "max_tokens": 4096}',
    "tokens: 1200",
    "token: 12345678",
    "the password is wrong",
    "The password is: at least 8 characters long",
    "your password is correct.\\n3. Move closer",
    "password: the one I gave you yesterday",
    "Password: required",
    "set a new password to continue",
    "use --password to give one, --token for the other",
    "--token-file /run/x1/y2 --password-stdin",
    "if (password === confirmPassword2) {",
    "login(user=user1, password=pw2)",
    "def connect(host: str, password: str = '') -> None:",
    "password: z.string().min(8).max(128)",
    "interface A { token: string; password?: string; apiKey: Buffer16 }",
    "secretName: my-app-secret-v2",
    "secret: projects/demo/secrets/db-token-v2",
    "api_key_id: 1, password_hash: x, token_type: bearer",
    'token_type="Bearer", expires_in=3600',
    '<input type="password" name="password" id="password2">',
    "label: 'Password', placeholder: 'Enter your password'",
    "the secret: be kind",
    "--sasl-password=projects/12345/secrets/my-secret/versions/1",
    "the login and password portion",
    "access_token = 'Invalid1:%s:%s' % pair",
    "pageToken: Optional. A page token\n    apiKey: Required.",
    "SET_PASSWORD = 'SetPassword'\nkey_password = 'keyfile_password'",
    "token = 'ACCESS_TOKEN_{}'.format(n1)",
    "private_key: '_DSAPrivateKey'",
    "$pw_passwd = $pwob1->passwd; my $token = $parser1->get_token",
    "<nextToken>page-2</nextToken>",
    "Authorization: Digest username=x1",
    "Set-Cookie: number=7\\r\\nSet-Cookie: string=seven",
    "printf(&quot;Password is correct.&quot;);",
    "PASS: test_one_2 (0.01s)\nBYPASS=always1\nPWD=/work/main",
    "a bearer token is a string",
    "Authorization: Bearer token",
    "Authorization header is missing",
    "basic authorization: basic authentication",
    "Cookie: chocolate chip",
    "document.cookie = 'theme=dark'",
    "Cookie: theme=dark; lang=en",
    "http://localhost:8080/path?email=a@b.com",
    "see https://example.com:443/@scope/name@1.2.3",
    "git@github.com:owner/name.git ssh://git@host:22/x",
    "docker run -u 1000:1000 -p 80:80 image",
    "rsync -u host:/path/1 .",
    "-----BEGIN RSA PRIVATE " + "KEY-----",
    "`-----BEGIN PRIVATE " + "KEY-----` is how such a block starts, and it goes on for many lines",
    "-----BEGIN CERTIFICATE-----\n" + IMAGE[:64] + "\n-----END CERTIFICATE-----",
    "ssh-ed25519 " + IMAGE[:68] + " me@host",
    "task-1234 risk-free disk-usage sk-circle-fade-dot npm_config_registry hf_hub_download",
    "sk_test_ and task_test_configurationmanagerextended",
    "eyJ is how a token begins; eyJhbGciOi... is cut",
    "const apiKey = await getApiKeyForModel(state.model);",
    "github_token = ENV['HOMEBREW_GITHUB_TOKEN_1']",
    "token: ghp_xxxxxxxxxxxxxxxxxxxx...",
    "v1.0-alpha 10:AA 12:30:45 2024-01-01T00:00:00Z",
    "price is $2 and $5, regex ^(a|b)$",
    "\0 password\0=\0hunter2x1",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays(text: str) -> None:
    cleaned = REDACTOR.clean([text, f"{text}\n{text}", f'"{text}"'])
    assert cleaned.counts == {}
    assert cleaned.texts[0] is text
