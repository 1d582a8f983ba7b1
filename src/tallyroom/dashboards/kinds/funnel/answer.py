"""The answer of a funnel, and what the public sees of it (rules/questions#funnel)."""

from collections.abc import Collection, Sequence
from itertools import pairwise

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.queries.config import Result
from tallyroom.queries.event_choice import event_title
from tallyroom.queries.masking import is_masked, mask_entries
from tallyroom.queries.units import UnitKind
from tallyroom.queries.values import Bucket

BUCKETS = 20
"""How many buckets the times of a step have."""


class FunnelStep(msgspec.Struct, kw_only=True, rename="camel"):
    """How far a funnel got.

    Attributes:
        event: of the step.
        count: units that reached it.
        rate: fraction of those that reached the first step; 0 when nobody did.
        step_rate: fraction of those that reached the step before, 0 when nobody did; 1 for the first step.
        median_seconds_from_previous: half of the units took less from the step before, the first time that they came
            here; None for the first step and where nobody came.
        times: how many of the units took how many seconds, if that was asked for; not for the first step.
    """

    event: str
    count: int
    rate: float
    step_rate: float
    median_seconds_from_previous: float | None
    times: list[Bucket] | UnsetType = UNSET


class FunnelSeries(msgspec.Struct):
    """The funnel of those who began with an event that has the label."""

    label: str
    steps: list[FunnelStep]


class Funnel(Result, tag="funnel", kw_only=True):
    """The steps; `count` is what was really counted, and `series` is there if a breakdown was asked for."""

    count: UnitKind
    steps: list[FunnelStep]
    series: list[FunnelSeries] | UnsetType = UNSET


class FunnelRow(msgspec.Struct):
    """What the store found out about one series.

    Attributes:
        units: how many reached each step.
        medians: milliseconds from the step before, for the second step and on.
        undecided: whether the order of arrival could change the answer.
        series: number of the label, from 1; 0 for the whole.
        least: the shortest time in milliseconds, for the second step and on; 0 if nobody came.
        greatest: the longest time.
        slots: how many took how long, in `BUCKETS` slots from the shortest to the longest time.
    """

    units: list[int]
    medians: list[float | None]
    undecided: int
    series: int = 0
    least: list[int] = []
    greatest: list[int] = []
    slots: list[list[int]] = []


def public_form(config: FunnelConfig, result: Funnel, group_keys: Collection[str]) -> Funnel:
    """Replace the labels of series that are actors, groups or sources."""
    if result.series is UNSET or not is_masked(config.breakdown, group_keys):
        return result
    series = mask_entries(result.series)
    return msgspec.structs.replace(result, series=series)


def is_empty(result: Funnel) -> bool:
    """Return True if nobody reached the first step."""
    return not result.steps[0].count


def build_steps(config: FunnelConfig, row: FunnelRow) -> list[FunnelStep]:
    """Return the steps as answers show them."""
    step_rates = [1.0, *(_fraction(units, previous_units) for previous_units, units in pairwise(row.units))]
    medians = [None, *(median and median / 1000 for median in row.medians)]
    times = [UNSET, *(_build_times(row) if config.times else [UNSET for _ in config.steps[1:]])]
    return [
        FunnelStep(
            event=event_title(step),
            count=units,
            rate=_fraction(units, row.units[0]),
            step_rate=step_rate,
            median_seconds_from_previous=median,
            times=buckets,
        )
        for step, units, step_rate, median, buckets in zip(
            config.steps, row.units, step_rates, medians, times, strict=True
        )
    ]


def _build_times(row: FunnelRow) -> list[list[Bucket]]:
    step_times = zip(row.units[1:], row.least, row.greatest, row.slots, strict=True)
    return [_build_buckets(min_ms, max_ms, slots) if units else [] for units, min_ms, max_ms, slots in step_times]


def _build_buckets(min_ms: int, max_ms: int, slots: Sequence[int]) -> list[Bucket]:
    """Return buckets in seconds from two times in milliseconds; one if they are the same."""
    if min_ms == max_ms:
        return [Bucket(min_ms / 1000, max_ms / 1000, sum(slots))]
    edges = [(min_ms * (BUCKETS - slot) + max_ms * slot) / (1000 * BUCKETS) for slot in range(BUCKETS + 1)]
    return [Bucket(start, end, count) for (start, end), count in zip(pairwise(edges), slots, strict=True)]


def _fraction(count: int, total: int) -> float:
    return count / total if total else 0.0
