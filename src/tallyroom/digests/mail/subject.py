"""The subject of a mail: its name as it was typed, the largest change, and the period (rules/digests#subject)."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tallyroom.dashboards.mail.contents import BigNumber, WidgetPart
from tallyroom.dashboards.mail.numbers import NumberChange
from tallyroom.digests.mail.untrusted_text import to_single_line

MAX_LENGTH: Final = 78
"""The length of a subject in characters that mail programs show, which only a long name exceeds."""

_FLOOR = 50  # added to both numbers, so that small ones have no large changes
_MIN_FACTOR = 1.1
_FACTOR_DIGITS = 2  # changes that differ less are equally large
_MIN_LABEL_LENGTH = 12  # a label is not cut to less
_LEFT_TO_RIGHT_MARK = "\u200e"


class LabeledChange(NamedTuple):
    """A change of a number, and what the number is called."""

    label: str
    change: NumberChange


def build_subject(name: str, parts: Sequence[WidgetPart], period_text: str) -> str:
    """Return the subject; if it would be too long, the period gives way to the change, then the label is cut."""
    subject_without_change = f"{name}: {period_text}"
    largest = find_largest_change(parts)
    if largest is None:
        return subject_without_change
    start, label, change_text = f"{name}: ", _mark_direction(largest.label), largest.change.short_text
    for subject in (f"{start}{label} {change_text}, {period_text}", f"{start}{label} {change_text}"):
        if len(subject) <= MAX_LENGTH:
            return subject
    room = MAX_LENGTH - len(f"{start}…{_LEFT_TO_RIGHT_MARK} {change_text}")
    if room < _MIN_LABEL_LENGTH:
        return subject_without_change
    return f"{start}{_mark_direction(largest.label[:room].rstrip() + '…')} {change_text}"


def find_largest_change(parts: Sequence[WidgetPart]) -> LabeledChange | None:
    """Return the largest change of a number since the time before; None if no change is large."""
    sized_changes = [
        (round(factor, _FACTOR_DIGITS), labeled.change.mood == "bad", labeled)
        for labeled in _list_changes(parts)
        if (factor := _find_factor(labeled.change)) >= _MIN_FACTOR
    ]
    return max(sized_changes, key=lambda sized: sized[:2])[2] if sized_changes else None


def _find_factor(change: NumberChange) -> float:
    """Return how many times as large the larger number is: the same for one that doubles and one that halves."""
    smaller, larger = sorted((change.value + _FLOOR, change.previous + _FLOOR))
    return larger / smaller


def _list_changes(parts: Sequence[WidgetPart]) -> Iterator[LabeledChange]:
    """Yield the changes that have an arrow, in the order of the dashboard."""
    for part in parts:
        for content in part.contents:
            if isinstance(content, BigNumber) and content.change and content.change.sign:
                label = to_single_line(content.label or part.title)
                if label:
                    yield LabeledChange(label, content.change)


def _mark_direction(label: str) -> str:
    """Return a label after which text is read from left to right."""
    is_right_to_left = any(unicodedata.bidirectional(character) in {"R", "AL"} for character in label)
    return label + _LEFT_TO_RIGHT_MARK if is_right_to_left else label
