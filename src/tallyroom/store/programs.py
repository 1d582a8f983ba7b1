r"""What a regular expression is for the store: a program of RE2, whose size says what looking at texts may cost.

RE2 compiles a pattern into steps, with all repetitions written out; a class like ``\pL`` becomes 1200 of them. In the
worst case it takes every step for every byte of a text, about 5 nanoseconds each, and nothing can stop it before the
end of a block of events. So the size is bounded (`MAX_STEPS`), and so is what a block may hold (`block_rows`). Of a
Unicode class it takes fewer than one step in thirty, and compiles it anew for each block, so a block may hold more.

RE2 itself tells the size, and gives up as soon as a program becomes larger than `_PROGRAM_BYTES` allow, so that no way
to write a pattern is smaller here than in the store. Two things take long before RE2 knows the size: reading Unicode
classes, and writing out repetitions. Those are counted in the text before it is compiled. The count takes whatever
looks like one, quoted or not, so it can only be too high.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

import re2

MAX_STEPS = 8000
"""Most steps of all patterns of a request together."""

_STEPS_OF_CLASS = 400  # at least
_MOST_TIMES = 1000  # RE2 refuses larger counts
_PROGRAM_BYTES = 400_000
"""RE2 makes a step of each 96 bytes, before it takes out the empty ones: enough for every program of `MAX_STEPS`."""

_CLASS = re.compile(r"\\[pP]")
_ESCAPED = re.compile(r"\\(?:[pP](?:\{[^}]*\}|.)|.)", re.DOTALL)
_PART_OF_CLASS = 16  # of its steps, one is taken for a byte: twice as many as were seen
_COUNT = re.compile(r"\{([0-9]+)(?:,([0-9]*))?\}")
_KEPT = 1024  # patterns whose size is known

_STEPS_IN_A_BLOCK = 16_384
"""For each byte of each event of a block: of events with 64 KiB of text, a block takes 5 seconds in the worst case."""

_MOST_ROWS = 256


class Pattern(str):
    """A regular expression among the values of a query, as the store will read it."""

    __slots__ = ()


def written_out(pattern: str) -> int:
    """A size that can be told without compiling: it bounds the time that compiling takes.

    The characters, each repetition as often as it says, and each Unicode class as `_STEPS_OF_CLASS`.
    """
    counts = (int(number) for count in _COUNT.finditer(pattern) for number in count.groups() if number)
    return len(pattern) + _STEPS_OF_CLASS * len(_CLASS.findall(pattern)) + sum(n for n in counts if n <= _MOST_TIMES)


@lru_cache(_KEPT)
def steps_of(pattern: str) -> int:
    """The size of a pattern: the larger of what is `written_out` and its program.

    Returns:
        0 for what is no regular expression, more than `MAX_STEPS` for what the store must not run. Beyond that, the
        number says nothing.
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
        re2.purge()  # it would keep 128 of them with their programs, and nobody matches by them here


@lru_cache(_KEPT)
def steps_for_a_byte(pattern: str) -> int:
    """How many steps of a pattern that the store may run are taken for each byte of a text, in the worst case."""
    steps = steps_of(pattern)
    plain = steps_of(_ESCAPED.sub(lambda found: "x" if _CLASS.match(found[0]) else found[0], pattern))
    is_known = 0 < plain <= steps and r"\Q" not in pattern  # of what is quoted, nothing is a class
    return max(plain, steps // _PART_OF_CLASS) if is_known else steps


def block_rows(patterns: Iterable[str]) -> int | None:
    """How many events a block may have, at the end of which a query with these patterns can be stopped.

    Returns:
        A power of two; None without patterns: the engine's own size will do.
    """
    steps = sum(steps_for_a_byte(pattern) for pattern in set(patterns))
    if not steps:
        return None
    return 1 << (min(_MOST_ROWS, max(1, _STEPS_IN_A_BLOCK // steps)).bit_length() - 1)


def _bytes(error: Exception) -> bytes:
    [reason] = error.args
    return bytes(reason)
