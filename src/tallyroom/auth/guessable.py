"""Which new passwords are refused as the first that somebody tries (OWASP ASVS 6.2.4, rules/people#passwords)."""

import gzip
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from tallyroom.core.errors import ValidationFailed

_PRODUCT = "tallyroom"
_LEAST_LETTERS = 3  # of a name; to be made of fewer says nothing of a password
_NO_LETTERS = re.compile(r"[\W\d_]+")


def refuse_guessable(password: str, about: Iterable[str], at: str) -> None:
    """Refuse a password that many people have, or that is made of what everybody knows about its owner.

    Args:
        password: of an allowed length.
        about: the address, the name and the workspaces of its owner.
        at: the field that it stands in.

    Raises:
        ValidationFailed: it is one of them, whatever its case; digits and marks around a name, and a name said twice,
            change nothing.
    """
    folded = password.casefold()
    if folded in common_passwords():
        raise ValidationFailed.at([at], "is one of the passwords that are tried first; take another")
    names = {part.casefold() for text in (*about, _PRODUCT) for part in (text, *re.split("[@.]", text))}
    if folded in names or _is_made_of(_letters_of(folded), {_letters_of(name) for name in names}):
        raise ValidationFailed.at([at], "is little more than an address or a name that others know; take another")


@cache
def common_passwords() -> frozenset[str]:
    """The passwords of at least 10 characters that most people have, without case (common_passwords.LICENSE.txt)."""
    packed = files("tallyroom.auth").joinpath("common_passwords.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().splitlines())


def _is_made_of(letters: str, names: Iterable[str]) -> bool:
    """Whether the letters are one name after the other, as often as they like."""
    said = [name for name in names if len(name) >= _LEAST_LETTERS]
    ends = {0}
    for end in range(len(letters)):
        if end in ends:
            ends |= {end + len(name) for name in said if letters.startswith(name, end)}
    return bool(letters) and len(letters) in ends


def _letters_of(text: str) -> str:
    return _NO_LETTERS.sub("", text)
