"""Checks email addresses by RFC 5321 and 6531, with a library and without network access."""

import re
from functools import cache
from types import ModuleType
from typing import Final

from tallyroom.core.errors import ValidationFailed

_INVISIBLE_PATTERN: Final = re.compile(
    "["
    # Default_Ignorable_Code_Point of DerivedCoreProperties.txt, which `unicodedata` lacks
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    # other characters without a visible shape: blanks in Braille, Khitan, Egyptian and musical notation
    "\u2800\U00016fe4\U00013441\U00013442\U0001d159"
    "]"
)
_NUMBER_PATTERN: Final = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
"""The last label of a domain that a resolver would read as an IPv4 address (WHATWG URL, "ends in a number")."""


def check_email_address(text: str, field_name: str) -> None:
    """Check that mail could be sent to an address in its one usual spelling, in any script.

    Raises `ValidationFailed`, also for display names, quotes, IP addresses, full-width letters and ``xn--``.
    """
    library = _load_library()
    try:
        validated_email = library.validate_email(
            text, check_deliverability=False, globally_deliverable=False, strict=True
        )
    except library.EmailNotValidError as error:
        raise ValidationFailed.at([field_name], f"is not an email address: {error}") from error
    if _INVISIBLE_PATTERN.search(text):
        raise ValidationFailed.at([field_name], "is not an email address: it contains an invisible character.")
    if _NUMBER_PATTERN.fullmatch(validated_email.ascii_domain.rpartition(".")[2]):
        raise ValidationFailed.at([field_name], "is not an email address: its domain is a number or an IP address.")
    if text.lower() != validated_email.normalized.lower():
        raise ValidationFailed.at([field_name], f"is not an email address; did you mean {validated_email.normalized}?")


@cache
def _load_library() -> ModuleType:
    """Return the library, loaded with the first address: compiling its patterns takes 20 ms."""
    import email_validator  # noqa: PLC0415 # as above

    email_validator.SPECIAL_USE_DOMAIN_NAMES.clear()  # local networks use names such as .internal and .local
    return email_validator


def mask_address(address: str) -> str:
    """Show only the first character and the domain of an address."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}•••@{domain}"
