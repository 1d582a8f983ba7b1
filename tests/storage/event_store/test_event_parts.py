"""Which days may have changed between two looks at the parts of the events."""

from tallyroom.core.times import DAY_MS
from tallyroom.storage.event_store.event_parts import EventPart, find_changed_parts

FIRST_OF_NOVEMBER = 20_758  # 2026-11-01
DAY_S = DAY_MS // 1000


def part(blocks: tuple[int, int], row_count: int, days: tuple[int, int] = (1, 1), month: int = 202611) -> EventPart:
    """A part with events at noon of two days of November 2026."""
    from_s, until_s = ((FIRST_OF_NOVEMBER + day - 1) * DAY_S + DAY_S // 2 for day in days)
    return EventPart(month, *blocks, row_count, from_s, until_s)


def changed(earlier_parts: set[EventPart], parts: set[EventPart]) -> list[int]:
    """The days of November 2026 that may have changed."""
    days = {day for changed_part in find_changed_parts(earlier_parts, parts) for day in changed_part.days}
    return sorted(day - FIRST_OF_NOVEMBER + 1 for day in days)


OLD, NEW = part((1, 5), 100, (1, 20)), part((6, 6), 10, (20, 21))


def test_a_block_changes_the_days_of_its_events() -> None:
    assert changed({OLD}, {OLD, NEW}) == [20, 21]


def test_a_merge_changes_nothing() -> None:
    assert changed({OLD, NEW}, {part((1, 6), 110, (1, 21))}) == []


def test_a_merge_with_a_block_not_seen_before_may_change_all_its_days() -> None:
    assert changed({OLD}, {part((1, 6), 110, (1, 21))}) == list(range(1, 22))


def test_a_rewrite_changes_nothing_unless_it_removes_events() -> None:
    assert changed({NEW}, {part((6, 6), 10, (20, 21))}) == []
    assert changed({NEW}, {part((6, 6), 9, (20, 21))}) == [20, 21]


def test_a_part_that_is_gone_changes_its_days() -> None:
    assert changed({OLD, NEW}, {OLD}) == [20, 21]


def test_months_have_blocks_of_their_own() -> None:
    october = part((1, 9), 10, (-3, -2), 202610)
    assert changed({NEW}, {october}) == [-3, -2, 20, 21]


def test_a_store_that_does_not_know_times_may_have_changed_the_whole_month() -> None:
    assert changed(set(), {EventPart(202611, 1, 1, 5, 0, 0)}) == list(range(1, 31))


def test_a_part_knows_the_seconds_of_its_events() -> None:
    noon_s = FIRST_OF_NOVEMBER * DAY_S + DAY_S // 2
    assert part((1, 1), 5, (1, 2)).seconds == range(noon_s, noon_s + DAY_S + 1)
