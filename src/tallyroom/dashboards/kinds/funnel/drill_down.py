"""The units behind the steps of a funnel (rules/questions#who-is-behind-a-number)."""

import msgspec

from tallyroom.dashboards.kinds.funnel.chain_sql import build_chains_sql, build_reached_columns
from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.dashboards.kinds.funnel.events import (
    build_has_unit_sql,
    build_matching_sql,
    build_select,
    build_start_condition,
    build_step_conditions,
    build_unit_events_sql,
    origin_ms,
    window_ms,
)
from tallyroom.dashboards.kinds.funnel.ordering import build_ordering, match_bit_width
from tallyroom.dashboards.kinds.funnel.sort_key import encode_places_by_arrival
from tallyroom.dashboards.kinds.funnel.waiting import build_since_columns, deadline_ms, is_waiting_sql
from tallyroom.queries.data_point import DataPoint, check_data_point, data_point_refusal
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.evidence import EvidenceQuery
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import Question
from tallyroom.queries.units import choose_unit


def find_evidence_query(config: FunnelConfig, question: Question, data_point: DataPoint) -> QueryPlan[EvidenceQuery]:
    """Find the events of the units that reached a step, or of those of them that did not reach the next one.

    The latter have `stopped` or are still `waiting`; both have `dropped`.
    """
    yield from ()
    parameters = QueryParameters()
    units_sql = _build_point_units_sql(config, question, data_point, parameters)
    return EvidenceQuery(
        build_unit_events_sql(config, units_sql, question, parameters),
        parameters,
        choose_unit(config.unit_kind, question, parameters).kind,
    )


def find_contrast(config: FunnelConfig, question: Question, data_point: DataPoint) -> QueryPlan[Contrast]:
    """Find the same units among all that reached the first step, by their events of any step."""
    yield from ()
    parameters = QueryParameters()
    units_sql = _build_point_units_sql(config, question, data_point, parameters)
    unit = choose_unit(config.unit_kind, question, parameters)
    return Contrast(
        conditions=build_step_conditions(config, question, parameters),
        is_behind_sql=build_has_unit_sql(unit, units_sql),
        is_member_sql=build_start_condition(config, parameters),
        parameters=parameters,
        unit=unit,
        compares_only_units=True,
        point_keys=frozenset(["name"]),
    )


def _build_point_units_sql(
    config: FunnelConfig, question: Question, data_point: DataPoint, parameters: QueryParameters
) -> str:
    """Return SQL for the units behind a number; raise `ValidationFailed` if there is no such number."""
    check_data_point(data_point, ("step", "outcome"))
    step_count = len(config.steps)
    if not isinstance(data_point.step, int) or data_point.step > step_count:
        raise data_point_refusal("step", f"must be the number of a step, from 1 to {step_count}")
    if data_point.outcome != "reached" and data_point.step == step_count:
        raise data_point_refusal("outcome", "must be `reached` for the last step, which has no next step")
    condition = f"reached_{data_point.step} > 0"
    if data_point.outcome != "reached":
        condition = is_waiting_sql(data_point.step)
    if data_point.outcome in {"stopped", "waiting"}:
        deadline_sql = parameters.bind_integer(
            "deadline_ms", deadline_ms(config, question) - origin_ms(config, question)
        )
        condition += f" AND since_{data_point.step} {'>' if data_point.outcome == 'waiting' else '<='} {deadline_sql}"
    return build_select(["unit"], _build_units_sql(config, question, parameters), f"\nWHERE {condition}")


def _build_units_sql(config: FunnelConfig, question: Question, parameters: QueryParameters) -> str:
    place_encoding = encode_places_by_arrival(match_bit_width(config, []))
    ordering = build_ordering(
        config, [], question, build_matching_sql(config, [], question, parameters), place_encoding
    )
    ordering = msgspec.structs.replace(ordering, final_columns=[*ordering.final_columns, "unit"])
    chains_sql = build_chains_sql(config, ordering, parameters.bind_integer("window_ms", window_ms(config)))
    steps = range(1, len(config.steps) + 1)
    since_columns = build_since_columns(config, steps[:-1], ordering)
    return build_select(["unit", "moments", *build_reached_columns(steps, ordering), *since_columns], chains_sql)
