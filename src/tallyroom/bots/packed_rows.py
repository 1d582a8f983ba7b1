"""Answers of many entries in few rows, because the store returns fewer rows than a listing has entries."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, Generic, TypeVar

import msgspec

from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Listing

Entry = TypeVar("Entry")

_PACKS: Final = 256
_GROUPING: Final = f" GROUP BY cityHash64(bot_id) % {_PACKS}"


class _Pack(msgspec.Struct, Generic[Entry]):
    entries: list[Entry]


async def entries(
    reader: EventReader, sql: str, listing: Listing, parameters: Mapping[str, Any], entry_type: type[Entry]
) -> AsyncIterator[Entry]:
    """Yield the entries of an answer, in no order; other tasks get their turn after each pack.

    Args:
        reader: runs the query, and raises what its `rows` raises.
        sql: a SELECT without GROUP BY of ``groupArray(…) AS entries``, from rows that have a `bot_id`.
        listing: the listing to read.
        parameters: values by name.
        entry_type: the struct of an entry.
    """
    packs = await reader.rows(sql + _GROUPING, listing, parameters, _Pack[entry_type])  # type: ignore[valid-type] # a variable
    while packs:
        for entry in packs.pop().entries:
            yield entry
        await asyncio.sleep(0)
