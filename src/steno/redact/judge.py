"""Is this value a secret, or does it only stand where one could stand?

`password = hunter2` and `password = string` differ only in the value. Taking too
little leaks a secret, taking too much puts holes in a person's memory; how much a
value must look like a secret depends on where it stands, so each rule names its judge.
Everything here sees one value of bounded length, as bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from steno.redact.engine import compile_bytes


class Value(NamedTuple):
    # The text itself.
    text: bytes
    # The byte that follows it (empty at the end of the text): `(` makes a name a call.
    after: bytes


Judge = Callable[[Value], bool]

_WORDS = frozenset(
    b"null none nil undefined nan true false yes no on off string str number int integer float bool "
    b"boolean bytes byte text any unknown object void optional required default hidden masked redacted "
    b"empty example sample placeholder password passwd passphrase passwort secret token key api_key "
    b"apikey changeme change_me change-me todo tbd invalid missing expired input bearer basic "
    b"varchar binary blob char array map list dict record json type field value header query env "
    b"sha1 sha256 sha512 md5 bcrypt argon2 argon2id pbkdf2 base64 utf8 oauth2 "
    b"secretstr securestring await async new const static final readonly private public".split()
)

_TRADE = (b"passw", b"secret", b"token")

# ${VAR} $(cmd) $VAR $1 {{x}} {x} <x> %s %(x)s %VAR% [x] (x) @x #{x}
_TEMPLATE = compile_bytes(
    r"!(?i:ref|sub|vault|env|secret)\b.*|\$[{(].*|\$[A-Za-z_][A-Za-z0-9_]*(?:-|::.*)?|\$[0-9@*#?]|[{<\[(].*|%[sdvqr]|%[({].*|%[A-Za-z_]+%|#\{.*|\.\.\..*|"
    r"(?i:your|my|the|some|insert|enter|replace|example|dummy|fake|placeholder|sample)[_-].*|(?i:your).*here.*"
)
_ELIDED = compile_bytes(r"\.\.\.|\xe2\x80\xa6|\*\*\*|xxxx|XXXX|\$\{|\{\{|\$\(|\{[A-Za-z0-9_.]*\}|%s")
# settings.db.password, os.environ["X"], process.env.X, Token::new, self->token, a?.b
# Few digits in each part: a random token has a dot now and then, too.
_CODE = compile_bytes(
    r"[A-Za-z_$]+(?:[0-9]{1,4}[A-Za-z_]*){0,2}!?"
    r"(?:(?:\??\.|::|->)[A-Za-z_]+(?:[0-9]{1,4}[A-Za-z_]*){0,2}!?)+|"
    r"[A-Za-z_][A-Za-z0-9_.]*\[(?:[^\]]*\])?"
)
_PATH = compile_bytes(
    r"(?:~|\.{1,2})?/[^=]*|[A-Za-z]:[\\/].*|[a-z][a-z0-9+.-]*://.*|"
    r".*\.(?:json|ya?ml|toml|pem|key|crt|txt|env|py|tsx?|jsx?|go|rs|md|sh|cfg|ini|html|css|db|log|conf|lock)"
)
_MADE_UP = compile_bytes(r"xxxx|XXXX|0000000|(?i:your[_-]|[_-]here)|\.\.\.|\*\*\*|EXAMPLE")
_UUID = compile_bytes(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_NAME = compile_bytes(r"[A-Za-z_][A-Za-z0-9_]*")
# One word as people write it, with a short number at its end: sha256, v2, token1.
_WORD = compile_bytes(r"[A-Za-z]*[0-9]{0,3}|[0-9]+")
# A name with a number in its middle: Uint8Array, ed25519Seed.
_TYPE = compile_bytes(r"[A-Za-z]{2,10}[0-9]{1,5}[A-Z][a-z]{2,10}")
_JOINTS = bytes.maketrans(b"-_./:@+,#=$", b" " * 11)


def _always(value: Value) -> bool:
    """The shape alone proves it."""
    return True


def _token(value: Value) -> bool:
    """A token's own format; only one made up for an example does not count."""
    return len(set(value.text)) > 5 and not _MADE_UP.search(value.text)


def _any(value: Value) -> bool:
    """Anything that is not plainly a placeholder."""
    return not _is_placeholder(value.text)


def _password(value: Value) -> bool:
    """A literal given to a password: even a plain word is one, a sentence or a path is not."""
    text = value.text
    return (
        len(text) >= 4
        and not _is_placeholder(text)
        and not _is_name(text)
        and not _is_spaced_or_path(text)
        and not _is_code(value)
    )


def _mixed(value: Value) -> bool:
    """A bare value after a password's name: there a plain word is prose or a variable."""
    text = value.text
    # What costs least first: most values are not even long enough.
    if len(text) < 6 or text.isalpha() or not text.isascii():
        return False
    if not text.isdigit():
        odd = len(text) >= 64 or _has_digit(text) or any(c in b"!#$%^*" for c in text)
        if not odd or (value.after[:1] in (b")", b",", b"]") and _NAME.fullmatch(text)):
            return False
    return _password(value)


def _key(value: Value) -> bool:
    """A literal given to a machine's key: letters and digits, not a hyphenated name."""
    text = value.text
    if len(text) < 8 or not _has_letter(text):
        return False
    return _any(value) and not _is_spaced_or_path(text) and not _is_code(value) and not _is_words(text)


def _random(value: Value) -> bool:
    """A bare value: as a key, and not a variable such as token2 or sha256 either."""
    text = value.text
    return _key(value) and not _is_word(text) and not _TYPE.fullmatch(text) and value.after[:1] not in (b"(", b".")


def _strange(value: Value) -> bool:
    """After a word that mostly means something else: no name, no version, no sentence."""
    return _mixed(value) and (value.text.isdigit() or _has_letter(value.text)) and not _is_words(value.text)


def _dense(value: Value) -> bool:
    """A long value beside a service's name: random, with digits all over, or a UUID; no version, no address."""
    text = value.text
    digits = sum(48 <= c <= 57 for c in text)
    return len(text) >= 16 and digits >= 3 and (bool(_UUID.fullmatch(text)) or _random(value))


def _address(value: Value) -> bool:
    """Between user and host of an address: only the words a manual uses do not count."""
    return _any(value) and value.text.lower() not in (b"password", b"token", b"secret")


def _base64(value: Value) -> bool:
    """The word after `Basic`: base64 has digits, padding or capitals in the middle."""
    text = value.text
    odd = _has_digit(text) or text.endswith(b"=") or not (text[1:].islower() or text.isupper())
    return odd and _any(value)


def _cookie(value: Value) -> bool:
    """At least one of the cookies is long enough to be a session."""
    parts = value.text.replace(b";", b"=").split(b"=")
    return any(len(part) >= 12 and not _is_placeholder(part) for part in parts)


def _is_placeholder(text: bytes) -> bool:
    few = len(set(text)) <= 2  # ****, xxxx, ----
    return few or bool(_TEMPLATE.fullmatch(text) or _ELIDED.search(text))


def _is_name(text: bytes) -> bool:
    """A word of the trade, or one made of them: string, SetPassword, keyfile_password."""
    small = text.lower()
    if small.rstrip(b"!?") in _WORDS:
        return True
    return len(text) < 64 and not _has_digit(text) and any(word in small for word in _TRADE)


def _is_spaced_or_path(text: bytes) -> bool:
    nested = text.count(b"/") >= 2 and _is_words(text)  # projects/123/secrets/name
    return nested or b" " in text or b"\t" in text or bool(_PATH.fullmatch(text))


def _is_code(value: Value) -> bool:
    return value.after[:1] == b"(" or bool(_CODE.fullmatch(value.text)) or b"(" in value.text[1:]


def _is_words(text: bytes) -> bool:
    """Words with joints, as in us-east-1, Optional. or SOME_OTHER_NAME_2; secret123 is a value."""
    words = set(text.translate(_JOINTS).split())
    return all(_is_word(word) for word in words) and not (text.isalnum() and _has_digit(text))


def _is_word(text: bytes) -> bool:
    """Letters with a short number; no language writes 20 small letters in a row."""
    return bool(_WORD.fullmatch(text)) and not (len(text) >= 20 and (text.islower() or text.isupper()))


def _has_digit(text: bytes) -> bool:
    return len(text.translate(None, b"0123456789")) < len(text)


def _has_letter(text: bytes) -> bool:
    return any(65 <= c & 0xDF <= 90 for c in text)


JUDGES: dict[str, Judge] = {
    "always": _always,
    "token": _token,
    "strange": _strange,
    "dense": _dense,
    "address": _address,
    "any": _any,
    "password": _password,
    "mixed": _mixed,
    "key": _key,
    "random": _random,
    "base64": _base64,
    "cookie": _cookie,
}
