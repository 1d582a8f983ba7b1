"""The values that are more or less frequent behind a number, counted in the store (rules/questions#differences)."""

import math
from collections.abc import Sequence

import msgspec

from tallyroom.queries.breakdown import to_subquery
from tallyroom.queries.differences.compared_keys import ComparedKey
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.differences.members import build_members_sql
from tallyroom.queries.differences.significance import Sample, is_significant
from tallyroom.queries.differences.value_codes import KEY_MASK, build_coded_labels_sql, build_codes_sql, find_key
from tallyroom.queries.query_plan import QueryPlan, query_rows, scoped_where

MIN_COUNT = 5  # events or units behind the number
MAX_PROBABILITY = 0.001  # that chance explains one of all values

_MAX_CANDIDATES = 1_000
_TOLERANCE = 1e-6  # of the logarithm of a probability, which the store and Python may round differently


class ValueCount(msgspec.Struct, frozen=True):
    """A value whose frequency behind the number is not by chance; `code` is the one of `value_codes`."""

    code: int
    sample: Sample


class _CandidateRow(msgspec.Struct):
    code: int
    hit_count: int
    marked_count: int
    value_count: int


class _LabelRow(msgspec.Struct):
    code: int
    label: str


def query_different_values(
    contrast: Contrast, keys: Sequence[ComparedKey], *, by_units: bool
) -> QueryPlan[list[ValueCount]]:
    """Find the values whose frequency is different, the greatest differences first.

    The store counts all values and leaves out those whose probability is too high even without the rest of its tail.
    """
    sql = _build_candidates_sql(contrast, keys, by_units=by_units)
    candidate_rows = yield from query_rows(sql, contrast.parameters, _CandidateRow)
    value_counts = []
    for row in candidate_rows:
        key = find_key(row.code, keys)
        sample = Sample(key.total_count, row.marked_count, key.drawn_count, row.hit_count)
        if is_significant(sample, MAX_PROBABILITY / row.value_count):
            value_counts.append(ValueCount(row.code, sample))
    return sorted(value_counts, key=lambda value_count: -abs(value_count.sample.excess))


def query_labels(
    contrast: Contrast, keys: Sequence[ComparedKey], codes: Sequence[int], *, by_units: bool
) -> QueryPlan[dict[int, str]]:
    """Find the labels of some values by their codes."""
    parameters = contrast.parameters
    conditions = [*contrast.conditions]
    if not by_units:
        conditions.append(contrast.is_behind_sql)
        if contrast.behind_window is not None:
            conditions.append(contrast.behind_window.condition(parameters))
    column_sql = f"arrayJoin({build_coded_labels_sql(keys, parameters)}) AS coded_label"
    labels_sql = f"SELECT {column_sql}\nFROM events\n{scoped_where(*conditions)}"
    sql = f"""
SELECT tupleElement(coded_label, 1) AS code, any(tupleElement(coded_label, 2)) AS label
FROM {to_subquery(labels_sql)}
WHERE code IN {parameters.bind_integers("codes", list(codes))}
GROUP BY code"""
    label_rows = yield from query_rows(sql, parameters, _LabelRow)
    return {row.code: row.label for row in label_rows}


def _build_candidates_sql(contrast: Contrast, keys: Sequence[ComparedKey], *, by_units: bool) -> str:
    parameters = contrast.parameters
    members_sql = build_members_sql(contrast, {"codes": build_codes_sql(keys, parameters)}, by_units=by_units)
    counts_sql = f"""
SELECT code, countIf(is_behind) AS hit_count, count() AS marked_count
FROM (
  SELECT is_behind, arrayJoin(codes) AS code
  FROM {to_subquery(members_sql)}
)
WHERE bitAnd(code, {KEY_MASK}) != 0
GROUP BY code"""
    collected_sql = f"""
SELECT count() AS value_count, groupArrayIf((code, hit_count, marked_count), hit_count >= {MIN_COUNT}) AS candidates
FROM {to_subquery(counts_sql)}"""
    key_number_sql = f"bitAnd(code, {KEY_MASK})"
    samples_sql = f"""
SELECT value_count, tupleElement(candidate, 1) AS code, tupleElement(candidate, 2) AS hit_count,
  tupleElement(candidate, 3) AS marked_count,
  {parameters.bind_integers("total_counts", [key.total_count for key in keys])}[{key_number_sql}] AS total_count,
  {parameters.bind_integers("drawn_counts", [key.drawn_count for key in keys])}[{key_number_sql}] AS drawn_count
FROM (
  SELECT value_count, arrayJoin(candidates) AS candidate
  FROM {to_subquery(collected_sql)}
)"""
    max_log_sql = f"{math.log(MAX_PROBABILITY / 2) + _TOLERANCE} - log(value_count)"
    return f"""
SELECT code, hit_count, marked_count, value_count
FROM {to_subquery(samples_sql)}
WHERE (4 * hit_count * total_count >= 5 * drawn_count * marked_count
    OR 5 * hit_count * total_count <= 4 * drawn_count * marked_count)
  AND {_LOG_PROBABILITY_SQL} < {max_log_sql}
ORDER BY abs(hit_count - drawn_count * marked_count / total_count) DESC
LIMIT {_MAX_CANDIDATES}"""


def _log_choices_sql(total_sql: str, chosen_sql: str) -> str:
    return f"lgamma({total_sql} + 1) - lgamma({chosen_sql} + 1) - lgamma({total_sql} - {chosen_sql} + 1)"


_LOG_PROBABILITY_SQL = (
    f"{_log_choices_sql('marked_count', 'hit_count')}"
    f" + {_log_choices_sql('(total_count - marked_count)', '(drawn_count - hit_count)')}"
    f" - ({_log_choices_sql('total_count', 'drawn_count')})"
)
