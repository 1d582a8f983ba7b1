"""What is known of an answer before it is there, so that a page can keep its place (rules/boards#nothing-moves)."""

from typing import Any

import msgspec


class Outline(msgspec.Struct, frozen=True):
    """The `kind` of the answer, and how many numbers, rows, steps or periods it has at most, 1 if it has none."""

    answer: str
    parts: int = 1


def build_measured_outline(config: Any, *, rest_count: int = 0) -> Outline:
    """Return the outline of a metric or a formula; `rest_count` is how many rows a list has for the other labels."""
    if config.over_time:
        return Outline("timeseries" if config.breakdown is None else "multiseries")
    return Outline("counter") if config.breakdown is None else Outline("categorical", config.limit + rest_count)
