"""What an e-mail address is: RFC 5321 and 6531, by a library, without asking the network."""

import email_validator
from email_validator import EmailNotValidError, validate_email

from tallyroom.core.errors import ValidationFailed

email_validator.SPECIAL_USE_DOMAIN_NAMES.clear()  # a house has names of its own, such as .internal and .local


def check_email_address(text: str, at: str) -> None:
    """Check that mail could go to an address: names in any script, but no display name, quotes or IP address.

    Args:
        text: the address alone.
        at: the field that it stands in.

    Raises:
        ValidationFailed: it is none, or another spelling of one, such as with letters of double width or an ``xn--``
            domain: one address is one person.
    """
    try:
        found = validate_email(text, check_deliverability=False, globally_deliverable=False, strict=True)
    except EmailNotValidError as error:
        raise ValidationFailed.at([at], f"is not an e-mail address: {error}") from error
    if text.lower() != found.normalized.lower():
        raise ValidationFailed.at([at], f"is not an e-mail address; did you mean {found.normalized}?")
