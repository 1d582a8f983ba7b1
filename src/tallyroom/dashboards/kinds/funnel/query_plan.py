"""The query plan of a funnel (rules/questions#funnel).

The query sorts the events of each unit, encoded as one integer each, and finds the chains among them. Ties are rare,
and breaking them means reading three more columns. So the first query orders by the moment alone, and reports whether
two events of one unit at the same moment match different steps. Only then does a second query order by arrival as well.

A breakdown first asks for its labels. The series of all labels and the whole are then found together.
"""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from tallyroom.dashboards.kinds.funnel.answer import BUCKETS, Funnel, FunnelRow, FunnelSeries, build_steps
from tallyroom.dashboards.kinds.funnel.chain_sql import build_chains_sql, reached_columns
from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.dashboards.kinds.funnel.events import build_labelled_sql, build_matching_sql, select, window_ms
from tallyroom.dashboards.kinds.funnel.ordering import Ordering, build_ordering, match_bit_width
from tallyroom.dashboards.kinds.funnel.sort_key import PlaceOrder, encode_places_by_arrival, encode_places_by_moment
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows
from tallyroom.queries.question import Question
from tallyroom.queries.units import choose_unit

_MAX_SERIES = 10
_STEP_COLUMNS = ("units", "medians", "undecided")


class _Label(msgspec.Struct):
    label: str


def query_plan(config: FunnelConfig, question: Question) -> QueryPlan[Funnel]:
    """Make one pass over the events of the steps, and a second one if their order depends on their arrival."""
    labels = (yield from _query_labels(config, question)) if config.breakdown is not None else []
    parameters = QueryParameters()
    unit = choose_unit(config.count, question, parameters)
    bits = match_bit_width(config, labels)
    series_rows = yield from query_rows(
        _build_sql(config, labels, question, parameters, encode_places_by_moment(bits)), parameters, FunnelRow
    )
    if any(row.undecided for row in series_rows):
        series_rows = yield from query_rows(
            _build_sql(config, labels, question, parameters, encode_places_by_arrival(bits)), parameters, FunnelRow
        )
    steps = {row.series: build_steps(config, row) for row in series_rows}
    series = [FunnelSeries(label, steps[number]) for number, label in enumerate(labels, 1)]
    return Funnel(count=unit.kind, steps=steps[0], series=UNSET if config.breakdown is None else series)


def _query_labels(config: FunnelConfig, question: Question) -> QueryPlan[list[str]]:
    """Find the labels whose series the most units start; which unit has which label is kept as a hash only."""
    parameters = QueryParameters()
    pairs = select(["DISTINCT label, unit"], "\nUNION ALL\n".join(build_labelled_sql(config, [], question, parameters)))
    after = f"\nGROUP BY label\nORDER BY count() DESC, label\nLIMIT {parameters.integer('limit', _MAX_SERIES)}"
    label_rows = yield from query_rows(select(["label"], pairs, after), parameters, _Label)
    return [row.label for row in label_rows]


def _build_sql(
    config: FunnelConfig,
    labels: Sequence[str],
    question: Question,
    parameters: QueryParameters,
    place_order: PlaceOrder,
) -> str:
    """Return the funnel's SQL, with the events in one order: a row for the whole, and one for each label."""
    window = parameters.integer("window_ms", window_ms(config))
    ordering = build_ordering(
        config, labels, question, build_matching_sql(config, labels, question, parameters), place_order
    )
    steps = range(1, len(config.steps) + 1)
    events = build_chains_sql(config, ordering, window)
    series = ["series"] if ordering.by_series else []
    units = select(
        [", ".join([*(ordering.final_columns or ("places", "moments")), *series]), *reached_columns(steps, ordering)],
        events,
    )
    total = select(
        [*series, *_build_total_columns(config, ordering, steps)],
        units,
        "\nGROUP BY series" if ordering.by_series else "",
    )
    return _add_time_columns([*series, *_STEP_COLUMNS], total, steps[1:]) if config.times else total


def _build_total_columns(config: FunnelConfig, ordering: Ordering, steps: Sequence[int]) -> list[str]:
    units = ", ".join(f"countIf(reached_{step} > 0)" for step in steps)
    medians = ", ".join(f"quantileExactInclusiveOrNullIf(0.5)(took_{step}, reached_{step} > 0)" for step in steps[1:])
    tie_conditions = [ordering.has_ties]
    if config.holding is not None:
        tie_conditions += [f"arrayMin(waits_{step}) != arrayMax(waits_{step})" for step in steps[1:]]
    columns = [f"[{units}] AS units", f"[{medians}] AS medians", f"countIf({' OR '.join(tie_conditions)}) AS undecided"]
    if config.times:
        columns += [f"groupArrayIf(toUInt32(took_{step}), reached_{step} > 0) AS all_{step}" for step in steps[1:]]
    return columns


def _add_time_columns(total_columns: Sequence[str], total: str, steps: Sequence[int]) -> str:
    """Add the shortest and the longest time of each step, and how many times are in each slot between the two.

    Each time is a whole number of milliseconds and so is what it is compared with, so that no rounding moves one.
    """
    extremes = [
        column
        for step in steps
        for column in (f"arrayMin(all_{step}) AS least_{step}", f"arrayMax(all_{step}) AS greatest_{step}")
    ]
    slots = [
        f"arrayMap(took -> toUInt8(least(intDiv((took - least_{step}) * {BUCKETS},"
        f" greatest(greatest_{step} - least_{step}, 1)), {BUCKETS - 1})), all_{step}) AS slots_{step}"
        for step in steps
    ]
    lists = {
        "least": [f"least_{step}" for step in steps],
        "greatest": [f"greatest_{step}" for step in steps],
        "slots": [_count_slots_sql(f"slots_{step}") for step in steps],
    }
    columns = [f"[{', '.join(expressions)}] AS {name}" for name, expressions in lists.items()]
    return select([*total_columns, *columns], select(["*", *slots], select(["*", *extremes], total)))


def _count_slots_sql(slots: str) -> str:
    return f"[{', '.join(f'countEqual({slots}, {slot})' for slot in range(BUCKETS))}]"
