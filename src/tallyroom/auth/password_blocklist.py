"""Refuses new passwords that an attacker would try first (OWASP ASVS 6.2.4, rules/people#passwords)."""

import gzip
import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from tallyroom.auth.prepared_password import PreparedPassword
from tallyroom.core.errors import ValidationFailed

_PRODUCT_NAME = "tallyroom"
_MIN_NAME_LETTERS = 3  # of a name; a shorter one in a password proves nothing
_NON_LETTERS = re.compile(r"[\W\d_]+")


def refuse_guessable(password: PreparedPassword, known_texts: Iterable[str], field_name: str) -> None:
    """Refuse a common password, or one that consists of `known_texts`: its owner's address, name and workspaces."""
    folded_password = _fold_case(password)
    if folded_password in common_passwords():
        raise ValidationFailed.at([field_name], "is one of the passwords that attackers try first; choose another")
    folded_names = {
        _fold_case(part) for text in (*known_texts, _PRODUCT_NAME) for part in (text, *re.split("[@.]", text))
    }
    if folded_password in folded_names or _is_made_of(
        _keep_letters(folded_password), {_keep_letters(name) for name in folded_names}
    ):
        raise ValidationFailed.at(
            [field_name],
            "is too similar to the email address, the user's name, a workspace's name or Tallyroom; choose another",
        )


@cache
def common_passwords() -> frozenset[str]:
    """Return the most common passwords of at least 10 characters, case-folded (common_passwords.LICENSE.txt)."""
    compressed = files("tallyroom.auth").joinpath("common_passwords.txt.gz").read_bytes()
    return frozenset(gzip.decompress(compressed).decode().splitlines())


def _is_made_of(letters: str, names: Iterable[str]) -> bool:
    """Return True if the letters are a sequence of these names; a name may repeat."""
    long_names = [name for name in names if len(name) >= _MIN_NAME_LETTERS]
    end_positions = {0}
    for end in range(len(letters)):
        if end in end_positions:
            end_positions |= {end + len(name) for name in long_names if letters.startswith(name, end)}
    return bool(letters) and len(letters) in end_positions


def _fold_case(text: str) -> str:
    return unicodedata.normalize("NFC", text.casefold())


def _keep_letters(text: str) -> str:
    return _NON_LETTERS.sub("", text)
