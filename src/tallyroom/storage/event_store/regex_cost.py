r"""Bounds the cost of regular expressions, which depends on the size of their RE2 programs.

RE2 compiles a pattern into steps, with all repetitions written out; a class like ``\pL`` becomes 1200 of them. In the
worst case, RE2 takes every step for every byte of a text, about 5 nanoseconds each, and nothing can stop it before the
end of a block of events. So the size of a program (`MAX_STEPS`) and the size of a block (`choose_max_block_rows`) are
both bounded. RE2 takes fewer than one in thirty steps of a Unicode class, and it compiles the class again for each
block, so a block may be larger.

RE2 itself reports the size, and gives up as soon as a program exceeds `_PROGRAM_BYTES`, so no pattern can seem smaller
here than it is in the store. Two things take long before RE2 knows the size: reading Unicode classes and writing out
repetitions. Those are counted in the text before it is compiled. The count includes everything that looks like one,
quoted or not, so it can only be too high.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

import re2

MAX_STEPS = 8000  # of all patterns of a request together
_MIN_CLASS_STEPS = 400
_MAX_REPETITIONS = 1000  # RE2 refuses larger counts
_PROGRAM_BYTES = 400_000  # RE2 allows a step for every 96 bytes, before it removes empty ones: enough for `MAX_STEPS`
_CLASS_PATTERN = re.compile(r"\\[pP]")
_ESCAPE_PATTERN = re.compile(r"\\(?:[pP](?:\{[^}]*\}|.)|.)", re.DOTALL)
_CLASS_STEPS_DIVISOR = 16  # one in 16 steps of a class is assumed to be taken per byte: twice as many as were observed
_REPETITION_PATTERN = re.compile(r"\{([0-9]+)(?:,([0-9]*))?\}")
_CACHE_SIZE = 1024  # patterns whose size is known
# Steps per byte, over all events of a block: a block of events with 64 KiB of text takes at most 5 seconds.
_MAX_BLOCK_STEPS = 16_384
_MAX_BLOCK_ROWS = 256


class RegexText(str):
    """A regular expression among the values of a query, as the store reads it."""

    __slots__ = ()


def estimate_steps(pattern: str) -> int:
    """Return a size that needs no compilation and bounds the time of compiling.

    It is the sum of the characters, the counts of all repetitions, and `_MIN_CLASS_STEPS` for each Unicode class.
    """
    counts = [int(number) for match in _REPETITION_PATTERN.finditer(pattern) for number in match.groups() if number]
    class_steps = _MIN_CLASS_STEPS * len(_CLASS_PATTERN.findall(pattern))
    return len(pattern) + class_steps + sum(count for count in counts if count <= _MAX_REPETITIONS)


@lru_cache(_CACHE_SIZE)
def count_steps(pattern: str) -> int:
    """Return the size of a pattern: the size of its program, or `estimate_steps` if that is larger.

    0 means an invalid regular expression; more than `MAX_STEPS`, by any amount, that the store must not run it.
    """
    estimate = estimate_steps(pattern)
    if estimate > MAX_STEPS:
        return estimate
    options = re2.Options()
    options.log_errors = False
    options.dot_nl = True
    options.max_mem = _PROGRAM_BYTES
    try:
        return max(estimate, int(re2.compile(pattern, options).programsize))
    except re2.error as error:
        return MAX_STEPS + 1 if b"pattern too large" in _error_message(error) else 0
    finally:
        re2.purge()  # RE2 would cache 128 programs, which are never used to match


@lru_cache(_CACHE_SIZE)
def max_steps_per_byte(pattern: str) -> int:
    """Return the most steps per byte of text for a pattern that the store may run."""
    step_count = count_steps(pattern)
    plain_pattern = _ESCAPE_PATTERN.sub(lambda match: "x" if _CLASS_PATTERN.match(match[0]) else match[0], pattern)
    plain_step_count = count_steps(plain_pattern)
    # Quoted text has no classes.
    is_class_part_known = 0 < plain_step_count <= step_count and r"\Q" not in pattern
    return max(plain_step_count, step_count // _CLASS_STEPS_DIVISOR) if is_class_part_known else step_count


def choose_max_block_rows(patterns: Iterable[str]) -> int | None:
    """Return how many events a block may have: a power of two, or None for the engine's own size without patterns."""
    steps_per_byte = sum(max_steps_per_byte(pattern) for pattern in set(patterns))
    if not steps_per_byte:
        return None
    return 1 << (min(_MAX_BLOCK_ROWS, max(1, _MAX_BLOCK_STEPS // steps_per_byte)).bit_length() - 1)


def _error_message(error: Exception) -> bytes:
    [reason] = error.args
    return bytes(reason)
