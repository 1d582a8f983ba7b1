"""What a search reads, and the search itself, in slices (rules/statistics#search)."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

import msgspec

from tallyroom.bots.bot_row import BotRow

_SLICE_SIZE = 500

_decode_text_list = msgspec.json.Decoder(list[str]).decode


class SearchEntry(msgspec.Struct, frozen=True, gc=False):
    """The searchable fields of a bot."""

    name: str
    lower_name: str
    tags: frozenset[str]
    owners: frozenset[str]
    is_deleted: bool


def build_search_entry(bot: BotRow) -> SearchEntry:
    """Return the searchable fields of a bot; a bot without a name is found by its id."""
    name = bot.name or bot.id
    tags, owners = _decode_text_list(bot.tags), _decode_text_list(bot.owners)
    return SearchEntry(name, name.lower(), frozenset(tag.lower() for tag in tags), frozenset(owners), bot.deleted)


async def list_matching_ids(
    bot_ids: Sequence[str], search_entries: Mapping[str, SearchEntry], matches: Callable[[SearchEntry], bool]
) -> list[str]:
    """Return the bots among `bot_ids` whose entry matches, in their order; other tasks run in between."""
    matching_ids: list[str] = []
    for start in range(0, len(bot_ids), _SLICE_SIZE):
        chunk = bot_ids[start : start + _SLICE_SIZE]
        matching_ids += [
            bot_id for bot_id in chunk if (entry := search_entries.get(bot_id)) is not None and matches(entry)
        ]
        await asyncio.sleep(0)
    return matching_ids
