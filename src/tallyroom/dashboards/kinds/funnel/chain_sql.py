"""The SQL for each unit's chains of events (rules/questions#funnel).

For each step, an array as long as the unit's events records which of them end a chain of that many steps, and when the
next step's window opened. Each event looks back at the latest event that ended a chain one step shorter. This is exact:
windows and exclusions only ask that earlier steps be late, so the latest chain is never at a disadvantage.

For an exclusion, a chain records at the earlier step how many excluded events came before it. At the later step, the
number must be the same.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.dashboards.kinds.funnel.events import build_select
from tallyroom.dashboards.kinds.funnel.ordering import Ordering
from tallyroom.dashboards.kinds.funnel.sort_key import SERIES_NUMBER_SQL, BitOffset


def build_chains_sql(config: FunnelConfig, ordering: Ordering, window_placeholder: str) -> str:
    """Return SQL for one row for each unit, or for each series of a unit, with columns derived from its ``places``.

    - ``moments`` and ``matches`` are decoded from the places; so are ``ranks``, with `holding`.
    - ``open_1`` has one entry for each event: 0 if the event ends no chain of one step, otherwise the moment at which
      the window for the next step opened, which is the moment of this event or of the chain's first event.
    - ``clean_1_2``, of the first exclusion and the second step, has the number that a chain carries to that step.

    With options, each step has a separate SELECT, because the store repeats an expression wherever its name is used.
    """
    is_plain = not (config.exclude or ordering.has_series or ordering.rank_shift)
    place_columns = [
        f"arrayMap(place -> toUInt64(bitShiftRight(place, {ordering.moment_shift})), places) AS moments",
        f"arrayMap(place -> {'toUInt8' if is_plain else 'toUInt32'}(place), places) AS matches",
    ]
    if ordering.rank_shift:
        place_columns.append(
            f"arrayMap(place -> toUInt32(bitShiftRight(place, {ordering.rank_shift})), places) AS ranks"
        )
    first_step_condition = "bitTest(match, 0)"
    if ordering.has_series:
        first_step_condition += f" AND {SERIES_NUMBER_SQL.replace('place', 'match')} = series"
    column_levels = [
        place_columns,
        [f"arrayMap((match, moment) -> if({first_step_condition}, moment, 0), matches, moments) AS open_1"],
    ]
    later_steps = range(2, len(config.steps) + 1)
    column_levels += [
        [*_build_clean_columns(config, step), _build_open_column(config, step, window_placeholder)]
        for step in later_steps
    ]
    columns = [*ordering.columns, *ordering.final_columns]
    if is_plain:
        return build_select([*columns, *chain.from_iterable(column_levels)], ordering.source_sql, ordering.after_sql)
    sql = build_select(columns, ordering.source_sql, ordering.after_sql)
    for level_columns in column_levels:
        sql = build_select(["*", *level_columns], sql)
    return sql


def _build_open_column(config: FunnelConfig, step: int, window_placeholder: str) -> str:
    """Return ``open_2`` and so on; 0 means no chain, because every moment is more than a whole window later."""
    opened_variable = "moment" if config.window_from == "previous" else "since"
    step_conditions = [f"bitTest(match, {step - 1}) AND moment - since <= {window_placeholder}"]
    variable_names, arrays_sql = ["match", "moment", "since"], ["matches", "moments", _latest_sql(f"open_{step - 1}")]
    for exclusion_number, exclusion in enumerate(config.exclude, 1):
        if exclusion.between[1] == step:
            step_conditions.append(f"clean_{exclusion_number} = past_{exclusion_number}")
            variable_names += [f"clean_{exclusion_number}", f"past_{exclusion_number}"]
            arrays_sql += [f"clean_{exclusion_number}_{step}", f"past_{exclusion_number}"]
    lambda_sql = f"({', '.join(variable_names)}) -> if({' AND '.join(step_conditions)}, {opened_variable}, 0)"
    return f"arrayMap({lambda_sql}, {', '.join(arrays_sql)}) AS open_{step}"


def _build_clean_columns(config: FunnelConfig, step: int) -> Iterator[str]:
    for exclusion_number, exclusion in enumerate(config.exclude, 1):
        earlier, later = exclusion.between
        if earlier + 1 == step:
            match_bit = BitOffset.EXCLUSION + exclusion_number - 1
            count_sql = (
                f"arrayMap((past, match) -> past + bitTest(match, {match_bit}), past_{exclusion_number}, matches)"
            )
        elif earlier < step <= later:
            count_sql = f"clean_{exclusion_number}_{step - 1}"
        else:
            continue
        yield f"{_latest_sql(count_sql, f'open_{step - 1}')} AS clean_{exclusion_number}_{step}"


def _latest_sql(array_sql: str, open_array_sql: str = "") -> str:
    """Return SQL for the latest entry before each event whose chain is open, by `open_array_sql` if given."""
    arguments = f"opened -> opened > 0, {array_sql}"
    if open_array_sql:
        arguments = f"(each, opened) -> opened > 0, {array_sql}, {open_array_sql}"
    return f"arrayShiftRight(arrayFill({arguments}), 1)"


def build_reached_columns(steps: Sequence[int], ordering: Ordering) -> list[str]:
    """Return columns for each unit, derived from the columns of `build_chains_sql`.

    - ``reached_1`` is the index of the first event that ends a chain of one step; 0 if there is none. With `holding` it
      is the rank of that event.
    - ``took_2`` is the time in milliseconds from the latest event that ended a chain of one step to the event that
      reached step 2. With `holding`, ``waits_2`` has that time for each of its values.
    """
    if not ordering.rank_shift:
        reached_index_columns = [
            f"arrayFirstIndex(opened -> opened > 0, open_{step}) AS reached_{step}" for step in steps
        ]
        return reached_index_columns + [
            f"moments[reached_{step}] - moments[arrayLastIndex(opened -> opened > 0,"
            f" arraySlice(open_{step - 1}, 1, reached_{step} - 1))] AS took_{step}"
            for step in steps[1:]
        ]
    columns = [
        f"arrayMin(arrayFilter((rank, opened) -> opened > 0, ranks, open_{step})) AS reached_{step}" for step in steps
    ]
    for step in steps[1:]:
        since_sql = _latest_sql("moments", f"open_{step - 1}")
        waits_sql = f"arrayMap((moment, since) -> moment - since, moments, {since_sql})"
        lambda_sql = f"(wait, rank, opened) -> opened > 0 AND rank = reached_{step}"
        columns.append(f"arrayFilter({lambda_sql}, {waits_sql}, ranks, open_{step}) AS waits_{step}")
        columns.append(f"arrayMin(waits_{step}) AS took_{step}")
    return columns
