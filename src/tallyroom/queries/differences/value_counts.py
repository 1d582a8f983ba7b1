"""The values that are more or less frequent behind a number, counted in the store (rules/questions#differences)."""

from collections.abc import Sequence

import msgspec

from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.differences.significance import Sample, is_significant
from tallyroom.queries.differences.value_codes import KEY_MASK, NAME_NUMBER, NO_KEY_NUMBER, ValueCodes
from tallyroom.queries.query_plan import (
    QueryPlan,
    pause_after,
    query_many_groups,
    query_rows,
    scoped_where,
    to_subquery,
)

MIN_COUNT = 5  # of events or units behind the number
MIN_DEVIATIONS = 2  # standard deviations; closer to what is expected, no result is improbable enough
MAX_PROBABILITY = 0.001  # that chance explains one of all values

_MAX_CANDIDATES = 1_000  # of a key

_EXPECTED_SQL = "drawn_count * marked_count / total_count"
_VARIANCE_SQL = f"{_EXPECTED_SQL} * (1 - marked_count / total_count) * (1 - drawn_count / total_count)"
_MAY_DIFFER_SQL = (
    "(4 * hit_count * total_count >= 5 * drawn_count * marked_count"
    " OR 5 * hit_count * total_count <= 4 * drawn_count * marked_count)"
    f" AND pow(hit_count - {_EXPECTED_SQL}, 2) > {MIN_DEVIATIONS**2} * {_VARIANCE_SQL}"
)


class ValueCount(msgspec.Struct, frozen=True):
    """A value by its code, and how often it occurs."""

    code: int
    sample: Sample


class ValueCounts(msgspec.Struct, frozen=True):
    """How many events or units there are in all and behind the number, and the values that differ, greatest first."""

    total_count: int
    behind_count: int
    differing: list[ValueCount]


class _KeyRow(msgspec.Struct):
    key_number: int
    total_count: int
    drawn_count: int
    value_count: int
    candidates: list[tuple[int, int, int]]  # code, hit and marked count


class _LabelRow(msgspec.Struct):
    code: int
    label: str


def query_value_counts(contrast: Contrast, value_codes: ValueCodes, *, by_units: bool) -> QueryPlan[ValueCounts]:
    """Count all values, and find those that differ by more than chance explains."""
    counts_sql = (_build_unit_counts_sql if by_units else _build_event_counts_sql)(contrast, value_codes)
    sql = _build_keys_sql(counts_sql, by_units=by_units)
    answer_rows = yield from query_many_groups(sql, contrast.parameters, _KeyRow)
    key_rows = [row for row in answer_rows if row.key_number != NO_KEY_NUMBER]
    max_probability = MAX_PROBABILITY / max(sum(row.value_count for row in key_rows), 1)
    total_count = behind_count = 0
    differing = []
    for row in key_rows:
        if row.key_number == NAME_NUMBER:
            total_count, behind_count = row.total_count, row.drawn_count
        for code, hit_count, marked_count in row.candidates:
            sample = Sample(row.total_count, marked_count, row.drawn_count, hit_count)
            if is_significant(sample, max_probability):
                differing.append(ValueCount(code, sample))
        yield from pause_after(row.candidates)
    differing.sort(key=lambda value_count: -abs(value_count.sample.excess))
    return ValueCounts(total_count, behind_count, differing)


def query_labels(
    contrast: Contrast, value_codes: ValueCodes, codes: Sequence[int], *, by_units: bool
) -> QueryPlan[dict[int, str]]:
    """Find the labels of some values by their codes; the store reads only as many events as it takes to find them."""
    if not codes:
        return {}
    # Which events are behind the number is known at once, but the units that are take a query of their own.
    conditions = contrast.conditions if by_units else [*contrast.conditions, contrast.is_behind_sql]
    pairs_sql = f"SELECT arrayJoin({value_codes.pairs_sql}) AS pair\nFROM events\n{scoped_where(*conditions)}"
    sql = f"""
SELECT tupleElement(pair, 1) AS code, tupleElement(pair, 2) AS label
FROM {to_subquery(pairs_sql)}
WHERE code IN {contrast.parameters.bind_integers("codes", list(codes))}
LIMIT 1 BY code
LIMIT {len(codes)}"""
    label_rows = yield from query_rows(sql, contrast.parameters, _LabelRow)
    return {row.code: row.label for row in label_rows}


def _build_event_counts_sql(contrast: Contrast, value_codes: ValueCodes) -> str:
    """Return SQL for the number of events with each code, in all and behind the number."""
    columns_sql = f"{contrast.is_behind_sql} AS is_behind, arrayJoin({value_codes.codes_sql}) AS code"
    codes_sql = f"SELECT {columns_sql}\nFROM events\n{scoped_where(*contrast.conditions)}"
    return f"""
SELECT code, countIf(is_behind) AS hit_count, count() AS marked_count
FROM {to_subquery(codes_sql)}
GROUP BY code"""


def _build_unit_counts_sql(contrast: Contrast, value_codes: ValueCodes) -> str:
    """Return SQL for the number of units with each code, and with the number of each key that they have."""
    columns = [
        f"{contrast.unit.sql} AS unit",
        f"{contrast.is_behind_sql} AS is_behind",
        f"{contrast.is_member_sql} AS is_member",
        f"{value_codes.codes_sql} AS codes",
    ]
    where_sql = scoped_where(*contrast.conditions, contrast.unit.present_sql)
    events_sql = f"SELECT {', '.join(columns)}\nFROM events\n{where_sql}"
    units_sql = f"""
SELECT max(is_behind) AS is_unit_behind,
  groupUniqArrayArray(codes) AS value_codes,
  arrayDistinct(arrayConcat(value_codes, arrayMap(code -> bitAnd(code, {KEY_MASK}), value_codes))) AS unit_codes
FROM {to_subquery(events_sql)}
GROUP BY unit
HAVING max(is_member)"""
    return f"""
SELECT arrayJoin(unit_codes) AS code, countIf(is_unit_behind) AS hit_count, count() AS marked_count
FROM {to_subquery(units_sql)}
GROUP BY code"""


def _build_keys_sql(counts_sql: str, *, by_units: bool) -> str:
    """Return SQL for a row for each key with its values that may differ, from the number of events with each code.

    It has a row for `NO_KEY_NUMBER` as well: the store would look for such codes in each event, before it counts them.
    """
    has_key_sql = "code = key_number" if by_units else "1"  # a unit may have several values of a key
    is_frequent_sql = f"key_number != {NO_KEY_NUMBER} AND code != key_number AND hit_count >= {MIN_COUNT}"
    values_sql = f"""
SELECT bitAnd(code, {KEY_MASK}) AS key_number,
  sumIf(marked_count, {has_key_sql}) AS total_count, sumIf(hit_count, {has_key_sql}) AS drawn_count,
  countIf(code != key_number) AS value_count,
  groupArrayIf((code, hit_count, marked_count), {is_frequent_sql}) AS values
FROM {to_subquery(counts_sql)}
GROUP BY key_number"""
    candidates_sql = f"arrayFilter((code, hit_count, marked_count) -> {_MAY_DIFFER_SQL}, values)"
    greatest_sql = f"arraySort((code, hit_count, marked_count) -> -abs(hit_count - {_EXPECTED_SQL}), {candidates_sql})"
    return f"""
SELECT key_number, total_count, drawn_count, value_count,
  arraySlice({greatest_sql}, 1, {_MAX_CANDIDATES}) AS candidates
FROM {to_subquery(values_sql)}"""
