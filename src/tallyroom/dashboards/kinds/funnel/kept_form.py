"""A funnel in a form that is kept: the events of each unit, and how far each unit got (rules/questions#funnel)."""

from collections.abc import Sequence
from functools import partial

import msgspec

from tallyroom.dashboards.kinds.funnel.chain_sql import build_chains_sql, build_reached_columns
from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.dashboards.kinds.funnel.events import build_matching_sql, build_select, origin_ms, window_ms
from tallyroom.dashboards.kinds.funnel.ordering import Ordering, build_ordering, match_bit_width
from tallyroom.dashboards.kinds.funnel.sort_key import encode_places_by_arrival, encode_places_by_moment
from tallyroom.dashboards.kinds.funnel.waiting import build_since_columns, deadline_ms, is_waiting_sql
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.question import Question
from tallyroom.queries.slices import TIME_MARK
from tallyroom.queries.unit_queries import (
    CODE_BITS,
    LENGTH_BITS,
    MAX_KEPT_PLACES,
    MAX_PARTS_PLACES,
    MAX_TORN_UNITS,
    UNITS_MARK,
    UnitProgress,
    UnitQuery,
)

_PLACES_COLUMNS = (
    f"groupArray({MAX_KEPT_PLACES})(sipHash64(unit)) AS unit_hashes",
    f"groupArray({MAX_KEPT_PLACES})(toUInt64(length(places))) AS lengths",
    f"groupArrayArray({MAX_KEPT_PLACES})(places) AS all_places",
)
_PACKED_SQL = f"bitShiftLeft(toUInt128(hash), 64) + bitShiftLeft(toUInt64(end - length), {LENGTH_BITS}) + length"
_UNITS_COLUMN = (
    f"arraySort(arrayMap((hash, length, end) -> {_PACKED_SQL}, unit_hashes, lengths, arrayCumSum(lengths))) AS units"
)


def build_unit_query(config: FunnelConfig, question: Question) -> UnitQuery | None:
    """Return the query for a funnel without options; None for any other."""
    if config.breakdown is not None or config.holding is not None or config.exclude or config.times:
        return None
    total_parameters, events_parameters = QueryParameters(), QueryParameters()
    place_encoding = encode_places_by_moment(match_bit_width(config, []))
    window_placeholder = total_parameters.bind_integer("window_ms", window_ms(config))
    matching_sql = build_matching_sql(config, [], question, total_parameters)
    ordering = msgspec.structs.replace(
        build_ordering(config, [], question, matching_sql, place_encoding), final_columns=["unit"]
    )
    return UnitQuery(
        count_sql=build_select(["count()"], matching_sql),
        numbers_sql=_build_total_sql(config, ordering, window_placeholder, []),
        total_sql=_build_total_sql(config, ordering, window_placeholder, _PLACES_COLUMNS),
        total_parameters=total_parameters.values,
        events_sql=_build_events_sql(config, question, events_parameters),
        events_parameters=events_parameters.values,
        edge_names=total_parameters.edge_names | total_parameters.origin_names,
        window=question.window,
        origin_ms=origin_ms(config, question),
        deadline_ms=deadline_ms(config, question),
        stage_count=len(config.steps),
        measure_unit=partial(measure_chains, config),
    )


def _build_total_sql(
    config: FunnelConfig, ordering: Ordering, window_placeholder: str, places_columns: Sequence[str]
) -> str:
    steps = range(1, len(config.steps) + 1)
    units_sql = build_select(
        [
            f"unit, places, moments, {ordering.ties_condition} AS torn",
            *build_reached_columns(steps, ordering),
            *build_since_columns(config, steps[:-1], ordering),
        ],
        build_chains_sql(config, ordering, window_placeholder),
    )
    stage_columns = {f"all_{step}": _build_times_column(step) for step in steps[1:]}
    stage_columns |= {f"waiting_{step}": _build_waiting_column(step) for step in steps[:-1]}
    totals_sql = build_select(
        [
            "countIf(reached_1 > 0 AND NOT torn) AS counted",
            f"groupArrayIf({MAX_TORN_UNITS})(sipHash64(unit), torn) AS torn_hashes",
            *places_columns,
            *stage_columns.values(),
        ],
        units_sql,
    )
    packed_columns = [_UNITS_COLUMN, "all_places"] if places_columns else []
    return build_select(["counted, torn_hashes", *packed_columns, *stage_columns], totals_sql)


def _build_times_column(step: int) -> str:
    """Return a column with the times that units took to reach a step, in order."""
    return f"arraySort(groupArrayIf(toUInt64(took_{step}), reached_{step} > 0 AND NOT torn)) AS all_{step}"


def _build_waiting_column(step: int) -> str:
    """Return a column with the moments from which the time of the units that stopped at a step counts, in order."""
    return f"arraySort(groupArrayIf(toUInt64(since_{step}), {is_waiting_sql(step)} AND NOT torn)) AS waiting_{step}"


def _build_events_sql(config: FunnelConfig, question: Question, parameters: QueryParameters) -> str:
    """Return SQL that sorts events as they arrived; there are few of them, so tuples may be sorted."""
    match_bits = match_bit_width(config, [])
    by_moment, by_arrival = encode_places_by_moment(match_bits), encode_places_by_arrival(match_bits)
    place_sql = f"bitShiftLeft(toUInt128(sipHash64(unit)), 64) + {by_moment.place_sql}"
    pairs_sql = f"groupArray({MAX_PARTS_PLACES})(({by_arrival.place_sql}, {place_sql}))"
    matching_sql = build_matching_sql(config, [], question, parameters, TIME_MARK)
    places_column = f"arrayMap(pair -> pair.2, arraySort({pairs_sql})) AS in_order"
    return build_select([places_column], matching_sql, f"\nWHERE {UNITS_MARK}")


def measure_chains(config: FunnelConfig, places: Sequence[int]) -> UnitProgress:
    """Return the times from step to step of a unit, 0 for the first, as the columns of its SQL have them."""
    step_count, longest_ms = len(config.steps), window_ms(config)
    opened_ms: list[int | None] = [None] * step_count  # when the window of the next step opened for the latest chain
    ended_ms = [0] * step_count  # the last event of this chain
    times_ms: list[int | None] = [None] * step_count
    for place in places:
        moment_ms = place >> CODE_BITS
        for step in reversed(range(step_count)):
            if not place >> step & 1:
                continue
            since_ms = moment_ms if step == 0 else opened_ms[step - 1]
            if since_ms is None or moment_ms - since_ms > longest_ms:
                continue
            if times_ms[step] is None:
                times_ms[step] = 0 if step == 0 else moment_ms - ended_ms[step - 1]
            opened_ms[step] = moment_ms if config.window_from == "previous" else since_ms
            ended_ms[step] = moment_ms
    reached_times_ms = [time_ms for time_ms in times_ms if time_ms is not None]
    is_waiting = 0 < len(reached_times_ms) < step_count
    return UnitProgress(reached_times_ms, opened_ms[len(reached_times_ms) - 1] if is_waiting else None)
