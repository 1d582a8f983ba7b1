"""Who is behind the steps of a funnel (rules/questions#behind-a-number)."""

import msgspec

from tallyroom.queries.bound_values import Bound
from tallyroom.queries.data_point import Spot, check_form, no_such
from tallyroom.queries.evidence import Evidence
from tallyroom.queries.kinds.funnel.chain_sql import reached, with_chains
from tallyroom.queries.kinds.funnel.config import FunnelConfig
from tallyroom.queries.kinds.funnel.events import matching, of_units, select, window_ms
from tallyroom.queries.kinds.funnel.ordering import bits_of, ordered
from tallyroom.queries.kinds.funnel.sort_key import by_arrival
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import Question
from tallyroom.queries.units import unit_of


def behind(config: FunnelConfig, question: Question, spot: Spot) -> QueryPlan[Evidence]:
    """Find the events of those who reached a step, or of those of them who did not reach the next one."""
    yield from ()
    check_form(spot, ("step", "outcome"))
    last = len(config.steps)
    if not isinstance(spot.step, int) or spot.step > last:
        raise no_such("step", f"is not the number of a step, which go from 1 to {last}")
    if spot.outcome == "dropped" and spot.step == last:
        raise no_such("outcome", "has to be reached at the last step, after which nobody can drop out")
    condition = f"reached_{spot.step} > 0"
    if spot.outcome == "dropped":
        condition += f" AND reached_{spot.step + 1} = 0"
    bound = Bound()
    units = select(["unit"], _units(config, question, bound), f"\nWHERE {condition}")
    return Evidence(of_units(config, units, question, bound), bound, unit_of(config.count, question, bound).count)


def _units(config: FunnelConfig, question: Question, bound: Bound) -> str:
    """Return SQL for a row for each unit that has an event of a step, with the steps that it reached."""
    order = by_arrival(bits_of(config, []))
    ordering = ordered(config, [], question, matching(config, [], question, bound), order)
    ordering = msgspec.structs.replace(ordering, final_columns=[*ordering.final_columns, "unit"])
    events = with_chains(config, ordering, bound.integer("window_ms", window_ms(config)))
    return select(["unit", "moments", *reached(range(1, len(config.steps) + 1), ordering)], events)
