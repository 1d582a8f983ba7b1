"""The answer of a funnel, and what the public sees of it (rules/questions#funnel)."""

from collections.abc import Collection, Sequence
from itertools import pairwise

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.core.value_colors import assign_colors
from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.queries.config import Result
from tallyroom.queries.event_choice import event_title
from tallyroom.queries.label_colors import chosen_colors_of
from tallyroom.queries.masking import is_masked, mask_entries
from tallyroom.queries.units import UnitKind
from tallyroom.queries.values import Bucket

BUCKET_COUNT = 20  # for the times of a step


class FunnelStep(msgspec.Struct, kw_only=True, rename="camel"):
    """How many units reached a step.

    `rate` is the fraction of the units that reached the first step, and `stepRate` of the units that reached the
    previous step; both are 0 if there are none, and `stepRate` of the first step is 1. `waiting` is how many of the
    units did not reach the next step but still had time for it at the end of the time range.
    `medianSecondsFromPrevious` is null for the first step and if no unit reached the step. `times` is present if
    requested, except for the first step: how many units took how many seconds.
    """

    event: str
    count: int
    rate: float
    step_rate: float
    waiting: int
    median_seconds_from_previous: float | None
    times: list[Bucket] | UnsetType = UNSET


class FunnelSeries(msgspec.Struct):
    """The funnel of the units whose first event has the label. Answers for the public have its `color`, 1 to 8."""

    label: str
    steps: list[FunnelStep]
    color: int | UnsetType = UNSET


class Funnel(Result, tag="funnel", kw_only=True):
    """The steps; `count` is the unit that was counted, and `series` is present with a breakdown."""

    unit_kind: UnitKind = msgspec.field(name="count")
    steps: list[FunnelStep]
    series: list[FunnelSeries] | UnsetType = UNSET


class FunnelRow(msgspec.Struct):
    """One series as the store returns it; times are milliseconds from the previous step, for later steps only.

    `waiting_counts` are of all steps but the last. `undecided_count` is how many units might reach another step with
    another order of arrival. `series_number` is that of the label, from 1; 0 for the total. `shortest_ms` is 0 if no
    unit reached the step. `slot_counts` has the units by time, in `BUCKET_COUNT` slots from the shortest to the longest
    time.
    """

    unit_counts: list[int] = msgspec.field(name="units")
    medians_ms: list[float | None] = msgspec.field(name="medians")
    waiting_counts: list[int] = msgspec.field(name="waiting")
    undecided_count: int = msgspec.field(name="undecided")
    series_number: int = msgspec.field(default=0, name="series")
    shortest_ms: list[int] = msgspec.field(default_factory=list, name="least")
    longest_ms: list[int] = msgspec.field(default_factory=list, name="greatest")
    slot_counts: list[list[int]] = msgspec.field(default_factory=list, name="slots")


def build_public_result(config: FunnelConfig, result: Funnel, group_keys: Collection[str]) -> Funnel:
    """Give each series the color of its label, and replace labels that are actors, groups or sources."""
    if result.series is UNSET:
        return result
    colors = assign_colors([part.label for part in result.series], chosen_colors_of(config))
    series = [msgspec.structs.replace(part, color=colors[part.label]) for part in result.series]
    return msgspec.structs.replace(
        result, series=mask_entries(series) if is_masked(config.breakdown, group_keys) else series
    )


def is_empty(result: Funnel) -> bool:
    """Return True if no unit reached the first step."""
    return not result.steps[0].count


def build_steps(config: FunnelConfig, row: FunnelRow) -> list[FunnelStep]:
    """Return the steps in the shape of an answer."""
    step_rates = [
        1.0,
        *(_fraction(unit_count, previous_unit_count) for previous_unit_count, unit_count in pairwise(row.unit_counts)),
    ]
    waiting_counts = [*row.waiting_counts, 0]
    median_seconds = [None, *(seconds and seconds / 1000 for seconds in row.medians_ms)]
    time_buckets = [UNSET, *(_build_time_buckets(row) if config.times else [UNSET for _ in config.steps[1:]])]
    return [
        FunnelStep(
            event=event_title(step),
            count=unit_count,
            rate=_fraction(unit_count, row.unit_counts[0]),
            step_rate=step_rate,
            waiting=waiting_count,
            median_seconds_from_previous=seconds,
            times=buckets,
        )
        for step, unit_count, step_rate, waiting_count, seconds, buckets in zip(
            config.steps, row.unit_counts, step_rates, waiting_counts, median_seconds, time_buckets, strict=True
        )
    ]


def _build_time_buckets(row: FunnelRow) -> list[list[Bucket]]:
    step_times = zip(row.unit_counts[1:], row.shortest_ms, row.longest_ms, row.slot_counts, strict=True)
    return [
        _build_buckets(min_ms, max_ms, slot_counts) if unit_count else []
        for unit_count, min_ms, max_ms, slot_counts in step_times
    ]


def _build_buckets(min_ms: int, max_ms: int, slot_counts: Sequence[int]) -> list[Bucket]:
    """Return buckets in seconds from two times in milliseconds; one if they are the same."""
    if min_ms == max_ms:
        return [Bucket(min_ms / 1000, max_ms / 1000, sum(slot_counts))]
    edges = [
        (min_ms * (BUCKET_COUNT - slot) + max_ms * slot) / (1000 * BUCKET_COUNT) for slot in range(BUCKET_COUNT + 1)
    ]
    return [Bucket(start, end, count) for (start, end), count in zip(pairwise(edges), slot_counts, strict=True)]


def _fraction(count: int, total: int) -> float:
    return count / total if total else 0.0
