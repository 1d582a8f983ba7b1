"""The values that are more or less frequent behind a number, counted in the store (rules/questions#differences)."""

import math
from collections.abc import Sequence

import msgspec

from tallyroom.queries.breakdown import to_subquery
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.differences.significance import Sample, is_significant
from tallyroom.queries.differences.value_codes import KEY_MASK, NAME_NUMBER, ValueCodes
from tallyroom.queries.query_plan import QueryPlan, query_rows, scoped_where

MIN_COUNT = 5  # of events or units behind the number
MAX_PROBABILITY = 0.001  # that chance explains one of all values

_MAX_CANDIDATES = 1_000
_SAMPLE_EVENTS = 20_000
_TOLERANCE = 1e-6  # of the logarithm of a probability, which the store and Python may round differently


class ValueCount(msgspec.Struct, frozen=True):
    """A value and how often it occurs; `label` is "" if only `query_labels` knows it."""

    code: int
    label: str
    sample: Sample


class ValueCounts(msgspec.Struct, frozen=True):
    """How many events or units there are in all and behind the number, and the values that differ, greatest first."""

    total_count: int
    behind_count: int
    differing: list[ValueCount]


class _CandidatesRow(msgspec.Struct):
    total_count: int
    behind_count: int
    value_count: int
    candidates: list[tuple[int, str, int, int, int, int]]  # code, label, hit, marked, drawn and total count


class _LabelRow(msgspec.Struct):
    code: int
    label: str


def query_value_counts(contrast: Contrast, value_codes: ValueCodes, *, by_units: bool) -> QueryPlan[ValueCounts]:
    """Count all values, and find those that differ by more than chance explains.

    The store leaves out values whose result alone, without the rest of its tail, is too probable.
    """
    counts_sql = (_build_unit_counts_sql if by_units else _build_event_counts_sql)(contrast, value_codes)
    sql = _build_candidates_sql(counts_sql, by_units=by_units)
    [row] = yield from query_rows(sql, contrast.parameters, _CandidatesRow)
    value_counts = [
        ValueCount(code, label, Sample(total_count, marked_count, drawn_count, hit_count))
        for code, label, hit_count, marked_count, drawn_count, total_count in row.candidates
    ]
    differing = [
        value_count
        for value_count in value_counts
        if is_significant(value_count.sample, MAX_PROBABILITY / row.value_count)
    ]
    differing.sort(key=lambda value_count: -abs(value_count.sample.excess))
    return ValueCounts(row.total_count, row.behind_count, differing)


def query_labels(contrast: Contrast, value_codes: ValueCodes, codes: Sequence[int]) -> QueryPlan[dict[int, str]]:
    """Find the labels of some values by their codes; as they are frequent, some of the events usually have all."""
    label_by_code: dict[int, str] = {}
    for event_limit in (_SAMPLE_EVENTS, None):
        missing_codes = [code for code in codes if code not in label_by_code]
        if missing_codes:
            sql = _build_labels_sql(contrast, value_codes, missing_codes, event_limit)
            label_rows = yield from query_rows(sql, contrast.parameters, _LabelRow)
            label_by_code |= {row.code: row.label for row in label_rows}
    return label_by_code


def _build_labels_sql(
    contrast: Contrast, value_codes: ValueCodes, codes: Sequence[int], event_limit: int | None
) -> str:
    events_sql = f"SELECT {value_codes.pairs_sql} AS pairs\nFROM events\n{scoped_where(*contrast.conditions)}"
    if event_limit is not None:
        events_sql += f"\nLIMIT {event_limit}"
    return f"""
SELECT tupleElement(pair, 1) AS code, any(tupleElement(pair, 2)) AS label
FROM (SELECT arrayJoin(pairs) AS pair FROM {to_subquery(events_sql)})
WHERE code IN {contrast.parameters.bind_integers("codes", list(codes))}
GROUP BY code"""


def _build_event_counts_sql(contrast: Contrast, value_codes: ValueCodes) -> str:
    """Return SQL for the number of events with each code, in all and behind the number."""
    columns_sql = f"{contrast.is_behind_sql} AS is_behind, arrayJoin({value_codes.pairs_sql}) AS pair"
    pairs_sql = f"SELECT {columns_sql}\nFROM events\n{scoped_where(*contrast.conditions)}"
    return f"""
SELECT tupleElement(pair, 1) AS code, any(tupleElement(pair, 2)) AS label,
  countIf(is_behind) AS hit_count, count() AS marked_count
FROM {to_subquery(pairs_sql)}
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
SELECT arrayJoin(unit_codes) AS code, '' AS label, countIf(is_unit_behind) AS hit_count, count() AS marked_count
FROM {to_subquery(units_sql)}
GROUP BY code"""


def _build_candidates_sql(counts_sql: str, *, by_units: bool) -> str:
    """Return SQL for one row with the values that may differ, from the number of events or units with each code."""
    has_key_sql = "code = key_number" if by_units else "1"  # a unit may have several values of a key
    keys_sql = f"""
SELECT bitAnd(code, {KEY_MASK}) AS key_number,
  sumIf(marked_count, {has_key_sql}) AS key_count, sumIf(hit_count, {has_key_sql}) AS drawn_count,
  countIf(code != key_number) AS key_value_count,
  groupArrayIf((code, label, hit_count, marked_count), code != key_number AND hit_count >= {MIN_COUNT}) AS values
FROM {to_subquery(counts_sql)}
WHERE key_number != 0
GROUP BY key_number"""
    totals_sql = f"""
SELECT sumIf(key_count, key_number = {NAME_NUMBER}) AS total_count,
  sumIf(drawn_count, key_number = {NAME_NUMBER}) AS behind_count,
  sum(key_value_count) AS value_count,
  groupArrayArray(arrayMap((code, label, hit_count, marked_count) ->
    (code, label, hit_count, marked_count, drawn_count, key_count), values)) AS values
FROM {to_subquery(keys_sql)}"""
    excess_sql = "abs(hit_count - drawn_count * marked_count / key_count)"
    parameters_sql = "(code, label, hit_count, marked_count, drawn_count, key_count)"
    return f"""
SELECT total_count, behind_count, value_count,
  arraySlice(arraySort({parameters_sql} -> -{excess_sql},
    arrayFilter({parameters_sql} -> {_MAY_DIFFER_SQL}, values)), 1, {_MAX_CANDIDATES}) AS candidates
FROM {to_subquery(totals_sql)}"""


def _log_choices_sql(total_sql: str, chosen_sql: str) -> str:
    return f"lgamma({total_sql} + 1) - lgamma({chosen_sql} + 1) - lgamma({total_sql} - {chosen_sql} + 1)"


_LOG_PROBABILITY_SQL = (
    f"{_log_choices_sql('marked_count', 'hit_count')}"
    f" + {_log_choices_sql('(key_count - marked_count)', '(drawn_count - hit_count)')}"
    f" - ({_log_choices_sql('key_count', 'drawn_count')})"
)
_MAY_DIFFER_SQL = (
    "(4 * hit_count * key_count >= 5 * drawn_count * marked_count"
    " OR 5 * hit_count * key_count <= 4 * drawn_count * marked_count)"
    f" AND {_LOG_PROBABILITY_SQL} < {math.log(MAX_PROBABILITY / 2) + _TOLERANCE} - log(value_count)"
)
