"""A search looks at all bots, in turns (rules/statistics#search)."""

import asyncio

from tallyroom.bots.search_entries import SearchEntry, list_matching_ids

NAMES = {f"{number:018d}": f"bot {number}" for number in range(2_001)}
ENTRIES = {
    bot_id: SearchEntry(name, name, frozenset({"even"} if index % 2 == 0 else {"odd"}), frozenset(), is_deleted=False)
    for index, (bot_id, name) in enumerate(NAMES.items())
}


async def test_the_order_stays_and_nobody_is_left_out() -> None:
    backwards = [*reversed(ENTRIES)]
    assert await list_matching_ids(backwards, ENTRIES, lambda entry: "even" in entry.tags) == backwards[::2]
    assert await list_matching_ids(backwards, ENTRIES, lambda _: True) == backwards


async def test_a_bot_that_is_taken_off_the_list_meanwhile_is_left_out() -> None:
    entries = dict(ENTRIES)
    last = [*entries][-1]

    async def remove() -> None:
        del entries[last]

    removal = asyncio.create_task(remove())
    found = await list_matching_ids([*entries], entries, lambda _: True)
    await removal
    assert found == [*NAMES][:-1]
