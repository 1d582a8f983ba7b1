"""The SQL for the events that retention looks at."""

from tallyroom.dashboards.kinds.retention.config import RetentionConfig
from tallyroom.queries.filters import filter_conditions
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.units import Unit
from tallyroom.queries.window import Window, edge_sql, moments_sql, timestamp_sql


def build_events_sql(  # the parts of both queries
    config: RetentionConfig,
    question: Question,
    unit: Unit,
    from_ms: int,
    parameters: QueryParameters,
    time_sql: str | None = None,
) -> str:
    """Return SQL for the events of all time, or of the time that `time_sql` selects."""
    parameters.extend_span(0, question.now_ms)
    cohort_condition = _build_cohort_condition(config, parameters)
    return_condition = build_return_condition(config, from_ms, parameters)
    where_sql = scoped_where(
        time_sql or f"timestamp <= {edge_sql('until_ms', question.now_ms, parameters)}",
        *build_event_conditions(config, question, unit, from_ms, parameters),
    )
    return f"""SELECT
      {unit.sql} AS unit,
      toUnixTimestamp64Milli(timestamp) AS at_ms,
      {cohort_condition} AS is_cohort,
      {return_condition} AS is_return
    FROM events
    {where_sql}"""


def build_newcomers_sql(
    config: RetentionConfig, question: Question, unit: Unit, cohort_window: Window, parameters: QueryParameters
) -> str:
    """Return SQL for the units whose first cohort event of all time is in a window."""
    parameters.extend_span(0, question.now_ms)
    where_sql = scoped_where(
        f"timestamp <= {edge_sql('until_ms', question.now_ms, parameters)}",
        _build_cohort_condition(config, parameters),
        unit.present_sql,
        *filter_conditions(question.filters, parameters),
    )
    from_sql, until_sql = moments_sql(cohort_window, parameters)
    return f"""
SELECT {unit.sql} AS unit
FROM events
{where_sql}
GROUP BY unit
HAVING min(timestamp) BETWEEN {from_sql} AND {until_sql}"""


def build_event_conditions(
    config: RetentionConfig, question: Question, unit: Unit, from_ms: int, parameters: QueryParameters
) -> list[str]:
    """Return SQL conditions for the cohort events of any time, and the return events since `from_ms`."""
    cohort_condition = _build_cohort_condition(config, parameters)
    return [
        f"({cohort_condition} OR {build_return_condition(config, from_ms, parameters)})",
        unit.present_sql,
        *filter_conditions(question.filters, parameters),
    ]


def build_return_condition(config: RetentionConfig, from_ms: int, parameters: QueryParameters) -> str:
    """Return the SQL condition for the return events since `from_ms`."""
    name_placeholder = parameters.bind_text("return_event", config.return_event or config.cohort_event)
    since_condition = f"timestamp >= {timestamp_sql('grid_start_ms', from_ms, parameters)}"
    return " AND ".join(
        [f"name = {name_placeholder}", since_condition, *filter_conditions(config.return_filters, parameters)]
    )


def _build_cohort_condition(config: RetentionConfig, parameters: QueryParameters) -> str:
    name_placeholder = parameters.bind_text("cohort_event", config.cohort_event)
    return " AND ".join([f"name = {name_placeholder}", *filter_conditions(config.cohort_filters, parameters)])
