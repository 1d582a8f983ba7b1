"""The one form of a password, however it was typed: the profile OpaqueString of RFC 8265 (rules/people#passwords).

Keyboards and systems send the same letter in several ways: `é` is one character or two, and a space may be a no-break
space.
"""

import re
from typing import NewType

from precis_i18n import get_profile

from tallyroom.core.errors import ValidationFailed
from tallyroom.rest.fields import MAX_PASSWORD, MIN_PASSWORD

PreparedPassword = NewType("PreparedPassword", str)


_TOO_SHORT = f"must have {MIN_PASSWORD} or more characters"

_PROFILE = get_profile("OpaqueString")

# For each of these characters, the library reads the whole text, so a thousand would take seconds. What the rules of
# the profile say of one of them does not depend on how often it is there.
_JUDGED_BY_ALL = re.compile("[\u30fb\u0660-\u0669\u06f0-\u06f9]")
_HARMLESS = "-"


def prepared(raw_password: str) -> PreparedPassword | None:
    """Return the prepared form; None if the profile does not allow the text, as with a control character."""
    try:
        return _prepare(raw_password)
    except UnicodeEncodeError:
        return None


def prepare_new(raw_password: str, at: str) -> PreparedPassword:
    """Return the prepared form of a new password; `at` is the field of the request that contains it.

    Raises:
        ValidationFailed: it is too short or too long in this form, or has a character that the profile does not allow.
    """
    try:
        password = _prepare(raw_password)
    except UnicodeEncodeError as error:
        raise ValidationFailed.at([at], _refusal(error)) from error
    if len(password) < MIN_PASSWORD:
        raise ValidationFailed.at([at], _TOO_SHORT)
    if len(password) > MAX_PASSWORD:
        raise ValidationFailed.at([at], f"must have {MAX_PASSWORD} or fewer characters")
    return password


def _prepare(raw_password: str) -> PreparedPassword:
    text: str = _PROFILE.apply_five_rules(raw_password)
    characters: set[str] = set()

    def once(match: re.Match[str]) -> str:
        character = _HARMLESS if match[0] in characters else match[0]
        characters.add(match[0])
        return character

    _PROFILE.enforce(_JUDGED_BY_ALL.sub(once, text))
    return PreparedPassword(text)


def _refusal(error: UnicodeEncodeError) -> str:
    if not error.object:
        return _TOO_SHORT
    character = f"U+{ord(error.object[error.start]):04X}"
    return f"has the character {character} at position {error.start + 1}, which passwords cannot have; leave it out"
