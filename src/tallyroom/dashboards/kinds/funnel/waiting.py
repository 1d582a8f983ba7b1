"""The units that stopped at a step, but still have time for the next one (rules/questions#time-left)."""

from collections.abc import Sequence

from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.dashboards.kinds.funnel.events import window_ms
from tallyroom.dashboards.kinds.funnel.ordering import Ordering
from tallyroom.dashboards.kinds.funnel.sort_key import BitOffset
from tallyroom.queries.question import Question


def deadline_ms(config: FunnelConfig, question: Question) -> int:
    """Return the moment after which a window must have opened to be open at the end of the time range, or now."""
    window = question.window
    return max(min(window.until_ms, question.now_ms) - window_ms(config), window.from_ms - 1)


def is_waiting_sql(step: int) -> str:
    """Return SQL that is true for a unit that reached a step but not the next one."""
    return f"reached_{step} > 0 AND reached_{step + 1} = 0"


def build_since_columns(config: FunnelConfig, steps: Sequence[int], ordering: Ordering) -> list[str]:
    """Return ``since_1`` and so on for each unit: the moment from which its time for the step after this one counts.

    It is that of the latest chain, because the time of no other lasts longer; 0 if an excluded event has broken all
    chains. With `holding`, an excluded event breaks none, because it may have come before the chain.
    """
    return [f"{_build_since_sql(config, step, ordering)} AS since_{step}" for step in steps]


def _build_since_sql(config: FunnelConfig, step: int, ordering: Ordering) -> str:
    if ordering.rank_shift:
        return f"arrayMax(opened -> bitAnd(opened, {(1 << ordering.moment_bits) - 1}), open_{step})"
    exclusions = [
        (number, exclusion) for number, exclusion in enumerate(config.exclude, 1) if exclusion.between[1] == step + 1
    ]
    if not exclusions:
        return f"arrayMax(open_{step})"
    variable_names, arrays_sql = ["opened"], [f"open_{step}"]
    conditions = []
    for number, exclusion in exclusions:
        variable_names.append(f"passed_{number}")
        arrays_sql.append(_build_passed_sql(number, exclusion.between[0], step))
        conditions.append(f"passed_{number} = excluded_{number}")
    lambda_sql = f"({', '.join(variable_names)}) -> if({' AND '.join(conditions)}, opened, 0)"
    return f"arrayMax({lambda_sql}, {', '.join(arrays_sql)})"


def _build_passed_sql(exclusion_number: int, earlier_step: int, step: int) -> str:
    """Return SQL for how many excluded events came before the chain of each event, or are part of it."""
    if earlier_step < step:
        return f"clean_{exclusion_number}_{step}"
    match_bit = BitOffset.EXCLUSION + exclusion_number - 1
    return f"arrayMap((past, match) -> past + bitTest(match, {match_bit}), past_{exclusion_number}, matches)"
