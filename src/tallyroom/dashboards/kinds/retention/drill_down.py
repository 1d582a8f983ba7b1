"""The units behind a period of a cohort (rules/questions#who-is-behind-a-number)."""

from tallyroom.core.times import iso_ms
from tallyroom.dashboards.kinds.retention.config import RetentionConfig
from tallyroom.dashboards.kinds.retention.events import (
    build_event_conditions,
    build_events_sql,
    build_newcomers_sql,
    build_return_condition,
)
from tallyroom.dashboards.kinds.retention.question import list_period_starts_ms
from tallyroom.queries.data_point import DataPoint, check_data_point, data_point_refusal
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.evidence import AT_MS, EvidenceQuery
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import Question
from tallyroom.queries.units import choose_unit
from tallyroom.queries.window import Window


def find_evidence_query(config: RetentionConfig, question: Question, data_point: DataPoint) -> QueryPlan[EvidenceQuery]:
    """Find the events of a cohort's units in one period: cohort events in the first, return events in the others."""
    yield from ()
    cohort_window, period_window = _find_windows(config, question, data_point)
    parameters = QueryParameters()
    unit = choose_unit(config.unit_kind, question, parameters)
    cohort_condition = _build_time_condition(cohort_window, parameters)
    period_condition = _build_time_condition(period_window, parameters)
    sql = f"""
SELECT unit, arrayJoin(moments) AS at_ms
FROM (
  SELECT
    unit,
    minIf(at_ms, is_cohort) AS first_ms,
    groupArrayIf(at_ms, {"is_return" if data_point.period else "is_cohort"} AND at_ms {period_condition}) AS moments
  FROM (
    {build_events_sql(config, question, unit, _list_starts_ms(config, question)[0], parameters)}
  )
  GROUP BY unit
)
WHERE first_ms {cohort_condition}"""
    return EvidenceQuery(sql.strip(), parameters, unit.kind)


def find_contrast(config: RetentionConfig, question: Question, data_point: DataPoint) -> QueryPlan[Contrast]:
    """Find the same units among the whole cohort, by their events since its start."""
    yield from ()
    cohort_window, period_window = _find_windows(config, question, data_point)
    parameters = QueryParameters()
    unit = choose_unit(config.unit_kind, question, parameters)
    newcomers_sql = build_newcomers_sql(config, question, unit, cohort_window, parameters)
    is_behind_sql = "1"
    if data_point.period:
        return_condition = build_return_condition(config, cohort_window.from_ms, parameters)
        is_behind_sql = f"{return_condition} AND {AT_MS} {_build_time_condition(period_window, parameters)}"
    return Contrast(
        conditions=[
            Window(cohort_window.from_ms, question.now_ms).condition(parameters),
            *build_event_conditions(config, question, unit, cohort_window.from_ms, parameters),
            f"{unit.sql} IN ({newcomers_sql})",
        ],
        is_behind_sql=is_behind_sql,
        parameters=parameters,
        unit=unit,
        compares_only_units=True,
        point_keys=frozenset(["name"]),
    )


def _find_windows(config: RetentionConfig, question: Question, data_point: DataPoint) -> tuple[Window, Window]:
    """Return the times of a data point's cohort and period; raise `ValidationFailed` if the answer does not have it."""
    check_data_point(data_point, ("cohort", "period"))
    starts_ms = _list_starts_ms(config, question)
    start_texts = [iso_ms(start_ms) for start_ms in starts_ms]
    if data_point.cohort not in start_texts:
        raise data_point_refusal("cohort", "is not the start of a cohort in this answer")
    cohort_index = start_texts.index(data_point.cohort)
    if not isinstance(data_point.period, int) or cohort_index + data_point.period >= len(starts_ms):
        raise data_point_refusal(
            "period", f"has not begun; this cohort has periods 0 to {len(starts_ms) - 1 - cohort_index}"
        )
    ends_ms = [*starts_ms[1:], question.now_ms + 1]
    cohort_window, period_window = (
        Window(starts_ms[index], ends_ms[index] - 1) for index in (cohort_index, cohort_index + data_point.period)
    )
    return cohort_window, period_window


def _list_starts_ms(config: RetentionConfig, question: Question) -> list[int]:
    return list_period_starts_ms(question.now_ms, question.timezone, config)


def _build_time_condition(window: Window, parameters: QueryParameters) -> str:
    first_placeholder = parameters.bind_integer("from_ms", window.from_ms)
    return f"BETWEEN {first_placeholder} AND {parameters.bind_integer('last_ms', window.until_ms)}"
