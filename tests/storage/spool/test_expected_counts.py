"""What the store must hold, in the same commits as what was acknowledged."""

from contextlib import closing
from functools import partial

import pytest

from harness.stores.event_store import event, fresh_scope
from harness.stores.spool_batches import batch, put
from tallyroom.storage.spool import expected_counts
from tallyroom.storage.spool.event_counts import read_spool_counts
from tallyroom.storage.spool.expected_counts import UNKNOWN_MONTH, ExpectedCounts, SpoolMonth, read_expected_counts
from tallyroom.storage.spool.queue import Spool

SCOPE = fresh_scope()
OTHER = 77


def read(spool: Spool) -> ExpectedCounts:
    with closing(spool.open_reader()) as reader:
        return read_expected_counts(reader)


def heap(spool: Spool, month: int = 202611) -> SpoolMonth:
    return spool.identity, month


async def test_a_new_spool_has_taken_no_stock_and_misses_nothing(spool: Spool) -> None:
    await put(spool, batch(spool, event(SCOPE)))
    assert read(spool) == ExpectedCounts(
        is_known=False, own_spool_id=spool.identity, expected_by_spool_month={}, deleting_by_spool_month={}
    )
    assert read(spool).count_missing({}) == {}


def test_counts_are_added_and_taken(spool: Spool) -> None:
    for events in (3, 4, -2):
        spool.change(
            partial(expected_counts.add_expected, change_by_spool_month={heap(spool): events, (OTHER, 202610): 1})
        ).result()
    assert read(spool).expected_by_spool_month == {heap(spool): 5, (OTHER, 202610): 3}
    assert not read(spool).is_known
    spool.change(
        partial(expected_counts.set_expected, stored_by_spool_month={heap(spool, 202601): 9}, missing_count=2)
    ).result()
    assert read(spool) == ExpectedCounts(
        is_known=True,
        own_spool_id=spool.identity,
        expected_by_spool_month={heap(spool, 202601): 9, heap(spool, UNKNOWN_MONTH): 2},
        deleting_by_spool_month={},
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
def test_what_is_missing_by_month(found: dict[SpoolMonth, int], missing: dict[int, int]) -> None:
    """Two events of November are on their way out of the store."""
    events = {(1, 202610): 5, (1, 202611): 5, (OTHER, 202611): 5}
    assert (
        ExpectedCounts(
            is_known=True, own_spool_id=1, expected_by_spool_month=events, deleting_by_spool_month={(1, 202611): 2}
        ).count_missing(found)
        == missing
    )


def test_events_without_a_place_are_found_again_where_they_are_too_many() -> None:
    known = ExpectedCounts(
        is_known=True,
        own_spool_id=1,
        expected_by_spool_month={(1, UNKNOWN_MONTH): 3, (1, 202611): 5},
        deleting_by_spool_month={},
    )
    assert known.count_missing({(1, 202611): 5}) == {UNKNOWN_MONTH: 3}
    assert known.count_missing({(1, 202611): 6, (1, 202601): 1, (OTHER, 202601): 9}) == {UNKNOWN_MONTH: 1}
    assert known.count_missing({(1, 202611): 5, (1, 202601): 3}) == {}


def test_what_is_written_off_counts_as_lost(spool: Spool) -> None:
    spool.change(
        partial(expected_counts.set_expected, stored_by_spool_month={heap(spool): 9}, missing_count=0)
    ).result()
    spool.change(
        partial(expected_counts.write_off_missing, stored_by_spool_month={heap(spool): 4}, missing_count=5)
    ).result()
    assert read(spool).count_missing({heap(spool): 4}) == {}
    with closing(spool.open_reader()) as reader:
        assert read_spool_counts(reader).written_off == 5
