"""The answers of the kinds that measure: as one number, over time, by a breakdown, or both (rules/questions#metric)."""

from collections.abc import Collection

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.engine.breakdown import Row
from tallyroom.engine.buckets import Interval, Point
from tallyroom.engine.config import Result
from tallyroom.engine.keys import PROPERTY_PREFIX
from tallyroom.engine.kind import MASK
from tallyroom.engine.values import Value

MAX_LABELS = 50
_NOT_PUBLIC = frozenset({"_actor", "_actorLabel", "_source"})


class Counter(Result, tag="counter", kw_only=True):
    """A number; `previous` is that of the window before, `delta` the change as a fraction."""

    value: Value
    previous: Value
    delta: float | None


class Timeseries(Result, tag="timeseries", kw_only=True):
    """Every bucket of the window; `compared` has those of the window that it is compared with."""

    interval: Interval
    points: list[Point]
    compared: list[Point] | UnsetType = UNSET


class Categorical(Result, tag="categorical", kw_only=True):
    """The labels of highest value, from the highest on."""

    rows: list[Row]


class Series(msgspec.Struct):
    """Every bucket of the window, for one label; `compared` has those of the window that it is compared with."""

    label: str
    points: list[Point]
    compared: list[Point] | UnsetType = UNSET


class Multiseries(Result, tag="multiseries", kw_only=True):
    """The labels of highest value in the whole window, from the highest on."""

    interval: Interval
    series: list[Series]


def masked(breakdown: str | None, result: Result, group_keys: Collection[str]) -> Result:
    """Replace labels that are actors, groups or sources by ``••• 1``, ``••• 2``… in their order.

    Args:
        breakdown: the key whose values are the labels.
        result: the answer.
        group_keys: the property keys whose values are groups.
    """
    key = breakdown or ""
    if key not in _NOT_PUBLIC and key.removeprefix(PROPERTY_PREFIX) not in group_keys:
        return result
    if isinstance(result, Categorical):
        rows = [Row(f"{MASK} {number}", row.value) for number, row in enumerate(result.rows, 1)]
        return Categorical(computed_at=result.computed_at, rows=rows)
    if isinstance(result, Multiseries):
        series = [
            msgspec.structs.replace(each, label=f"{MASK} {number}") for number, each in enumerate(result.series, 1)
        ]
        return Multiseries(computed_at=result.computed_at, interval=result.interval, series=series)
    return result
