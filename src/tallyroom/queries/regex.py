"""Regular expressions of filters: RE2, with ``.`` for any character (rules/questions#regular-expressions)."""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.storage.event_store.regex_cost import MAX_STEPS, RegexText, count_steps, estimate_steps

MAX_REGEX = 1000  # characters in a pattern
_NEVER_MATCHES = "[^\\x00-\\x{10FFFF}]"

_STEP_LIMIT = (
    f"at most {MAX_STEPS} steps with all repetitions written out; a character is one, `.` about 7, `\\pL` about 1200"
)


class WrongPattern(NamedTuple):
    """The index of a refused pattern, and the reason."""

    pattern_index: int
    reason: str


def find_wrong_pattern(patterns: Sequence[str]) -> WrongPattern | None:
    """Return the first pattern that the store would refuse or that makes the total too large; None if all are fine.

    A repeated pattern counts once. Nothing is compiled after the first wrong pattern, nor a pattern that is too large
    already, so `MAX_STEPS` also limits how much is compiled for a request.
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
        return "is not a regular expression (RE2)"
    if step_count > MAX_STEPS:
        return f"is too large: a regular expression may have {_STEP_LIMIT}"
    if step_count > steps_left:
        return f"is too large with the others: the regular expressions of a request may together have {_STEP_LIMIT}"
    return ""


def to_store_pattern(text: str) -> RegexText:
    """Return a pattern with the same meaning that the store evaluates correctly.

    The store first looks for bytes that every match must contain, but for ``é?`` it requires the first byte of ``é``.
    An alternative that never matches disables this optimization.
    """
    return RegexText(text if text.isascii() else f"{_NEVER_MATCHES}|{text}")
