"""How far a number is from its goal (rules/questions#goals, fixtures/charts/goals.json)."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from tallyroom.images.charts.number_format import format_number

GoalState = Literal["met", "open", "missed"]

WORDS_BY_STATE: dict[GoalState, str] = {"met": "goal met", "open": "", "missed": "over the goal"}


class GoalProgress(NamedTuple):
    """A number and its goal in words, and the share of the goal that a bar shows, from 0 to 1."""

    state: GoalState
    share: float
    text: str

    @property
    def sentence(self) -> str:
        """The words with what the state means."""
        return ", ".join(text for text in (self.text, WORDS_BY_STATE[self.state]) if text)


def measure_goal(
    value: float,
    goal: float,
    good_direction: str | None,
    format_value: Callable[[float], str] = format_number,
) -> GoalProgress:
    """Return how far a number is; a goal for which `down` is good is the most that the number may be."""
    is_limit = good_direction == "down"
    is_met = value <= goal if is_limit else value >= goal
    state: GoalState = "met" if is_met else "missed" if is_limit else "open"
    return GoalProgress(
        state, _find_share(value, goal, is_met=is_met), f"{format_value(value)} of {format_value(goal)}"
    )


def _find_share(value: float, goal: float, *, is_met: bool) -> float:
    if goal <= 0:
        return float(is_met)
    return min(max(value / goal, 0.0), 1.0)
