"""Processes long lists on the event loop in steps, so that other tasks get their turn in between."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

T = TypeVar("T")

AT_ONCE = 250
"""The number of entries between two pauses: a few milliseconds, if each entry takes some microseconds."""


async def in_turns(entries: Iterable[T], at_once: int = AT_ONCE) -> AsyncIterator[T]:
    """Yield each of `entries`; after every `at_once` entries, other tasks get their turn."""
    for number, entry in enumerate(entries, 1):
        yield entry
        if number % at_once == 0:
            await asyncio.sleep(0)
