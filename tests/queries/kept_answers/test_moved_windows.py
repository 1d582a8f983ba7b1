"""What to read when windows have moved on."""

from typing import cast

from tallyroom.core.times import DAY_MS, HOUR_MS
from tallyroom.queries.kept_answers.moved_windows import find_days, find_parts_to_read
from tallyroom.queries.kept_answers.part_changes import ChangedSpan, PartChanges
from tallyroom.queries.kept_answers.revisions import DayRevisions, Days
from tallyroom.queries.window import Window

FIRST_DAY = 20_000
WINDOW = Window(FIRST_DAY * DAY_MS + HOUR_MS, (FIRST_DAY + 30) * DAY_MS + HOUR_MS - 1)
EARLIER = Window(WINDOW.from_ms - 30 * DAY_MS, WINDOW.from_ms - 1)


class Revisions:
    """An event on each day but for some days, which are named by their place in the window."""

    def __init__(self, *spans: Window, **count_by_day: int) -> None:
        self.part_changes = PartChanges(1, 7, {}, 3, [ChangedSpan(5, span) for span in spans])
        self._count_by_day = {FIRST_DAY + int(name.strip("_")): count for name, count in count_by_day.items()}

    def has_events(self, days: Days) -> bool:
        """Whether some of the days have events."""
        return any(self._count_by_day.get(day, 1) for day in range(days.first, days.last + 1))

    def list_numbers(self, days: Days) -> dict[int, int]:
        """Another one for other counts."""
        return {day: count for day, count in self._count_by_day.items() if days.first <= day <= days.last}


def move(window: Window, ms: int) -> Window:
    """The same window later."""
    return Window(window.from_ms + ms, window.until_ms + ms)


def find_parts(revisions: Revisions, *windows: Window, moved_ms: int, kept_change: int = 1) -> list[Window] | None:
    """The parts to read after a move, if days had one event before."""
    kept_number_by_day = Revisions().list_numbers(find_days(windows))
    later_windows = [move(window, moved_ms) for window in windows]
    return find_parts_to_read(cast("DayRevisions", revisions), kept_number_by_day, kept_change, windows, later_windows)


def test_nothing_is_read_if_nothing_moved() -> None:
    assert find_parts(Revisions(), WINDOW, moved_ms=0) == []


def test_both_edges_are_read() -> None:
    assert find_parts(Revisions(), WINDOW, moved_ms=5) == [
        Window(WINDOW.from_ms, WINDOW.from_ms + 4),
        Window(WINDOW.until_ms + 1, WINDOW.until_ms + 5),
    ]


def test_the_edge_between_two_windows_is_read_once() -> None:
    assert find_parts(Revisions(), EARLIER, WINDOW, moved_ms=5) == [
        Window(EARLIER.from_ms, EARLIER.from_ms + 4),
        Window(WINDOW.from_ms, WINDOW.from_ms + 4),
        Window(WINDOW.until_ms + 1, WINDOW.until_ms + 5),
    ]


def test_a_day_that_has_changed_is_read_where_a_window_has_it() -> None:
    parts = find_parts(Revisions(_7=2, _30=2), WINDOW, moved_ms=0)
    assert parts == [
        Window((FIRST_DAY + 7) * DAY_MS, (FIRST_DAY + 8) * DAY_MS - 1),
        Window((FIRST_DAY + 30) * DAY_MS, WINDOW.until_ms),
    ]


def test_only_the_changed_times_of_a_changed_day_are_read() -> None:
    start_ms = (FIRST_DAY + 7) * DAY_MS
    spans = [
        Window(start_ms + 50, start_ms + 70),
        Window(start_ms - 9, start_ms + 4),
        Window(start_ms + 60, start_ms + 99),
    ]
    assert find_parts(Revisions(*spans, _7=2), WINDOW, moved_ms=0, kept_change=3) == [
        Window(start_ms, start_ms + 4),
        Window(start_ms + 50, start_ms + 99),
    ]
    assert find_parts(Revisions(*spans, _7=2), WINDOW, moved_ms=0, kept_change=5) == []
    whole_day = Window(start_ms, start_ms + DAY_MS - 1)
    assert find_parts(Revisions(*spans, _7=2), WINDOW, moved_ms=0, kept_change=2) == [whole_day]


def test_edges_on_days_without_events_are_not_read() -> None:
    assert find_parts(Revisions(_0=0), WINDOW, moved_ms=5) == [Window(WINDOW.until_ms + 1, WINDOW.until_ms + 5)]


def test_a_window_that_moved_back_or_far_is_read_as_a_whole() -> None:
    assert find_parts(Revisions(), WINDOW, moved_ms=-1) is None
    assert find_parts(Revisions(), WINDOW, moved_ms=10 * DAY_MS) is None
    assert find_parts(Revisions(), WINDOW, moved_ms=40 * DAY_MS) is None
