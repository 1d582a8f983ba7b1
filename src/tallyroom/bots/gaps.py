"""Where a metric was not fed for long, and a picture shows no line (rules/pictures#bot-pictures)."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from tallyroom.bots.counters import SOURCES, Metric
from tallyroom.bots.series import Grid, MetricHistory, MetricPoint, points
from tallyroom.core.times import DAY_MS

_LONG = 3  # times the usual distance between feeds
_FEWEST_BUCKETS = 2
_USUAL = 0.75  # this share of the distances is no longer than the usual one
_FEWEST_DISTANCES = 4  # that tell how often a bot is fed; one with fewer is taken for one that is fed once a day


class Line(NamedTuple):
    """A metric as a picture has it, in ms since 1970 UTC.

    Attributes:
        points: as `series.points`, without those that are carried through a gap.
        starts: the moments of points behind a gap.
        span: from the first moment of which anything is known to the last, gaps included; None when nothing is known.
    """

    points: list[MetricPoint]
    starts: list[int]
    span: tuple[int, int] | None


def line(history: MetricHistory, metric: Metric, grid: Grid) -> Line:
    """The line of a metric, interrupted where it was not fed for long, and ended where it is not fed any more.

    That is more than three times as long as three out of four distances between its feeds are, and more than two
    buckets. Votes that were received count at every moment, so that days without votes are no gap.
    """
    known = points(history, metric, grid)
    if not known:
        return Line([], [], None)
    span = (known[0][0], known[-1][0])
    fed = _fed(history, grid)
    if not fed:
        return Line(known, [], span)
    long_ms = _long_ms(fed, grid)
    ends = [*fed[1:], grid.last_ms]
    silent = [(begin, end) for begin, end in zip(fed, ends, strict=True) if end - begin > long_ms]
    gaps = [gap for gap in silent if not _counts_votes(history, until_ms=gap[1])]
    has_ended = bool(gaps) and gaps[-1][0] == fed[-1]
    told = _outside(known, gaps, last_ms=fed[-1] if has_ended else grid.last_ms)
    first_ms = told[0][0] if told else grid.last_ms
    return Line(told, [end for _, end in gaps if first_ms < end <= fed[-1]], span)


def _counts_votes(history: MetricHistory, until_ms: int) -> bool:
    """Whether received votes make the metric at the end of a silence; then it was never silent."""
    chosen = [value for at_ms, value in history.sources if at_ms <= until_ms]
    return bool(chosen) and SOURCES[chosen[-1]] == "votes"


def _fed(history: MetricHistory, grid: Grid) -> list[int]:
    """Where the buckets begin in which something was fed, and the last one of those before the first bucket."""
    buckets = list(dict.fromkeys(at_ms // grid.step_ms * grid.step_ms for at_ms, _ in history.sent))
    before = sum(bucket_ms < grid.first_ms for bucket_ms in buckets)
    return buckets[max(before - 1, 0) :]


def _long_ms(fed: Sequence[int], grid: Grid) -> int:
    """The longest distance between feeds that is no gap."""
    distances = sorted(following - bucket for bucket, following in pairwise(fed))
    usual = distances[ceil(len(distances) * _USUAL) - 1] if distances else 0
    if len(distances) < _FEWEST_DISTANCES:
        usual = max(usual, DAY_MS)
    return max(_LONG * usual, _FEWEST_BUCKETS * grid.step_ms)


def _outside(known: Sequence[MetricPoint], gaps: Sequence[tuple[int, int]], last_ms: int) -> list[MetricPoint]:
    """The points that are in no gap, up to a moment."""
    begins = [begin for begin, _ in gaps]

    def is_in_gap(at_ms: int) -> bool:
        before = bisect_left(begins, at_ms)
        return before > 0 and at_ms < gaps[before - 1][1]

    return [point for point in known if point[0] <= last_ms and not is_in_gap(point[0])]
