"""The window that an answer is compared with (rules/questions#comparison)."""

from collections.abc import Sequence
from typing import Protocol
from zoneinfo import ZoneInfo

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.calendar import Period, shift_ms, shift_ms_or_month_end
from tallyroom.queries.question import Comparison, Question, Shift
from tallyroom.queries.time_ranges import find_window_before
from tallyroom.queries.window import Window

_PERIODS_BY_SHIFT: dict[str, tuple[Period, int]] = {
    "1d": ("day", 1),
    "7d": ("day", 7),
    "28d": ("day", 28),
    "1mo": ("month", 1),
    "1y": ("year", 1),
}


def resolve_earlier_window(
    config_comparison: Comparison | None, question: Question, *, compares_by_default: bool
) -> Window | None:
    """Return the window to compare with, if any: by the question's comparison, else the config's or the default."""
    comparison = config_comparison if question.comparison is None else question.comparison
    if comparison is None:
        comparison = compares_by_default
    if comparison is False:
        return None
    if not isinstance(comparison, Shift):
        return find_window_before(question.time_range, question.window, question.timezone)
    period, period_count = _PERIODS_BY_SHIFT[comparison.shift]
    zone, window = ZoneInfo(question.timezone), question.window
    from_ms = shift_ms(window.from_ms, period, -period_count, zone)
    return Window(from_ms, max(shift_ms_or_month_end(window.until_ms, period, -period_count, zone), from_ms))


class ComparedConfig(Protocol):
    """Anything with the fields on which a comparison depends."""

    @property
    def breakdown(self) -> str | None:
        """The key by whose labels the answer is split."""

    @property
    def over_time(self) -> bool:
        """Whether the answer has a point for each bucket."""

    @property
    def compare(self) -> Comparison | None:
        """What the answer is compared with."""


def check_comparison(config: ComparedConfig, path: Sequence[str | int]) -> None:
    """Refuse a comparison of labels that are not over time."""
    if config.breakdown is not None and not config.over_time and config.compare:
        raise ValidationFailed.at([*path, "compare"], "is not valid with a breakdown unless overTime is true")


def find_earlier_window(config: ComparedConfig, question: Question) -> Window | None:
    """Return the window to compare with: by default, a single number has one, labels alone have none."""
    if config.breakdown is not None and not config.over_time:
        return None
    return resolve_earlier_window(config.compare, question, compares_by_default=not config.over_time)


def find_covered_window(config: ComparedConfig, question: Question) -> Window:
    """Return the time whose events count in an answer, with the window that it is compared with."""
    return union_of_windows(question.window, find_earlier_window(config, question))


def union_of_windows(window: Window, earlier_window: Window | None) -> Window:
    """Return the time from the start of the earlier window to the end of the later one."""
    if earlier_window is None:
        return window
    return Window(min(window.from_ms, earlier_window.from_ms), max(window.until_ms, earlier_window.until_ms))
