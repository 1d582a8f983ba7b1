"""The window that an answer is compared with (rules/questions#comparison)."""

from zoneinfo import ZoneInfo

from tallyroom.engine.periods import Period, moved
from tallyroom.engine.question import Comparison, Question, Shift
from tallyroom.engine.spans import window_before
from tallyroom.engine.window import Window

_SHIFTS: dict[str, tuple[Period, int]] = {
    "1d": ("day", 1),
    "7d": ("day", 7),
    "28d": ("day", 28),
    "1mo": ("month", 1),
    "1y": ("year", 1),
}


def compared_window(chosen: Comparison | None, question: Question, *, default: bool) -> Window | None:
    """Return the window to compare with; None to compare with nothing.

    Args:
        chosen: by the config; a choice in the question itself comes first.
        question: the question.
        default: whether to compare with the window before if nobody has chosen.
    """
    wanted = next((each for each in (question.compare, chosen) if each is not None), default)
    if wanted is False:
        return None
    if not isinstance(wanted, Shift):
        return window_before(question.span, question.window, question.timezone)
    period, times = _SHIFTS[wanted.shift]
    zone, window = ZoneInfo(question.timezone), question.window
    from_ms, to_ms = (moved(ms, period, -times, zone) for ms in (window.from_ms, window.until_ms + 1))
    return Window(from_ms, max(to_ms - 1, from_ms))


def first_counted(window: Window, compared: Window | None) -> int:
    """Return the first millisecond from which an event counts in an answer that is compared with another window."""
    return window.from_ms if compared is None else min(window.from_ms, compared.from_ms)
