"""The answers of the kinds that measure: a number, over time, by a breakdown, or both (rules/questions#metric)."""

from collections.abc import Collection, Iterable
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.queries.breakdown import LabelRow, RestKind
from tallyroom.queries.buckets import Interval, TimePoint
from tallyroom.queries.config import Result
from tallyroom.queries.masking import is_masked, mask_entries
from tallyroom.queries.values import Value

MAX_LABELS = 50


class Counter(Result, tag="counter", kw_only=True):
    """A number; `previous` is the number for the previous window, and `delta` is the change as a fraction."""

    value: Value
    previous: Value
    delta: float | None


class Timeseries(Result, tag="timeseries", kw_only=True):
    """Every bucket of the window; `compared` has the buckets of the window it is compared with.

    `total` and `comparedTotal` are the measure over each whole window, if it is known (rules/questions#total).
    """

    interval: Interval
    points: list[TimePoint]
    compared: list[TimePoint] | UnsetType = UNSET
    total: Value | UnsetType = UNSET
    compared_total: Value | UnsetType = UNSET


class Categorical(Result, tag="categorical", kw_only=True):
    """The labels with the highest values, highest first, and then the rest."""

    rows: list[LabelRow]


class Series(msgspec.Struct, rename="camel"):
    """The timeseries of one label; for a series of the rest, whose label is null, `kind` names it.

    Answers for the public have the `color` of the label, 1 to 8, except for the series of other labels.
    """

    label: str | None
    points: list[TimePoint]
    compared: list[TimePoint] | UnsetType = UNSET
    kind: RestKind | UnsetType = UNSET
    total: Value | UnsetType = UNSET
    compared_total: Value | UnsetType = UNSET
    color: int | UnsetType = UNSET


class Multiseries(Result, tag="multiseries", kw_only=True):
    """The labels with the highest values in the whole window, highest first, and then the rest."""

    interval: Interval
    series: list[Series]


MetricAnswer = Counter | Timeseries | Categorical | Multiseries


def is_empty(result: MetricAnswer) -> bool:
    """Return whether all numbers of the answer are 0 or missing."""
    match result:
        case Counter():
            return not result.value
        case Timeseries():
            return _are_empty(result.points)
        case Categorical():
            return not any(row.value for row in result.rows)
        case Multiseries():
            return all(_are_empty(series.points) for series in result.series)


def _are_empty(points: Iterable[TimePoint]) -> bool:
    return not any(point.value for point in points)


def mask_labels(config: Any, result: Result, group_keys: Collection[str]) -> Result:
    """Replace labels that are actors, groups or sources by ``••• 1`` and so on."""
    if not is_masked(config.breakdown, group_keys):
        return result
    if isinstance(result, Categorical):
        return msgspec.structs.replace(result, rows=mask_entries(result.rows))
    if isinstance(result, Multiseries):
        return msgspec.structs.replace(result, series=mask_entries(result.series))
    return result
