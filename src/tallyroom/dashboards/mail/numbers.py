"""Numbers in full, and changes in words (rules/digests#numbers)."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from tallyroom.dashboards.mail.id_names import is_id_measure
from tallyroom.images.charts.changes import Change, find_change
from tallyroom.images.charts.full_numbers import format_full_number
from tallyroom.images.charts.number_form import NumberForm
from tallyroom.queries.config import GoodDirection
from tallyroom.queries.values import Value

NO_VALUE = "–"  # noqa: RUF001 # a dash as long as a digit

ValueFormatter = Callable[[Value], str]
Mood = Literal["good", "bad", "neutral"]


class NumberChange(NamedTuple):
    """How a number differs from the one before: an arrow, words that need no color, and whether it is good."""

    arrow: str
    description: str
    mood: Mood


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
    if value == previous:
        return NumberChange("=", f"the same as before ({previous_text})", "neutral")
    is_up = value > previous
    mood = _choose_mood(good_direction, is_up=is_up)
    verdict = {"good": ", better", "bad": ", worse", "neutral": ""}[mood]
    direction = "up" if is_up else "down"
    match find_change(value, previous):
        case Change(kind="share", text=text):
            description = f"{text} {direction} from {previous_text}"
        case Change(kind="factor", text=text):
            description = f"{text} as much as before ({previous_text})"
        case Change(kind="difference", text=text):
            description = f"{NumberForm(unit=unit or '').add_unit(text)} from {previous_text}"
        case _:
            description = f"{direction} from {previous_text}"
    return NumberChange("▲" if is_up else "▼", description + verdict, mood)


def _choose_mood(good_direction: GoodDirection | None, *, is_up: bool) -> Mood:
    if good_direction not in {"up", "down"}:
        return "neutral"
    return "good" if (good_direction == "up") == is_up else "bad"
