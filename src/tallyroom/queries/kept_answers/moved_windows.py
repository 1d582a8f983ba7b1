"""What to read of the events to move from some windows to later ones."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from tallyroom.queries.window import Window


def have_moved_on(windows: Sequence[Window], later_windows: Sequence[Window]) -> bool:
    """Return whether each window overlaps a later one, which begins and ends no earlier."""
    return len(windows) == len(later_windows) and all(
        window.from_ms <= later.from_ms <= window.until_ms <= later.until_ms
        for window, later in zip(windows, later_windows, strict=True)
    )


def list_edge_parts(
    windows: Sequence[Window], later_windows: Sequence[Window], changed_spans: Sequence[Window]
) -> list[Window]:
    """Return the times to read, in order and disjoint: each is completely inside or outside each of the windows.

    They are what left a window, what came to one, and what has changed in a later one.
    """
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


def total_ms(windows: Iterable[Window]) -> int:
    """Return the length of disjoint windows."""
    return sum(window.until_ms - window.from_ms + 1 for window in windows)
