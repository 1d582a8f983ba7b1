"""Gaps: times without feeds that are so long that a picture shows no line (rules/pictures#bot-pictures)."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from tallyroom.bots.counters import SOURCES, Metric
from tallyroom.bots.series import MetricHistory, MetricPoint, TimeGrid, build_points
from tallyroom.core.times import DAY_MS

_LONG_FACTOR = 3  # times the usual distance between feeds
_MIN_BUCKETS = 2
_USUAL_QUANTILE = 0.75  # this share of the distances is no longer than the usual one
_MIN_DISTANCES = 4  # needed to tell how often a bot is fed; with fewer, it is assumed to be fed at least daily


class MetricLine(NamedTuple):
    """The line of a metric in a picture; times in ms since 1970 UTC.

    `restart_times_ms` has the first point after each gap. `time_range` is from the first moment of the time frame, or
    of the data if it has none, to the last one; None if no value is known.
    """

    points: list[MetricPoint]
    restart_times_ms: list[int]
    time_range: tuple[int, int] | None


def build_line(history: MetricHistory, metric: Metric, grid: TimeGrid) -> MetricLine:
    """Return the line of a metric, with a gap after each long time without feeds, and ended where feeding stopped.

    "Long" is more than two buckets and more than three times the usual distance, which three out of four distances do
    not exceed. Received votes count at every moment, so days without votes are not gaps.
    """
    all_points = build_points(history, metric, grid)
    if not all_points:
        return MetricLine([], [], None)
    start_ms = all_points[0][0] if grid.bucket_count is None else grid.first_bucket_ms
    time_range = (start_ms, all_points[-1][0])
    feed_times_ms = _list_feed_times_ms(history, grid)
    if not feed_times_ms:
        return MetricLine(all_points, [], time_range)
    max_pause_ms = _find_max_pause_ms(feed_times_ms, grid)
    gaps = [
        (start, end)
        for start, end in pairwise([*feed_times_ms, grid.last_bucket_ms])
        if end - start > max_pause_ms and not _is_from_votes(history, until_ms=end)
    ]
    is_feeding_over = bool(gaps) and gaps[-1][0] == feed_times_ms[-1]
    last_ms = feed_times_ms[-1] if is_feeding_over else grid.last_bucket_ms
    line_points = _list_points_outside_gaps(all_points, gaps, last_ms)
    first_ms = line_points[0][0] if line_points else grid.last_bucket_ms
    return MetricLine(line_points, [end for _, end in gaps if first_ms < end <= feed_times_ms[-1]], time_range)


def _is_from_votes(history: MetricHistory, until_ms: int) -> bool:
    """Return True if received votes make up the metric at the end of a silence, which is then not a gap."""
    source_indexes = [value for time_ms, value in history.sources if time_ms <= until_ms]
    return bool(source_indexes) and SOURCES[source_indexes[-1]] == "votes"


def _list_feed_times_ms(history: MetricHistory, grid: TimeGrid) -> list[int]:
    """Return the start of each bucket in which something was fed, and of the last such bucket before the grid."""
    bucket_starts_ms = list(dict.fromkeys(time_ms // grid.step_ms * grid.step_ms for time_ms, _ in history.counters))
    earlier_count = sum(bucket_ms < grid.first_bucket_ms for bucket_ms in bucket_starts_ms)
    return bucket_starts_ms[max(earlier_count - 1, 0) :]


def _find_max_pause_ms(feed_times_ms: Sequence[int], grid: TimeGrid) -> int:
    """Return the longest distance between feeds that is not a gap."""
    distances_ms = sorted(next_feed_ms - feed_ms for feed_ms, next_feed_ms in pairwise(feed_times_ms))
    usual_distance_ms = distances_ms[ceil(len(distances_ms) * _USUAL_QUANTILE) - 1] if distances_ms else 0
    if len(distances_ms) < _MIN_DISTANCES:
        usual_distance_ms = max(usual_distance_ms, DAY_MS)
    return max(_LONG_FACTOR * usual_distance_ms, _MIN_BUCKETS * grid.step_ms)


def _list_points_outside_gaps(
    all_points: Sequence[MetricPoint], gaps: Sequence[tuple[int, int]], last_ms: int
) -> list[MetricPoint]:
    """Return the points up to a moment that are not in a gap."""
    gap_starts_ms = [start for start, _ in gaps]

    def is_in_gap(time_ms: int) -> bool:
        gap_count = bisect_left(gap_starts_ms, time_ms)
        return gap_count > 0 and time_ms < gaps[gap_count - 1][1]

    return [point for point in all_points if point[0] <= last_ms and not is_in_gap(point[0])]
