"""What to read of the events to move from some windows to later ones, instead of all that the later ones have."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from tallyroom.core.times import DAY_MS
from tallyroom.queries.kept_answers.revisions import DayRevisions, Days
from tallyroom.queries.window import Window

_MAX_CHANGED_SPANS = 60
_MIN_SAVED = 4  # with more than this fraction of the time to read again, everything is read


def find_parts_to_read(
    revisions: DayRevisions,
    kept_number_by_day: Mapping[int, int],
    kept_change: int,
    windows: Sequence[Window],
    later_windows: Sequence[Window],
) -> list[Window] | None:
    """Return the times to read, in order and disjoint: what left a window, what came to one, and what has changed.

    `kept_number_by_day` has the numbers of `DayRevisions.list_numbers` for the days from the first to the last of the
    windows, and `kept_change` is the last change of the parts when they were read. Each of the times is completely
    inside or outside each of the windows. None means that reading everything costs about as much, or that a window has
    moved back.
    """
    if not _have_moved_on(windows, later_windows):
        return None
    number_by_day = revisions.list_numbers(find_days(later_windows))
    changed_days = [day for day, number in number_by_day.items() if kept_number_by_day.get(day) != number]
    changed_spans = _find_changed_spans(revisions, kept_change, changed_days)
    parts = [
        part
        for part in _list_edge_parts(windows, later_windows, changed_spans)
        if revisions.has_events(Days.of_window(part))
    ]
    return None if _MIN_SAVED * _total_ms(parts) > _total_ms(later_windows) else parts


def find_days(windows: Sequence[Window]) -> Days:
    """Return the days from the first to the last of some windows."""
    return Days.of_window(Window(windows[0].from_ms, windows[-1].until_ms))


def _find_changed_spans(revisions: DayRevisions, kept_change: int, changed_days: Iterable[int]) -> list[Window]:
    """Return the times of changed days in which events may have come since a change of the parts."""
    days = [Window(day * DAY_MS, (day + 1) * DAY_MS - 1) for day in changed_days]
    spans = revisions.part_changes.list_spans(kept_change)
    if spans is None:
        return days
    changed_spans = [intersect(day, span) for day in days for span in _unite(spans)]
    return changed_spans if len(changed_spans) <= _MAX_CHANGED_SPANS else days


def _unite(spans: Iterable[Window]) -> list[Window]:
    """Return the time that is in some spans, in order and disjoint."""
    united: list[Window] = []
    for span in sorted(spans, key=lambda span: span.from_ms):
        if united and span.from_ms <= united[-1].until_ms + 1:
            united[-1] = Window(united[-1].from_ms, max(united[-1].until_ms, span.until_ms))
        else:
            united.append(span)
    return united


def _have_moved_on(windows: Sequence[Window], later_windows: Sequence[Window]) -> bool:
    """Return whether each window overlaps a later one, which begins and ends no earlier."""
    return len(windows) == len(later_windows) and all(
        window.from_ms <= later.from_ms <= window.until_ms <= later.until_ms
        for window, later in zip(windows, later_windows, strict=True)
    )


def _list_edge_parts(
    windows: Sequence[Window], later_windows: Sequence[Window], changed_spans: Sequence[Window]
) -> list[Window]:
    spans: list[Window] = []
    for window, later in zip(windows, later_windows, strict=True):
        spans.append(Window(window.from_ms, later.from_ms - 1))
        spans.append(Window(window.until_ms + 1, later.until_ms))
        spans += [intersect(changed_span, later) for changed_span in changed_spans]
    spans = [span for span in spans if span.from_ms <= span.until_ms]
    cuts_ms = {moment_ms for span in spans for moment_ms in (span.from_ms, span.until_ms + 1)}
    for window in (*windows, *later_windows):
        cuts_ms |= {window.from_ms, window.until_ms + 1}
    parts = [Window(start_ms, end_ms - 1) for start_ms, end_ms in pairwise(sorted(cuts_ms))]
    return [part for part in parts if any(contains(span, part) for span in spans)]


def intersect(one: Window, other: Window) -> Window:
    """Return the time that is in both windows; its end is before its start if there is none."""
    return Window(max(one.from_ms, other.from_ms), min(one.until_ms, other.until_ms))


def contains(window: Window, part: Window) -> bool:
    """Return whether all of a part is inside a window."""
    return window.from_ms <= part.from_ms and part.until_ms <= window.until_ms


def _total_ms(windows: Iterable[Window]) -> int:
    """Return the length of disjoint windows."""
    return sum(window.until_ms - window.from_ms + 1 for window in windows)
