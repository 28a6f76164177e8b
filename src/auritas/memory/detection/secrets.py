"""Secrets are never stored: passwords, keys, card numbers, accounts and recovery phrases, told by their form."""

import math
import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from auritas.memory.detection.wording import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

_PROVIDERS = re.compile(
    r"\b(?:sk|pk|rk)[-_](?:live|test|ant|proj|or)?[-_]?[A-Za-z0-9_-]{16,}"
    r"|\b(?:gh[pousr]_|github_pat_|glpat-|hf_|npm_|dop_v1_|shpat_|xox[abeprs]-|pypi-|lin_api_|gsk_"
    r"|r8_)[A-Za-z0-9_-]{12,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{12,}|\bAIza[0-9A-Za-z_-]{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bya29\.[\w-]{20,}"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}|AGE-SECRET-KEY-1[0-9A-Z]{20,}|AccountKey=\S{20,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY|\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@]+:[^\s/@]+@"
)
"""Forms that providers document for their keys, private keys in PEM, and addresses with a password in them."""
_NAME = (
    r"(?:pass ?(?:words?|phrase|codes?|key)|passwd|pwd|passwort|kennwort|contrase\u00f1a|mot de passe|log-?in code"
    r"|secrets?|(?:secret|access|auth|api|bearer|private|signing|encryption|licen[cs]e)[ -]?(?:key|token|code)s?"
    r"|tokens?|(?:api|ssh|aws|pgp|gpg)[ -]?keys?|credentials?|(?:pin|puk|tan|cvv|cvc|otp)(?:[ -]?(?:code"
    r"|number))?|2fa codes?"
    r"|(?:alarm|door|safe|gate|entry|locker|padlock|garage|vault) (?:code|combination)|combination"
    r"|(?:seed|recovery|mnemonic|backup) (?:phrase|words|codes?|key)|social security(?: number)?|ssn|clave|mdp)"
)
_CALLED = re.compile(
    rf"\b(?P<name>{_NAME})\b(?:(?: for| of| to| on)(?: (?!is\b|are\b|was\b)[\w.'-]+){{1,4}})?"
    r"(?: (?:is|are|was|equals|to|should be|must be|ist|es|est|now|again|still|called)\b|['\u2019]s\b"
    r"|\s*[:=]|->)+[\s:=]*"
    r"(?P<value>[^\n,;]{1,120})",
    re.IGNORECASE,
)
_NUMBER_CALLED = re.compile(rf"\b{_NAME}\b\W{{0,3}}(?P<value>(?=\S*\d)\S{{4,}})", re.IGNORECASE)
_ASKED_FOR = (
    r"(?:pass ?(?:words?|phrase|codes?)|passkey|passwd|pwd|(?:secret|access|auth|api|bearer|private|signing|encryption"
    r"|licen[cs]e|ssh|pgp|gpg|aws)[ -]?(?:key|token|code)s?|token|credentials?"
    r"|(?:pin|puk|cvv|cvc)(?:[ -]?(?:code|number))?|2fa codes?"
    r"|(?:alarm|door|safe|gate|entry|locker|padlock|garage|vault) (?:code|combination)"
    r"|(?:seed|recovery|mnemonic|backup) (?:phrase|words|codes?|key)|social security number|ssn)"
)
_ASKS = re.compile(
    rf"\b(?<!\ba )(?<!\ban )(?<!\bany )(?<!\bgood )(?<!\bstrong )(?<!\bnew )(?<!\brandom ){_ASKED_FOR}\b"
    r"(?=\s*(?:[?.!,:]|$|(?:for|of|to|on|at|in|from|again|please|now|we|i|my|the|used|here|that|is|do|does|did)\b))",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"^\W*(?:(?:please|so|ok|and) )?(?:how|why|who|where|when|should|is|are|does|did|which (?:pin|token)|can (?:i|we)"
    r"|could (?:i|we)|do (?:i|we)|write|explain|generate|create|make|translate"
    r"|what (?:is|are|does) (?:an?|the (?:use|point|purpose|difference))|what does)\b",
    re.IGNORECASE,
)
"""Questions about secrets that a secret does not answer: how to reset one, where it is kept, what one is."""
_MENTION = re.compile(rf"\b{_NAME}\b|\b(?:iban|account number|credit card|passport number|tax id)\b", re.IGNORECASE)
_ORDINARY = FUNCTION_WORDS | frozenset(
    re.findall(
        r"\S+",
        "required wrong stored expired hashed encrypted invalid missing case optional kept needed shown saved "
        "rotated unique sent read written correct incorrect weak strong long short too empty blank null "
        "managed handled generated checked validated hidden set reset changed secure safe secret limited "
        "counted billed cheap expensive useful bad good fine deprecated part still now better best important "
        "usually often valid 1password bitwarden vault environment file text plain string number lower upper "
        "mandatory forbidden allowed used unused signed opaque refreshed revoked managers manager policy "
        "rules field input form length characters case-sensitive longer shorter called ",
    )
)
_TOKEN = re.compile(r"[A-Za-z0-9+/_=.~!@#$%^&*-]{12,}")
_WORDY = re.compile(r"pass|pwd|kenn|contra|mot|seed|recov|mnem|backup|clave|mdp|log", re.IGNORECASE)
_PHRASE_WORDS = 3
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"(?:0x)?[0-9a-f]+", re.IGNORECASE)
_PLACE = re.compile(r"://|^[./~]|/.*/|\.\w{1,5}$|@")
_LONG_TOKEN = 20
_DENSE_BITS = 3.5
"""Bits for each character by its own letter counts; random base 64 of 20 characters has about 4."""
_CARD = re.compile(r"(?<![\w.])[3-6]\d{3}(?:[ -]?\d){9,15}(?![\w.]?\d)")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b", re.IGNORECASE)
_SSN = re.compile(r"\b\d{3}-\d{2}-\d{4}\b")
_PLAIN_WORD = re.compile(r"[a-z]{3,8}")
_SEED_WORDS = 12
_LEAST_CODE = 4
"""Characters of a number that may be a PIN; shorter ones are counts."""
_SHORTEST_ACCOUNT = 15
"""Characters of the shortest account number, Norway's."""
_SHORT_PASSWORD = 12
_CLASSES = (str.islower, str.isupper, str.isdigit)
_MOD = 97


def holds_secret(text: str) -> bool:
    """Return whether a text holds something that must never be stored."""
    checks = (_has_provider_key, _has_called_value, _has_card, _has_iban, _has_seed_phrase, _has_random_token)
    return any(check(text) for check in checks)


def asks_for_secret(question: str) -> bool:
    """Return whether a question asks for a password, a PIN, a key or the like, so that its answer is one."""
    return bool(_ASKS.search(question)) and not _ABOUT.search(question)


def secret_like(text: str) -> bool:
    """Return whether a text speaks of a secret, or holds a token that may be one."""
    return bool(_MENTION.search(text)) or any(_mixed(token) for token in _TOKEN.findall(text))


def luhn(digits: str) -> bool:
    """Return whether the check digit of a card number fits (ISO/IEC 7812-1, annex B)."""
    doubled = (int(d) * (1 + index % 2) for index, d in enumerate(reversed(digits)))
    return sum(value // 10 + value % 10 for value in doubled) % 10 == 0


def iban(text: str) -> bool:
    """Return whether the check digits of an account number fit (ISO 13616-1)."""
    bare = text.replace(" ", "").upper()
    return int("".join(str(int(c, 36)) for c in bare[4:] + bare[:4])) % _MOD == 1


def _has_provider_key(text: str) -> bool:
    return bool(_PROVIDERS.search(text)) or bool(_SSN.search(text))


def _has_called_value(text: str) -> bool:
    called = any(_is_value(match["name"], match["value"]) for match in _CALLED.finditer(text))
    return called or any(_is_code(match["value"]) for match in _NUMBER_CALLED.finditer(text))


def _is_value(name: str, said: str) -> bool:
    """Return whether what follows "the password is" is one: a token with a digit, or words that say nothing of it.

    Only of passwords and phrases may the value be words: the secret of a sauce is something to remember.
    """
    parts = [part.strip("\"'`*.!?()") for part in said.split()]
    bare = [part.lower() for part in parts if part]
    if not bare:
        return False
    if _is_code(bare[0]) and bare[0] not in _ORDINARY:
        return True
    if not _WORDY.match(name):
        return False
    if len(bare) >= _PHRASE_WORDS:
        return not FUNCTION_WORDS.intersection(bare)
    return not _ORDINARY.intersection(bare)


def _is_code(token: str) -> bool:
    core = token.strip("\"'`.,!?()")
    return (
        len(core) >= _LEAST_CODE
        and any(c.isdigit() for c in core)
        and not re.fullmatch(
            r"\d+[a-z]{1,2}"
            r"|\d+-\w+",
            core,
        )
    )


def _has_card(text: str) -> bool:
    return any(luhn(re.sub(r"\D", "", match)) for match in _CARD.findall(text))


def _has_iban(text: str) -> bool:
    return any(iban(prefix) for match in _IBAN.findall(text) for prefix in _prefixes(match))


def _prefixes(match: str) -> list[str]:
    """Return the number with and without the words behind it that its pattern took along."""
    parts = match.split(" ")
    return [" ".join(parts[:end]) for end in range(1, len(parts) + 1) if len("".join(parts[:end])) >= _SHORTEST_ACCOUNT]


def _has_seed_phrase(text: str) -> bool:
    run = 0
    for word in text.split():
        plain = _PLAIN_WORD.fullmatch(word) and word not in FUNCTION_WORDS
        run = run + 1 if plain else 0
        if run >= _SEED_WORDS:
            return True
    return False


def _has_random_token(text: str) -> bool:
    named = bool(_MENTION.search(text))
    return any(_random(token, named=named) for token in _TOKEN.findall(text))


def _random(token: str, *, named: bool) -> bool:
    """Return whether a token looks drawn by chance. named: the text speaks of a key, so that a bare hash is one too."""
    core = token.strip(".,!=-_/")
    if _UUID.fullmatch(core) or _HEX.fullmatch(core):
        return named and not core.isdigit()
    if len(core) < _LONG_TOKEN or _PLACE.search(core):
        return False
    classes = sum(any(map(kind, core)) for kind in _CLASSES)
    return classes == len(_CLASSES) and _bits(core) >= _DENSE_BITS and _switches(core) >= len(core) / 4


def _mixed(token: str) -> bool:
    core = token.strip(".,!=-_/")
    return (
        len(core) >= _SHORT_PASSWORD
        and not _PLACE.search(core)
        and sum(any(map(k, core)) for k in _CLASSES) == len(_CLASSES)
    )


def _bits(token: str) -> float:
    return -sum(n / len(token) * math.log2(n / len(token)) for n in Counter(token).values())


def _switches(token: str) -> int:
    """Return how often the kind of character changes; names of things change it seldom."""
    kinds: list[Callable[[str], bool] | None] = [next((k for k in _CLASSES if k(c)), None) for c in token]
    return sum(a is not b for a, b in pairwise(kinds))
