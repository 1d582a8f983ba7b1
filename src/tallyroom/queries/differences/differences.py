"""What is different about the events behind a number (rules/questions#differences)."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec
from msgspec import UNSET

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.notices import Notices
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.differences.compared_properties import query_compared_properties
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.differences.usual_band import UsualBand
from tallyroom.queries.differences.value_codes import ValueCodes, build_value_codes
from tallyroom.queries.differences.value_counts import ValueCount, query_labels, query_value_counts
from tallyroom.queries.filters import Filter
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.units import UnitKind

ComparedBy = Literal["events", "actors"]


class DifferenceRequest(NamedTuple):
    """Which number, what to compare, and how many differences to return at most; `by` None is the kind's default."""

    data_point: DataPoint
    by: ComparedBy | None
    limit: int


class Difference(msgspec.Struct, frozen=True):
    """A value that is more or less frequent behind the number than among all.

    `count` of the events or units behind the number have it, which is the part `share` of those that have any value of
    the key; `everybody` is the same part of all, and `lift` is `share` divided by it. `filter` selects the value.
    """

    key: str
    value: str
    count: int
    share: float
    everybody: float
    lift: float
    filter: Filter


class Differences(msgspec.Struct):
    """How many `events` are behind the number, `of` how many, and what is different about them, greatest first.

    If actors or groups are compared, as `unit` says, these are counted instead. `usual` is where the number usually is
    at this time of the week; null if it is not of an hour or a day, or if there is too little history.
    """

    unit: Literal["event"] | UnitKind
    events: int
    of: int
    properties: list[Difference]
    usual: UsualBand | None = None
    notices: Notices = UNSET


def query_differences(contrast: Contrast, by: ComparedBy | None, limit: int) -> QueryPlan[Differences]:
    """Compare the events of a contrast, or its units; raise `ValidationFailed` if it has only units to compare."""
    if contrast.compares_only_units and by == "events":
        raise ValidationFailed.at(["by"], "must be actors for this answer, which counts actors or groups")
    by_units = contrast.compares_only_units or by == "actors"
    properties = yield from query_compared_properties(contrast)
    contrast = contrast.narrow_to_label(properties.names_by_map)
    value_codes = build_value_codes(contrast, properties)
    value_counts = yield from query_value_counts(contrast, value_codes, by_units=by_units)
    shown_counts = _cut(value_counts.differing, limit)
    codes = [value_count.code for value_count in shown_counts]
    label_by_code = yield from query_labels(contrast, value_codes, codes, by_units=by_units)
    differences = _build_differences(value_codes, shown_counts, label_by_code)
    return Differences(
        unit=contrast.unit.kind if by_units else "event",
        events=value_counts.behind_count,
        of=value_counts.total_count,
        properties=differences[:limit],
    )


def _cut(value_counts: Sequence[ValueCount], limit: int) -> Sequence[ValueCount]:
    """Return the first values, and all that differ as much as the last one: their labels decide the order."""
    if len(value_counts) <= limit:
        return value_counts
    least_excess = abs(value_counts[limit - 1].sample.excess)
    return [value_count for value_count in value_counts if abs(value_count.sample.excess) >= least_excess]


def _build_differences(
    value_codes: ValueCodes, value_counts: Sequence[ValueCount], label_by_code: Mapping[int, str]
) -> list[Difference]:
    """Return the differences in their order: by how much the number of events differs, then by key and value."""
    excesses_and_differences = []
    for value_count in value_counts:
        if (label := label_by_code.get(value_count.code)) is None:
            continue  # its events were erased or hidden a moment ago
        key, sample = value_codes.find_key(value_count.code), value_count.sample
        difference = Difference(
            key=key,
            value=label,
            count=sample.hit_count,
            share=sample.share,
            everybody=sample.everybody,
            lift=sample.lift,
            filter=Filter(key=key, op="eq", value=label),
        )
        excesses_and_differences.append((abs(sample.excess), difference))
    excesses_and_differences.sort(key=lambda pair: (-pair[0], pair[1].key, pair[1].value.encode()))
    return [difference for _, difference in excesses_and_differences]
