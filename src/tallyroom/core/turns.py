"""Long lists on the event loop: others get their turn in between."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

T = TypeVar("T")

AT_ONCE = 250
"""Entries between two turns of others: a few milliseconds, where each takes some microseconds."""


async def in_turns(entries: Iterable[T], at_once: int = AT_ONCE) -> AsyncIterator[T]:
    """Each of `entries`; after every `at_once` of them, others get their turn."""
    for number, entry in enumerate(entries, 1):
        yield entry
        if number % at_once == 0:
            await asyncio.sleep(0)
