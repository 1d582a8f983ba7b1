r"""Regular expressions of filters: RE2, read alike here and in the store. ``.`` matches a line break, too.

RE2 compiles a pattern into a program that repeats whatever is counted, and a class such as ``\pL`` becomes a thousand
instructions. What that costs, here once and in the store for each block of events, hangs on the *weight* of a pattern,
which is known before anything is compiled.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import re2

MAX_REGEX = 1000
"""Most characters of a pattern, and its most weight."""

MAX_WEIGHT = 2 * MAX_REGEX
"""Of all patterns of a request together."""

_WEIGHT_OF_CLASS = 100  # of a Unicode class beside a character
_PROGRAM_BYTES = 4 << 20
"""Half of what the store's own copy of RE2 allows, so that a pattern that passes here passes there."""
_KEPT = 1024  # patterns that are known to be right or wrong
_NOTHING = "[^\\x00-\\x{10FFFF}]"

_TOKEN = re.compile(
    r"""(?P<open>\((?:\?P?<\w+>|\?[\w-]*:?)?)
      | (?P<close>\))
      | \{(?P<least>[0-9]{1,4})(?:,(?P<most>[0-9]{0,4}))?\}
      | \\[pP](?:\{[^}]*\}|.)
      | \\.
      | \[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]
      | .""",
    re.VERBOSE | re.DOTALL,
)
_CLASS = re.compile(r"\\[pP]")

_NO_REGEX = "is not a regular expression (RE2)"
_WRITTEN_OUT = "characters with all repetitions written out; a class like \\pL counts as 100"
_TOO_LARGE = f"must have at most {MAX_REGEX} {_WRITTEN_OUT}"
_TOO_LARGE_TOGETHER = f"is too much: the regular expressions of a request have at most {MAX_WEIGHT} {_WRITTEN_OUT}"


class Wrong(NamedTuple):
    """Which of several patterns is refused, and why."""

    at: int
    reason: str


def first_wrong(patterns: Sequence[str]) -> Wrong | None:
    """The first pattern that the store will not take, or that makes all of them too heavy together; None without one.

    Each is weighed before it is compiled, and after the first wrong one none is; one that stands twice counts once. So
    a request costs at most 10 ms, during which Python's lock is never held for more than 3 ms at a time.
    """
    total = 0
    for pattern in dict.fromkeys(patterns):
        weight = weight_of(pattern)
        total += weight
        if reason := _wrong(pattern, weight, total):
            return Wrong(patterns.index(pattern), reason)
    return None


def weight_of(pattern: str) -> int:
    """How large a pattern is with everything written out that it counts; a Unicode class weighs as much as a hundred.

    The pattern has at most `MAX_REGEX` characters. What is no pattern has some weight, too.
    """
    open_groups = [0]
    last = 0  # what a count would repeat
    for token in _TOKEN.finditer(pattern):
        if token["open"]:
            open_groups.append(0)
            last = 0
            continue
        if token["close"] and len(open_groups) > 1:
            last = open_groups.pop()
            added = last
        elif token["least"]:
            times = max(int(token["least"]), int(token["most"] or 0), 1)
            last, added = last * times, last * (times - 1)
        else:
            added = last = 1 + _WEIGHT_OF_CLASS * len(_CLASS.findall(token[0]))
        open_groups[-1] += added
    return sum(open_groups)


def _wrong(pattern: str, weight: int, total: int) -> str:
    if weight > MAX_REGEX:
        return _TOO_LARGE
    if total > MAX_WEIGHT:
        return _TOO_LARGE_TOGETHER
    return "" if is_regex(pattern) else _NO_REGEX


@lru_cache(_KEPT)
def is_regex(text: str) -> bool:
    """Whether `text`, which is of a weight that may be compiled, is a regular expression that the store will take."""
    options = re2.Options()
    options.log_errors = False
    options.dot_nl = True
    options.max_mem = _PROGRAM_BYTES
    try:
        re2.compile(text, options)
    except re2.error:
        return False
    re2.purge()  # it would keep 128 of them with their programs, and nobody matches by them here
    return True


def for_store(text: str) -> str:
    """A pattern of the same meaning that the store reads right.

    Before it runs a pattern, the store looks for bytes that every match must hold. There it takes a character of
    several bytes for several characters: of ``é?`` it thinks that the first byte has to be there. An alternative that
    never matches keeps it from looking.
    """
    return text if text.isascii() else f"{_NOTHING}|{text}"
