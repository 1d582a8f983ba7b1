"""Kept rows are bounded by bytes, and no workspace takes the room of all others (rules/questions#answers-seen-again)."""

from tallyroom.queries.kept_answers.cache import KeptRows, RowCache
from tallyroom.queries.kept_answers.revisions import Days

MAX_BYTES = 80_000


def rows(size: int = 1_000) -> KeptRows:
    return KeptRows(b"x" * size, b"revision", Days(0, 1))


def test_what_was_not_used_for_the_longest_time_goes_first() -> None:
    cache = RowCache(MAX_BYTES)
    for number in range(11):
        cache.keep("one", number, rows())
    assert cache.find("one", 0) is not None
    cache.keep("one", 11, rows())
    assert (cache.find("one", 0) is not None, cache.find("one", 1)) == (True, None)


def test_a_workspace_has_at_most_a_quarter() -> None:
    cache = RowCache(MAX_BYTES)
    for number in range(5):
        cache.keep("small", number, rows())
    for number in range(1_000):
        cache.keep("large", number, rows())
    assert all(cache.find("small", number) is not None for number in range(5))
    assert cache.byte_count <= MAX_BYTES / 4 + 5 * 2_000


def test_many_workspaces_together_stay_within_the_limit() -> None:
    cache = RowCache(MAX_BYTES)
    for number in range(500):
        cache.keep(f"workspace {number % 50}", number, rows())
        assert cache.byte_count <= MAX_BYTES


def test_rows_that_replace_others_do_not_count_twice() -> None:
    cache = RowCache(MAX_BYTES)
    cache.keep("one", 1, rows())
    byte_count = cache.byte_count
    cache.keep("one", 1, rows())
    assert cache.byte_count == byte_count


def test_rows_beyond_the_room_of_a_workspace_are_not_kept() -> None:
    cache = RowCache(MAX_BYTES)
    assert cache.keep("one", 1, rows())
    assert not cache.keep("one", 1, rows(MAX_BYTES // 4))
    assert (cache.find("one", 1), cache.byte_count) == (None, 0)


def test_zero_bytes_turn_it_off() -> None:
    assert not RowCache(0).is_on
