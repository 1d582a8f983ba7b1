r"""Bounds the cost of regular expressions, which depends on the size of their RE2 programs.

RE2 compiles a pattern into steps, with all repetitions written out; a class like ``\pL`` becomes 1200 of them. In the
worst case, RE2 takes every step for every byte of a text, about 5 nanoseconds each, and nothing can stop it before the
end of a block of events. So the size of a program (`MAX_STEPS`) and that of a block (`block_rows`) are both bounded. Of
a Unicode class, RE2 takes fewer than one step in thirty, and it compiles the class again for each block, so a block may
be larger.

RE2 itself reports the size, and gives up as soon as a program exceeds `_PROGRAM_BYTES`, so no pattern can seem smaller
here than it is in the store. Two things take long before RE2 knows the size: reading Unicode classes and writing out
repetitions. Those are counted in the text before it is compiled. The count includes whatever looks like one, quoted or
not, so it can only be too high.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

import re2

MAX_STEPS = 8000
"""The most steps that all patterns of a request may have together."""

_STEPS_OF_CLASS = 400  # at least
_MOST_TIMES = 1000  # RE2 refuses larger counts
_PROGRAM_BYTES = 400_000
"""RE2 allows a step for every 96 bytes, before it removes empty ones: enough for any program of `MAX_STEPS`."""

_CLASS = re.compile(r"\\[pP]")
_ESCAPE = re.compile(r"\\(?:[pP](?:\{[^}]*\}|.)|.)", re.DOTALL)
_PART_OF_CLASS = 16  # one in 16 steps of a class is assumed to be taken per byte: twice as many as were observed
_COUNT = re.compile(r"\{([0-9]+)(?:,([0-9]*))?\}")
_CACHE_SIZE = 1024  # patterns whose size is known

_STEPS_IN_A_BLOCK = 16_384
"""Steps per byte, over all events of a block: a block of events with 64 KiB of text takes 5 seconds at worst."""

_MOST_ROWS = 256


class Pattern(str):
    """A regular expression among the values of a query, as the store will read it."""

    __slots__ = ()


def written_out(pattern: str) -> int:
    """Return a size that is known without compiling and bounds the time that compiling takes.

    It is the sum of the characters, the counts of all repetitions, and `_STEPS_OF_CLASS` for each Unicode class.
    """
    counts = (int(number) for count in _COUNT.finditer(pattern) for number in count.groups() if number)
    return len(pattern) + _STEPS_OF_CLASS * len(_CLASS.findall(pattern)) + sum(n for n in counts if n <= _MOST_TIMES)


@lru_cache(_CACHE_SIZE)
def steps_of(pattern: str) -> int:
    """Return the size of a pattern: that of its program, or `written_out` if that is larger.

    Returns:
        0 for an invalid regular expression; more than `MAX_STEPS` for one that the store must not run. How far the
        number exceeds the limit means nothing.
    """
    before = written_out(pattern)
    if before > MAX_STEPS:
        return before
    options = re2.Options()
    options.log_errors = False
    options.dot_nl = True
    options.max_mem = _PROGRAM_BYTES
    try:
        return max(before, int(re2.compile(pattern, options).programsize))
    except re2.error as error:
        return MAX_STEPS + 1 if b"pattern too large" in _bytes(error) else 0
    finally:
        re2.purge()  # it would cache 128 programs, and nothing is matched with them here


@lru_cache(_CACHE_SIZE)
def steps_for_a_byte(pattern: str) -> int:
    """Return the most steps that a pattern that the store may run takes for each byte of a text."""
    steps = steps_of(pattern)
    plain = steps_of(_ESCAPE.sub(lambda match: "x" if _CLASS.match(match[0]) else match[0], pattern))
    is_known = 0 < plain <= steps and r"\Q" not in pattern  # within quotes, nothing is a class
    return max(plain, steps // _PART_OF_CLASS) if is_known else steps


def block_rows(patterns: Iterable[str]) -> int | None:
    """Return how many events a block may have; a query with these patterns can be stopped only between two blocks.

    Returns:
        A power of two; None if there are no patterns, as the engine's own size will then do.
    """
    steps = sum(steps_for_a_byte(pattern) for pattern in set(patterns))
    if not steps:
        return None
    return 1 << (min(_MOST_ROWS, max(1, _STEPS_IN_A_BLOCK // steps)).bit_length() - 1)


def _bytes(error: Exception) -> bytes:
    [reason] = error.args
    return bytes(reason)
