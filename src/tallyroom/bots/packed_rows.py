"""Answers with many entries in few rows, because the store limits rows to fewer than a listing has entries."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, Generic, TypeVar

import msgspec

from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import ListingScope

Entry = TypeVar("Entry")

_PACK_COUNT: Final = 256
_GROUP_BY_PACK: Final = f" GROUP BY cityHash64(bot_id) % {_PACK_COUNT}"


class _Pack(msgspec.Struct, Generic[Entry]):
    entries: list[Entry]


async def stream_entries(
    reader: EventReader, sql: str, listing: ListingScope, parameters: Mapping[str, Any], entry_type: type[Entry]
) -> AsyncIterator[Entry]:
    """Yield the entries of an answer, in no order; other tasks run after each pack. Raises the errors of `reader.rows`.

    `sql` is a SELECT without GROUP BY of ``groupArray(…) AS entries``, from rows that have a `bot_id`.
    """
    packs = await reader.fetch_rows(sql + _GROUP_BY_PACK, listing, parameters, _Pack[entry_type])  # type: ignore[valid-type] # a variable
    while packs:
        for entry in packs.pop().entries:
            yield entry
        await asyncio.sleep(0)
