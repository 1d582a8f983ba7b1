"""spool.erased: an erasure is counted once, and one that a crash interrupted as far as it went."""

from contextlib import closing

import pytest

from tallyroom.spool.erased import counted, settle
from tallyroom.spool.numbers import read_numbers
from tallyroom.spool.queue import Spool, SpoolUnavailable


def state(spool: Spool) -> tuple[int, int]:
    with closing(spool.reader()) as reader:
        found = read_numbers(reader)
    return found.erasing, found.erased


def test_it_is_under_way_and_then_counted(spool: Spool) -> None:
    with counted(spool, 7):
        assert state(spool) == (7, 0)
        with counted(spool, 2):
            assert state(spool) == (9, 0)
        assert state(spool) == (7, 2)
    assert state(spool) == (0, 9)


def interrupted(spool: Spool, events: int) -> None:
    with pytest.raises(OSError, match="the process ends"), counted(spool, events):
        raise OSError("the process ends")
    assert state(spool) == (events, 0)


@pytest.mark.parametrize(
    ("missing", "explained"),
    [(0, 0), (7, 7), (3, 3), (9, 7), (-2, 0)],
    ids=["nothing was deleted", "all was", "some of it", "more is missing", "too many"],
)
def test_an_interrupted_one_explains_what_is_missing_and_no_more(spool: Spool, missing: int, explained: int) -> None:
    interrupted(spool, 7)
    assert spool.change(lambda connection: settle(connection, missing)).result() == explained
    assert state(spool) == (0, explained)
    assert spool.change(lambda connection: settle(connection, 5)).result() == 0


def test_a_deletion_that_the_end_of_the_server_overtakes_waits_for_nothing(spool: Spool) -> None:
    with pytest.raises(SpoolUnavailable), counted(spool, 1):
        spool.close()
