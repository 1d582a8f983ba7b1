"""The one form of a password, however it was typed: the profile OpaqueString of RFC 8265 (rules/people#passwords)."""

import re
from typing import NewType

from precis_i18n import get_profile

from tallyroom.core.errors import ValidationFailed
from tallyroom.rest.fields import MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH

PreparedPassword = NewType("PreparedPassword", str)


_TOO_SHORT = f"must have {MIN_PASSWORD_LENGTH} or more characters"

_PROFILE = get_profile("OpaqueString")

# The library reads the whole text for each of these characters, so a thousand would take seconds. The profile's
# rules for a character do not depend on how often it occurs.
_SLOW_CHARACTERS = re.compile("[\u30fb\u0660-\u0669\u06f0-\u06f9]")
_REPLACEMENT = "-"


def prepare_password(raw_password: str) -> PreparedPassword | None:
    """Return the prepared form; None if the profile forbids the text, for example a control character."""
    try:
        return _prepare(raw_password)
    except UnicodeEncodeError:
        return None


def prepare_new_password(raw_password: str, field_name: str) -> PreparedPassword:
    """Return the prepared form of a new password; raises `ValidationFailed` for the field `field_name`."""
    try:
        password = _prepare(raw_password)
    except UnicodeEncodeError as error:
        raise ValidationFailed.at([field_name], _describe_refusal(error)) from error
    if len(password) < MIN_PASSWORD_LENGTH:
        raise ValidationFailed.at([field_name], _TOO_SHORT)
    if len(password) > MAX_PASSWORD_LENGTH:
        raise ValidationFailed.at([field_name], f"must have {MAX_PASSWORD_LENGTH} or fewer characters")
    return password


def _prepare(raw_password: str) -> PreparedPassword:
    text: str = _PROFILE.apply_five_rules(raw_password)
    seen_characters: set[str] = set()

    def keep_first(match: re.Match[str]) -> str:
        character = _REPLACEMENT if match[0] in seen_characters else match[0]
        seen_characters.add(match[0])
        return character

    _PROFILE.enforce(_SLOW_CHARACTERS.sub(keep_first, text))
    return PreparedPassword(text)


def _describe_refusal(error: UnicodeEncodeError) -> str:
    if not error.object:
        return _TOO_SHORT
    character = f"U+{ord(error.object[error.start]):04X}"
    return f"contains {character} at position {error.start + 1}, which passwords cannot contain; remove it"
