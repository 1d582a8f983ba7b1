"""Regular expressions of filters: RE2, read alike here and in the store. ``.`` matches a line break, too."""

import re2

MAX_REGEX = 1000

_PROGRAM_BYTES = 4 << 20
"""Half of what the store's own copy of RE2 allows, so that a pattern that passes here passes there."""
_NOTHING = "[^\\x00-\\x{10FFFF}]"


def is_regex(text: str) -> bool:
    """Whether `text` is a regular expression that the store will take."""
    if len(text) > MAX_REGEX:
        return False
    options = re2.Options()
    options.log_errors = False
    options.dot_nl = True
    options.max_mem = _PROGRAM_BYTES
    try:
        re2.compile(text, options)
    except re2.error:
        return False
    return True


def for_store(text: str) -> str:
    """A pattern of the same meaning that the store reads right.

    Before it runs a pattern, the store looks for bytes that every match must hold. There it takes a character of
    several bytes for several characters: of ``é?`` it thinks that the first byte has to be there. An alternative that
    never matches keeps it from looking.
    """
    return text if text.isascii() else f"{_NOTHING}|{text}"
