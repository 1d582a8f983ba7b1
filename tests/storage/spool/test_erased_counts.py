"""An erasure is counted once, and one that a crash interrupted as far as it went."""

from collections.abc import Mapping
from contextlib import closing
from functools import partial

import pytest

from tallyroom.storage.spool import expected_counts
from tallyroom.storage.spool.erased_counts import counting_erased, settle_erasures
from tallyroom.storage.spool.event_counts import read_spool_counts
from tallyroom.storage.spool.expected_counts import SpoolMonth, read_expected_counts
from tallyroom.storage.spool.queue import Spool, SpoolUnavailable

OTHER = 77


def state(spool: Spool) -> tuple[int, int]:
    with closing(spool.open_reader()) as reader:
        found = read_spool_counts(reader)
    return found.erasing, found.erased


def heaps(spool: Spool) -> dict[SpoolMonth, int]:
    with closing(spool.open_reader()) as reader:
        found = read_expected_counts(reader)
    assert not found.deleting_by_spool_month
    return found.expected_by_spool_month


def own(spool: Spool, **months: int) -> dict[SpoolMonth, int]:
    return {(spool.identity, int(month[1:])): events for month, events in months.items()}


def test_it_is_under_way_and_then_counted(spool: Spool) -> None:
    with counting_erased(spool, own(spool, m202610=3, m202611=4) | {(OTHER, 202611): 9}):
        assert state(spool) == (7, 0)
        with counting_erased(spool, own(spool, m202611=2)):
            assert state(spool) == (9, 0)
        assert state(spool) == (7, 2)
    assert state(spool) == (0, 9)
    assert heaps(spool) == own(spool, m202610=-3, m202611=-6) | {(OTHER, 202611): -9}


def interrupted(spool: Spool, events: Mapping[SpoolMonth, int]) -> None:
    with pytest.raises(OSError, match="the process ends"), counting_erased(spool, events):
        raise OSError("the process ends")


@pytest.mark.parametrize(
    ("missing", "explained"),
    [(0, 0), (7, 7), (3, 3), (9, 7), (-2, 0)],
    ids=["nothing was deleted", "all was", "some of it", "more is missing", "too many"],
)
def test_an_interrupted_one_explains_what_is_missing_and_no_more(spool: Spool, missing: int, explained: int) -> None:
    """While nobody knows of which month the missing ones are."""
    interrupted(spool, own(spool, m202611=7))
    assert state(spool) == (7, 0)
    spool.change(partial(settle_erasures, stored_by_spool_month={}, missing_count=missing)).result()
    assert state(spool) == (0, explained)
    spool.change(partial(settle_erasures, stored_by_spool_month={}, missing_count=5)).result()
    assert state(spool) == (0, explained)


def test_an_interrupted_one_explains_what_is_missing_of_its_months(spool: Spool) -> None:
    before = own(spool, m202609=5, m202610=5, m202611=5) | {(OTHER, 202611): 5}
    spool.change(partial(expected_counts.set_expected, stored_by_spool_month=before, missing_count=0)).result()
    interrupted(spool, own(spool, m202610=2, m202611=4) | {(OTHER, 202611): 3})
    # Of September a part is gone, of October all that was to be deleted is, of November some of it.
    left = own(spool, m202609=1, m202610=3, m202611=2) | {(OTHER, 202611): 4}
    spool.change(partial(settle_erasures, stored_by_spool_month=left, missing_count=9)).result()
    assert state(spool) == (0, 5)
    assert heaps(spool) == own(spool, m202609=5, m202610=3, m202611=2) | {(OTHER, 202611): 4}


def test_a_deletion_that_the_end_of_the_server_overtakes_waits_for_nothing(spool: Spool) -> None:
    with pytest.raises(SpoolUnavailable), counting_erased(spool, own(spool, m202611=1)):
        spool.close()
