"""How far an actor gets, from the moments of its events; a place has one bit for each step that an event matches."""

from typing import Any

import msgspec
import pytest

from harness.stores.questions import question
from tallyroom.core.times import HOUR_MS
from tallyroom.dashboards.kinds.funnel.config import FunnelConfig
from tallyroom.dashboards.kinds.funnel.kept_form import build_unit_query, measure_chains
from tallyroom.queries.unit_queries import CODE_BITS

START_MS = 1_000 * HOUR_MS
A, B, C = 0b001, 0b010, 0b100


def make_config(**options: Any) -> FunnelConfig:
    """A funnel of three steps with a window of 24 hours."""
    steps = [{"event": name} for name in "abc"]
    return msgspec.convert({"steps": steps, "windowHours": 24} | options, FunnelConfig)


def measure(*events: tuple[int, int], **options: Any) -> list[int]:
    """The hours from step to step; events are hours and what they match."""
    places = [((START_MS + hours * HOUR_MS) << CODE_BITS) + matches for hours, matches in events]
    return [time_ms // HOUR_MS for time_ms in measure_chains(make_config(**options), places).numbers]


def measure_wait(*events: tuple[int, int], **options: Any) -> int | None:
    """The hour from which the time for the next step counts."""
    places = [((START_MS + hours * HOUR_MS) << CODE_BITS) + matches for hours, matches in events]
    since_ms = measure_chains(make_config(**options), places).waiting_since_ms
    return None if since_ms is None else (since_ms - START_MS) // HOUR_MS


def test_time_for_the_next_step_counts_from_the_latest_chain() -> None:
    assert measure_wait((0, A), (5, A)) == 5
    assert measure_wait((0, A), (5, B), (7, A), (9, B)) == 9
    assert measure_wait((0, A), (5, B), (7, A), (9, B), windowFrom="first") == 7
    assert measure_wait((0, A), (1, B), (2, C)) is None
    assert measure_wait((0, B)) is None


def test_steps_count_in_their_order() -> None:
    assert measure((0, A), (1, B), (3, C)) == [0, 1, 2]
    assert measure((0, C), (1, B), (3, A)) == [0]
    assert measure((0, B), (1, C)) == []
    assert measure() == []


def test_a_step_counts_from_the_latest_chain_and_is_reached_once() -> None:
    assert measure((0, A), (5, A), (7, B), (8, B)) == [0, 2]


def test_a_step_must_be_within_the_window_of_the_one_before() -> None:
    assert measure((0, A), (24, B), (48, C)) == [0, 24, 24]
    assert measure((0, A), (25, B)) == [0]


def test_a_whole_chain_can_have_to_be_within_the_window() -> None:
    assert measure((0, A), (20, B), (24, C), windowFrom="first") == [0, 20, 4]
    assert measure((0, A), (20, B), (25, C), windowFrom="first") == [0, 20]


def test_an_event_of_two_steps_does_not_follow_itself() -> None:
    assert measure((0, A + B)) == [0]
    assert measure((0, A + B), (1, A + B), (2, A + B + C)) == [0, 1, 1]


def test_two_equal_events_at_the_same_moment_follow_each_other() -> None:
    assert measure((0, A + B), (0, A + B)) == [0, 0]


def test_events_at_the_same_moment_follow_each_other_as_they_arrived() -> None:
    assert measure((0, A), (0, B)) == [0, 0]
    assert measure((0, B), (0, A)) == [0]


@pytest.mark.parametrize(
    "options",
    [{"breakdown": "plan"}, {"holding": "plan"}, {"times": True}, {"exclude": [{"event": "d", "between": [1, 2]}]}],
)
def test_a_funnel_with_options_has_no_such_form(options: dict[str, Any]) -> None:
    assert build_unit_query(make_config(), question()) is not None
    assert build_unit_query(make_config(**options), question()) is None
