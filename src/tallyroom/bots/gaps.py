"""Gaps: times without feeds that are so long that a picture shows no line (rules/pictures#bot-pictures)."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from tallyroom.bots.counters import SOURCES, Metric
from tallyroom.bots.series import Grid, MetricHistory, MetricPoint, points
from tallyroom.core.times import DAY_MS

_LONG = 3  # times the usual distance between feeds
_MIN_BUCKETS = 2
_USUAL = 0.75  # this share of the distances is no longer than the usual one
_MIN_DISTANCES = 4  # needed to tell how often a bot is fed; with fewer, it is assumed to be fed at least daily


class Line(NamedTuple):
    """The line of a metric in a picture; times in ms since 1970 UTC.

    Attributes:
        points: as from `series.points`, without points that are carried through a gap.
        starts: the moments of the first points after each gap.
        time_range: the first and the last moment at which anything is known, including gaps; None if nothing is known.
    """

    points: list[MetricPoint]
    starts: list[int]
    time_range: tuple[int, int] | None


def line(history: MetricHistory, metric: Metric, grid: Grid) -> Line:
    """Return the line of a metric, interrupted where it was not fed for long, and ended where feeding stopped.

    "For long" means more than two buckets and more than three times the usual distance; three out of four distances
    between feeds are no longer than the usual one. Received votes count at every moment, so days without votes are not
    gaps.
    """
    all_points = points(history, metric, grid)
    if not all_points:
        return Line([], [], None)
    time_range = (all_points[0][0], all_points[-1][0])
    feeds = _feeds(history, grid)
    if not feeds:
        return Line(all_points, [], time_range)
    long_ms = _long_ms(feeds, grid)
    ends = [*feeds[1:], grid.last_ms]
    silent = [(begin, end) for begin, end in zip(feeds, ends, strict=True) if end - begin > long_ms]
    gaps = [gap for gap in silent if not _counts_votes(history, until_ms=gap[1])]
    has_ended = bool(gaps) and gaps[-1][0] == feeds[-1]
    line_points = _outside(all_points, gaps, last_ms=feeds[-1] if has_ended else grid.last_ms)
    first_ms = line_points[0][0] if line_points else grid.last_ms
    return Line(line_points, [end for _, end in gaps if first_ms < end <= feeds[-1]], time_range)


def _counts_votes(history: MetricHistory, until_ms: int) -> bool:
    """Return True if received votes make up the metric at the end of a silence, which is then not a gap."""
    sources = [value for at_ms, value in history.sources if at_ms <= until_ms]
    return bool(sources) and SOURCES[sources[-1]] == "votes"


def _feeds(history: MetricHistory, grid: Grid) -> list[int]:
    """Return the start of each bucket in which something was fed, and of the last such bucket before the grid."""
    buckets = list(dict.fromkeys(at_ms // grid.step_ms * grid.step_ms for at_ms, _ in history.counters))
    before = sum(bucket_ms < grid.first_ms for bucket_ms in buckets)
    return buckets[max(before - 1, 0) :]


def _long_ms(feeds: Sequence[int], grid: Grid) -> int:
    """Return the longest distance between feeds that is not a gap."""
    distances = sorted(following - bucket for bucket, following in pairwise(feeds))
    usual = distances[ceil(len(distances) * _USUAL) - 1] if distances else 0
    if len(distances) < _MIN_DISTANCES:
        usual = max(usual, DAY_MS)
    return max(_LONG * usual, _MIN_BUCKETS * grid.step_ms)


def _outside(all_points: Sequence[MetricPoint], gaps: Sequence[tuple[int, int]], last_ms: int) -> list[MetricPoint]:
    """Return the points up to a moment that are not in a gap."""
    begins = [begin for begin, _ in gaps]

    def is_in_gap(at_ms: int) -> bool:
        before = bisect_left(begins, at_ms)
        return before > 0 and at_ms < gaps[before - 1][1]

    return [point for point in all_points if point[0] <= last_ms and not is_in_gap(point[0])]
