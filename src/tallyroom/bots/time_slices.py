"""Processes long lists in slices, so that other tasks and threads run in between."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from itertools import chain
from typing import TypeVar

Entry = TypeVar("Entry")

SLICE_SIZE = 250
"""The number of entries between two pauses: a few milliseconds, if each entry takes some microseconds."""

_SORTED_SLICE_SIZE = 4_000


async def iterate_in_slices(entries: Iterable[Entry], slice_size: int = SLICE_SIZE) -> AsyncIterator[Entry]:
    """Yield each of `entries`; between two slices of `slice_size` entries, other tasks run."""
    for number, entry in enumerate(entries):
        if number and number % slice_size == 0:
            await asyncio.sleep(0)
        yield entry


def sort_in_slices(numbers: Iterable[int]) -> list[int]:
    """Return what `sorted` returns, without blocking all other threads until everything is sorted.

    Python sorts a list in one step that no thread can interrupt; with sorted slices, the last step is short.
    """
    unsorted = list(numbers)
    starts = range(0, len(unsorted), _SORTED_SLICE_SIZE)
    return sorted(chain.from_iterable([sorted(unsorted[start : start + _SORTED_SLICE_SIZE]) for start in starts]))
