"""Regular expressions of filters: RE2, read alike here and in the store (rules/questions#regular-expressions).

``.`` matches a line break, too.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.store.programs import MAX_STEPS, Pattern, steps_of, written_out

MAX_REGEX = 1000
"""Most characters of a pattern."""

_NOTHING = "[^\\x00-\\x{10FFFF}]"

_NO_REGEX = "is not a regular expression (RE2)"
_STEPS = (
    f"at most {MAX_STEPS} steps with all repetitions written out; a character is one, `.` about 7, `\\pL` about 1200"
)
_TOO_LARGE = f"is too large: a regular expression has {_STEPS}"
_TOO_LARGE_TOGETHER = f"is too much: the regular expressions of a request together have {_STEPS}"


class Wrong(NamedTuple):
    """Which of several patterns is refused, and why."""

    at: int
    reason: str


def first_wrong(patterns: Sequence[str]) -> Wrong | None:
    """The first pattern that the store will not take, or that makes all of them too large together; None without one.

    One that stands twice counts once. None is compiled that is too large before, and after the first wrong one none is;
    so what is compiled for a request is bounded by `MAX_STEPS`, too.
    """
    left = MAX_STEPS
    for pattern in dict.fromkeys(patterns):
        compiled = for_store(pattern)
        steps = written_out(compiled)
        if steps <= left:
            steps = steps_of(compiled)
        if reason := _wrong(steps, left):
            return Wrong(patterns.index(pattern), reason)
        left -= steps
    return None


def _wrong(steps: int, left: int) -> str:
    if not steps:
        return _NO_REGEX
    if steps > MAX_STEPS:
        return _TOO_LARGE
    return _TOO_LARGE_TOGETHER if steps > left else ""


def for_store(text: str) -> Pattern:
    """A pattern of the same meaning that the store reads right.

    Before it runs a pattern, the store looks for bytes that every match must hold. There it takes a character of
    several bytes for several characters: of ``é?`` it thinks that the first byte has to be there. An alternative that
    never matches keeps it from looking.
    """
    return Pattern(text if text.isascii() else f"{_NOTHING}|{text}")
