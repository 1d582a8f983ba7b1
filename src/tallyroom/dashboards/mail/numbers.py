"""Numbers in full, and changes in words (rules/digests#numbers)."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from tallyroom.dashboards.mail.id_names import is_id_measure
from tallyroom.images.charts.changes import Direction, find_change
from tallyroom.images.charts.full_numbers import format_full_number
from tallyroom.images.charts.goals import GoalProgress, measure_goal
from tallyroom.images.charts.number_form import NumberForm
from tallyroom.queries.config import GoodDirection
from tallyroom.queries.values import Value

NO_VALUE = "–"  # noqa: RUF001 # a dash as long as a digit

ValueFormatter = Callable[[Value], str]
Mood = Literal["good", "bad", "neutral"]
Sign = Literal["\u2191", "\u2193", ""]

VERDICT_BY_MOOD: dict[Mood, str] = {"good": ", better", "bad": ", worse", "neutral": ""}
"""What the color of a change means, in words that follow it."""

_SIGN_BY_DIRECTION: dict[Direction, Sign] = {"up": "\u2191", "down": "\u2193", "none": ""}


class NumberChange(NamedTuple):
    """How a number differs from the one before, in the words and signs of the web app.

    `sign` is an arrow, or empty if `text` has its own sign or needs none. `text` is empty if a number of 0 has changed,
    and `previous_text` is the number before.
    """

    value: float
    previous: float
    sign: Sign
    text: str
    previous_text: str
    mood: Mood

    @property
    def short_text(self) -> str:
        """The change without the number before."""
        return f"{self.sign} {self.text}" if self.sign else self.text

    @property
    def spoken_text(self) -> str:
        """The change for readers who see neither arrows nor colors."""
        direction = {"\u2191": "up ", "\u2193": "down ", "": ""}[self.sign]
        return f"{direction}{self.text}{VERDICT_BY_MOOD[self.mood]}"


def format_full(value: Value) -> str:
    """Write a number as alert messages do, and a dash for None."""
    return NO_VALUE if value is None else format_full_number(value)


def format_id(value: Value) -> str:
    """Write an id without thousands separators, and a dash for None."""
    return NO_VALUE if value is None else str(value)


def choose_formatter(config: Any) -> ValueFormatter:
    """Return how the values of a measure are written: an id as it was sent, any other number in full."""
    return format_id if is_id_measure(config.measure, config.property) else format_full


def add_unit(format_value: ValueFormatter, unit: str | None) -> ValueFormatter:
    """Return how values are written with a unit after them; a missing value has none."""
    form = NumberForm(unit=unit or "")
    return lambda value: format_value(value) if value is None else form.add_unit(format_value(value))


def find_goal_progress(
    value: Value, goal: float | None, good_direction: GoodDirection | None, format_value: ValueFormatter = format_full
) -> GoalProgress | None:
    """Return how far a number is from its goal; None if it has none."""
    return None if value is None or goal is None else measure_goal(value, goal, good_direction, format_value)


def describe_change(
    value: Value,
    previous: Value,
    good_direction: GoodDirection | None,
    format_value: ValueFormatter = format_full,
    unit: str | None = None,
) -> NumberChange | None:
    """Return the change from `previous` to `value` in a unit; None if there is nothing to compare with."""
    if value is None or previous is None:
        return None
    previous_text = add_unit(format_value, unit)(previous)
    change = find_change(value, previous)
    if change is None:
        return NumberChange(value, previous, "", "", previous_text, "neutral")
    is_difference = change.kind == "difference"
    return NumberChange(
        value,
        previous,
        "" if is_difference else _SIGN_BY_DIRECTION[change.direction],
        NumberForm(unit=unit or "").add_unit(change.text) if is_difference and value != previous else change.text,
        previous_text,
        _choose_mood(good_direction, change.direction),
    )


def _choose_mood(good_direction: GoodDirection | None, direction: Direction) -> Mood:
    if direction == "none" or good_direction not in {"up", "down"}:
        return "neutral"
    return "good" if good_direction == direction else "bad"
