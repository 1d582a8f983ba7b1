"""Processes long lists in steps, so that other tasks and threads get their turn in between."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from itertools import chain
from typing import TypeVar

T = TypeVar("T")

AT_ONCE = 250
"""The number of entries between two pauses: a few milliseconds, if each entry takes some microseconds."""

_SORTED_AT_ONCE = 4_000


async def in_turns(entries: Iterable[T], at_once: int = AT_ONCE) -> AsyncIterator[T]:
    """Yield each of `entries`; after every `at_once` entries, other tasks get their turn."""
    for number, entry in enumerate(entries, 1):
        yield entry
        if number % at_once == 0:
            await asyncio.sleep(0)


def sorted_in_slices(numbers: Iterable[int]) -> list[int]:
    """Return what `sorted` returns, without keeping all other threads waiting until everything is sorted.

    Python sorts a list in one step that no thread can interrupt. Sorting slices first makes many short steps of it, and
    the last one, which finds them in order, takes a fraction of the time.
    """
    number_list = list(numbers)
    starts = range(0, len(number_list), _SORTED_AT_ONCE)
    return sorted(chain.from_iterable([sorted(number_list[start : start + _SORTED_AT_ONCE]) for start in starts]))
