"""Regular expressions of filters: RE2, read the same way here and in the store (rules/questions#regular-expressions).

``.`` also matches a line break.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.storage.event_store.regex_cost import MAX_STEPS, Pattern, steps_of, written_out

MAX_REGEX = 1000
"""The maximum number of characters in a pattern."""

_NOTHING = "[^\\x00-\\x{10FFFF}]"

_NO_REGEX = "is not a regular expression (RE2)"
_STEPS = (
    f"at most {MAX_STEPS} steps with all repetitions written out; a character is one, `.` about 7, `\\pL` about 1200"
)
_TOO_LARGE = f"is too large: a regular expression may have {_STEPS}"
_TOO_LARGE_TOGETHER = f"is too much: the regular expressions of a request together may have {_STEPS}"


class WrongPattern(NamedTuple):
    """The refused one of several patterns, by its index, and the reason."""

    at: int
    reason: str


def first_wrong(patterns: Sequence[str]) -> WrongPattern | None:
    """Return the first pattern that the store would refuse or that makes the total too large; None if all are fine.

    A repeated pattern counts once. A pattern that is already too large before compilation is not compiled, nor is
    anything after the first wrong one, so `MAX_STEPS` also limits how much is compiled for a request.
    """
    left = MAX_STEPS
    for pattern in dict.fromkeys(patterns):
        store_pattern = for_store(pattern)
        steps = written_out(store_pattern)
        if steps <= left:
            steps = steps_of(store_pattern)
        if reason := _wrong(steps, left):
            return WrongPattern(patterns.index(pattern), reason)
        left -= steps
    return None


def _wrong(steps: int, left: int) -> str:
    if not steps:
        return _NO_REGEX
    if steps > MAX_STEPS:
        return _TOO_LARGE
    return _TOO_LARGE_TOGETHER if steps > left else ""


def for_store(text: str) -> Pattern:
    """Return a pattern with the same meaning that the store evaluates correctly.

    Before it runs a pattern, the store looks for bytes that every match must contain. In doing so it mistakes a
    character of several bytes for several characters: for ``é?`` it believes that the first byte is required. An
    alternative that never matches disables this optimization.
    """
    return Pattern(text if text.isascii() else f"{_NOTHING}|{text}")
