"""Regular expressions of filters: RE2, read the same way here and in the store (rules/questions#regular-expressions).

``.`` also matches a line break.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.storage.event_store.regex_cost import MAX_STEPS, RegexText, count_steps, estimate_steps

MAX_REGEX = 1000
"""The maximum number of characters in a pattern."""

_NEVER_MATCHES = "[^\\x00-\\x{10FFFF}]"

_INVALID = "is not a regular expression (RE2)"
_STEP_LIMIT = (
    f"at most {MAX_STEPS} steps with all repetitions written out; a character is one, `.` about 7, `\\pL` about 1200"
)
_TOO_LARGE = f"is too large: a regular expression may have {_STEP_LIMIT}"
_TOO_LARGE_TOGETHER = f"is too much: the regular expressions of a request together may have {_STEP_LIMIT}"


class WrongPattern(NamedTuple):
    """The index of a refused pattern, and the reason."""

    pattern_index: int
    reason: str


def find_wrong_pattern(patterns: Sequence[str]) -> WrongPattern | None:
    """Return the first pattern that the store would refuse or that makes the total too large; None if all are fine.

    A repeated pattern counts once. A pattern that is already too large before compilation is not compiled, nor is
    anything after the first wrong one, so `MAX_STEPS` also limits how much is compiled for a request.
    """
    steps_left = MAX_STEPS
    for pattern in dict.fromkeys(patterns):
        store_pattern = to_store_pattern(pattern)
        step_count = estimate_steps(store_pattern)
        if step_count <= steps_left:
            step_count = count_steps(store_pattern)
        if reason := _explain_refusal(step_count, steps_left):
            return WrongPattern(patterns.index(pattern), reason)
        steps_left -= step_count
    return None


def _explain_refusal(step_count: int, steps_left: int) -> str:
    if not step_count:
        return _INVALID
    if step_count > MAX_STEPS:
        return _TOO_LARGE
    return _TOO_LARGE_TOGETHER if step_count > steps_left else ""


def to_store_pattern(text: str) -> RegexText:
    """Return a pattern with the same meaning that the store evaluates correctly.

    Before it runs a pattern, the store looks for bytes that every match must contain. It mistakes a multi-byte
    character for several characters: for ``é?``, it requires the first byte. An alternative that never matches disables
    this optimization.
    """
    return RegexText(text if text.isascii() else f"{_NEVER_MATCHES}|{text}")
