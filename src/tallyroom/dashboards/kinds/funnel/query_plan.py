"""The query plan of a funnel (rules/questions#funnel).

The query sorts the events of each unit, encoded as one integer each, and finds the chains among them. Ties are rare,
and breaking them takes three more columns. So the first query orders by the moment alone, and only if two different
events of a unit are at the same moment, a second query orders by arrival as well.

A breakdown first queries its labels. One query then finds the series of all labels and the total.
"""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from tallyroom.dashboards.kinds.funnel.answer import BUCKET_COUNT, Funnel, FunnelRow, FunnelSeries, build_steps
from tallyroom.dashboards.kinds.funnel.chain_sql import build_chains_sql, build_reached_columns
from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.dashboards.kinds.funnel.events import (
    build_labelled_sql,
    build_matching_sql,
    build_select,
    origin_ms,
    window_ms,
)
from tallyroom.dashboards.kinds.funnel.kept_form import build_unit_query
from tallyroom.dashboards.kinds.funnel.ordering import Ordering, build_ordering, match_bit_width
from tallyroom.dashboards.kinds.funnel.sort_key import PlaceEncoding, encode_places_by_arrival, encode_places_by_moment
from tallyroom.dashboards.kinds.funnel.waiting import build_since_columns, deadline_ms, is_waiting_sql
from tallyroom.queries.medians import find_middle
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows, query_rows_or_totals
from tallyroom.queries.question import Question
from tallyroom.queries.unit_queries import UnitTotals
from tallyroom.queries.units import choose_unit

_MAX_SERIES = 10
_TOTAL_COLUMNS = ("units", "medians", "waiting", "undecided")


class _LabelRow(msgspec.Struct):
    label: str


def build_query_plan(config: FunnelConfig, question: Question) -> QueryPlan[Funnel]:
    """Read the events of the steps once, and a second time if their order depends on their arrival."""
    labels = (yield from _query_labels(config, question)) if config.breakdown is not None else []
    parameters = QueryParameters()
    unit = choose_unit(config.unit_kind, question, parameters)
    match_bits = match_bit_width(config, labels)
    answer_rows = yield from query_rows_or_totals(
        _build_sql(config, labels, question, parameters, encode_places_by_moment(match_bits)),
        parameters,
        FunnelRow,
        build_unit_query(config, question),
    )
    series_rows = [_sum_up(answer_rows)] if isinstance(answer_rows, UnitTotals) else answer_rows
    if any(row.undecided_count for row in series_rows):
        series_rows = yield from query_rows(
            _build_sql(config, labels, question, parameters, encode_places_by_arrival(match_bits)),
            parameters,
            FunnelRow,
        )
    steps_by_series_number = {row.series_number: build_steps(config, row) for row in series_rows}
    series = [FunnelSeries(label, steps_by_series_number[number]) for number, label in enumerate(labels, 1)]
    return Funnel(
        unit_kind=unit.kind, steps=steps_by_series_number[0], series=UNSET if config.breakdown is None else series
    )


def _sum_up(totals: UnitTotals) -> FunnelRow:
    """Return the row of a funnel whose units are known."""
    medians_ms = [find_middle(step_times_ms) for step_times_ms in totals.numbers]
    return FunnelRow(
        unit_counts=totals.counts, medians_ms=medians_ms, waiting_counts=totals.waiting_counts, undecided_count=0
    )


def _query_labels(config: FunnelConfig, question: Question) -> QueryPlan[list[str]]:
    """Find the labels whose series the most units start; which unit has which label is kept only as a hash."""
    parameters = QueryParameters()
    pairs_sql = build_select(
        ["DISTINCT label, unit"], "\nUNION ALL\n".join(build_labelled_sql(config, [], question, parameters))
    )
    after_sql = f"\nGROUP BY label\nORDER BY count() DESC, label\nLIMIT {parameters.bind_integer('limit', _MAX_SERIES)}"
    label_rows = yield from query_rows(build_select(["label"], pairs_sql, after_sql), parameters, _LabelRow)
    return [row.label for row in label_rows]


def _build_sql(
    config: FunnelConfig,
    labels: Sequence[str],
    question: Question,
    parameters: QueryParameters,
    place_encoding: PlaceEncoding,
) -> str:
    window_placeholder = parameters.bind_integer("window_ms", window_ms(config))
    ordering = build_ordering(
        config, labels, question, build_matching_sql(config, labels, question, parameters), place_encoding
    )
    step_numbers = range(1, len(config.steps) + 1)
    chains_sql = build_chains_sql(config, ordering, window_placeholder)
    series_columns = ["series"] if ordering.has_series else []
    units_sql = build_select(
        [
            ", ".join([*(ordering.final_columns or ("places", "moments")), *series_columns]),
            *build_reached_columns(step_numbers, ordering),
            *build_since_columns(config, step_numbers[:-1], ordering),
        ],
        chains_sql,
    )
    total_sql = build_select(
        [
            *series_columns,
            *_build_total_columns(config, ordering, step_numbers),
            _build_waiting_column(config, question, parameters),
        ],
        units_sql,
        "\nGROUP BY series" if ordering.has_series else "",
    )
    if config.times:
        return _add_time_columns([*series_columns, *_TOTAL_COLUMNS], total_sql, step_numbers[1:])
    return total_sql


def _build_total_columns(config: FunnelConfig, ordering: Ordering, step_numbers: Sequence[int]) -> list[str]:
    unit_counts_sql = ", ".join(f"countIf(reached_{step} > 0)" for step in step_numbers)
    medians_sql = ", ".join(
        f"quantileExactInclusiveOrNullIf(0.5)(took_{step}, reached_{step} > 0)" for step in step_numbers[1:]
    )
    tie_conditions = [ordering.ties_condition]
    if config.holding is not None:
        tie_conditions += [f"arrayMin(waits_{step}) != arrayMax(waits_{step})" for step in step_numbers[1:]]
    columns = [
        f"[{unit_counts_sql}] AS units",
        f"[{medians_sql}] AS medians",
        f"countIf({' OR '.join(tie_conditions)}) AS undecided",
    ]
    if config.times:
        columns += [
            f"groupArrayIf(toUInt32(took_{step}), reached_{step} > 0) AS all_{step}" for step in step_numbers[1:]
        ]
    return columns


def _build_waiting_column(config: FunnelConfig, question: Question, parameters: QueryParameters) -> str:
    deadline_sql = parameters.bind_edge("deadline_ms", deadline_ms(config, question))
    origin_sql = parameters.bind_origin("origin_ms", origin_ms(config, question))
    counts_sql = ", ".join(
        f"countIf({is_waiting_sql(step)} AND since_{step} > {deadline_sql} - {origin_sql})"
        for step in range(1, len(config.steps))
    )
    return f"[{counts_sql}] AS waiting"


def _add_time_columns(total_columns: Sequence[str], total_sql: str, step_numbers: Sequence[int]) -> str:
    """Add the shortest and the longest time of each step, and the counts in the slots between them, in whole ms."""
    extreme_columns = [
        column
        for step in step_numbers
        for column in (f"arrayMin(all_{step}) AS least_{step}", f"arrayMax(all_{step}) AS greatest_{step}")
    ]
    slot_columns = [
        f"arrayMap(took -> toUInt8(least(intDiv((took - least_{step}) * {BUCKET_COUNT},"
        f" greatest(greatest_{step} - least_{step}, 1)), {BUCKET_COUNT - 1})), all_{step}) AS slots_{step}"
        for step in step_numbers
    ]
    expressions_by_name = {
        "least": [f"least_{step}" for step in step_numbers],
        "greatest": [f"greatest_{step}" for step in step_numbers],
        "slots": [_count_slots_sql(f"slots_{step}") for step in step_numbers],
    }
    columns = [f"[{', '.join(expressions)}] AS {name}" for name, expressions in expressions_by_name.items()]
    return build_select(
        [*total_columns, *columns], build_select(["*", *slot_columns], build_select(["*", *extreme_columns], total_sql))
    )


def _count_slots_sql(slots_column: str) -> str:
    return f"[{', '.join(f'countEqual({slots_column}, {slot})' for slot in range(BUCKET_COUNT))}]"
