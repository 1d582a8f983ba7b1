"""Who is behind the steps of a funnel (rules/questions#behind-a-number)."""

import msgspec

from tallyroom.dashboards.kinds.funnel.chain_sql import build_chains_sql, reached_columns
from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.dashboards.kinds.funnel.events import build_matching_sql, build_unit_events_sql, select, window_ms
from tallyroom.dashboards.kinds.funnel.ordering import build_ordering, match_bit_width
from tallyroom.dashboards.kinds.funnel.sort_key import encode_places_by_arrival
from tallyroom.queries.data_point import DataPoint, check_data_point, refuse_data_point
from tallyroom.queries.evidence import Evidence
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import Question
from tallyroom.queries.units import choose_unit


def drill_down(config: FunnelConfig, question: Question, data_point: DataPoint) -> QueryPlan[Evidence]:
    """Find the events of those who reached a step, or of those of them who did not reach the next one."""
    yield from ()
    check_data_point(data_point, ("step", "outcome"))
    last_step = len(config.steps)
    if not isinstance(data_point.step, int) or data_point.step > last_step:
        raise refuse_data_point("step", f"is not the number of a step, which go from 1 to {last_step}")
    if data_point.outcome == "dropped" and data_point.step == last_step:
        raise refuse_data_point("outcome", "has to be reached at the last step, after which nobody can drop out")
    condition = f"reached_{data_point.step} > 0"
    if data_point.outcome == "dropped":
        condition += f" AND reached_{data_point.step + 1} = 0"
    parameters = QueryParameters()
    units = select(["unit"], _build_units_sql(config, question, parameters), f"\nWHERE {condition}")
    return Evidence(
        build_unit_events_sql(config, units, question, parameters),
        parameters,
        choose_unit(config.count, question, parameters).kind,
    )


def _build_units_sql(config: FunnelConfig, question: Question, parameters: QueryParameters) -> str:
    """Return SQL for a row for each unit that has an event of a step, with the steps that it reached."""
    place_order = encode_places_by_arrival(match_bit_width(config, []))
    ordering = build_ordering(config, [], question, build_matching_sql(config, [], question, parameters), place_order)
    ordering = msgspec.structs.replace(ordering, final_columns=[*ordering.final_columns, "unit"])
    events = build_chains_sql(config, ordering, parameters.integer("window_ms", window_ms(config)))
    return select(["unit", "moments", *reached_columns(range(1, len(config.steps) + 1), ordering)], events)
