"""What the store must hold, in the same commits as what was acknowledged."""

from contextlib import closing
from functools import partial

import pytest

from harness.stores.event_store import event, fresh_scope
from harness.stores.spool_batches import batch, put
from tallyroom.storage.spool import expected_counts
from tallyroom.storage.spool.event_counts import read_numbers
from tallyroom.storage.spool.expected_counts import UNKNOWN_MONTH, Heap, Stock, read_stock
from tallyroom.storage.spool.queue import Spool

SCOPE = fresh_scope()
OTHER = 77


def read(spool: Spool) -> Stock:
    with closing(spool.reader()) as reader:
        return read_stock(reader)


def heap(spool: Spool, month: int = 202611) -> Heap:
    return spool.identity, month


async def test_a_new_spool_has_taken_no_stock_and_misses_nothing(spool: Spool) -> None:
    await put(spool, batch(spool, event(SCOPE)))
    assert read(spool) == Stock(is_taken=False, spool=spool.identity, events={}, leaving={})
    assert read(spool).missing({}) == {}


def test_counts_are_added_and_taken(spool: Spool) -> None:
    for events in (3, 4, -2):
        spool.change(partial(expected_counts.add, events={heap(spool): events, (OTHER, 202610): 1})).result()
    assert read(spool).events == {heap(spool): 5, (OTHER, 202610): 3}
    assert not read(spool).is_taken
    spool.change(partial(expected_counts.take, store_events={heap(spool, 202601): 9}, missing=2)).result()
    assert read(spool) == Stock(
        is_taken=True,
        spool=spool.identity,
        events={heap(spool, 202601): 9, heap(spool, UNKNOWN_MONTH): 2},
        leaving={},
    )


@pytest.mark.parametrize(
    ("found", "missing"),
    [
        ({(1, 202610): 5, (1, 202611): 5, (OTHER, 202611): 5}, {}),
        ({(1, 202610): 5, (1, 202611): 4, (OTHER, 202611): 5}, {}),
        ({(1, 202610): 5, (1, 202611): 2, (OTHER, 202611): 5}, {202611: 1}),
        ({(1, 202610): 5, (OTHER, 202611): 1}, {202611: 7}),
        ({(1, 202610): 5, (1, 202611): 9, (OTHER, 202611): 9, (OTHER, 202501): 1}, {}),
        ({(1, 202611): 9, (OTHER, 202611): 9}, {202610: 5}),
    ],
    ids=["all", "one deleted", "one more", "two spools", "too many", "not made up for by others"],
)
def test_what_is_missing_by_month(found: dict[Heap, int], missing: dict[int, int]) -> None:
    """Two events of November are on their way out of the store."""
    events = {(1, 202610): 5, (1, 202611): 5, (OTHER, 202611): 5}
    assert Stock(is_taken=True, spool=1, events=events, leaving={(1, 202611): 2}).missing(found) == missing


def test_events_without_a_place_are_found_again_where_they_are_too_many() -> None:
    known = Stock(is_taken=True, spool=1, events={(1, UNKNOWN_MONTH): 3, (1, 202611): 5}, leaving={})
    assert known.missing({(1, 202611): 5}) == {UNKNOWN_MONTH: 3}
    assert known.missing({(1, 202611): 6, (1, 202601): 1, (OTHER, 202601): 9}) == {UNKNOWN_MONTH: 1}
    assert known.missing({(1, 202611): 5, (1, 202601): 3}) == {}


def test_what_is_written_off_counts_as_lost(spool: Spool) -> None:
    spool.change(partial(expected_counts.take, store_events={heap(spool): 9}, missing=0)).result()
    spool.change(partial(expected_counts.write_off, store_events={heap(spool): 4}, missing=5)).result()
    assert read(spool).missing({heap(spool): 4}) == {}
    with closing(spool.reader()) as reader:
        assert read_numbers(reader).lost == 5
