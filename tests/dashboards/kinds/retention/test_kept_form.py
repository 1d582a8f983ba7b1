"""The states of units, from which retention follows (rules/questions#retention)."""

from tallyroom.dashboards.kinds.retention.kept_form import count_returns, merge_states

NO_COHORT = 15


def state_of(cohort_number: int, *periods: int) -> int:
    """A unit of a cohort with return events in some periods; 0 is before the grid."""
    return cohort_number << 16 | sum(1 << period for period in periods)


def test_the_earlier_cohort_and_all_periods_count() -> None:
    assert merge_states(state_of(3, 3), state_of(2, 2, 3)) == state_of(2, 2, 3)
    assert merge_states(state_of(NO_COHORT, 1), state_of(4, 4)) == state_of(4, 1, 4)
    assert merge_states(state_of(NO_COHORT), state_of(NO_COHORT, 12)) == state_of(NO_COHORT, 12)


def test_only_units_that_joined_in_the_grid_count() -> None:
    count_by_state = {state_of(0, 1, 2): 5, state_of(NO_COHORT, 1): 6, state_of(2, 2): 3, state_of(2, 0, 2, 3): 4}
    assert count_returns(count_by_state, 3) == {2: (7, [0, 7, 4])}
