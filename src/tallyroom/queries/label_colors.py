"""The colors of an answer's labels, for readers who must not have the colors that a widget has saved.

Only the colors of labels in the answer leave the members' side (rules/boards#public-colors).
"""

from collections.abc import Sequence
from typing import TypeVar

from msgspec import structs

from tallyroom.core.value_colors import assign_colors
from tallyroom.queries.breakdown import LabelRow
from tallyroom.queries.config import Config, Result
from tallyroom.queries.metric_answers import Categorical, Multiseries, Series

Entry = TypeVar("Entry", LabelRow, Series)


def color_labels(config: Config, result: Result) -> Result:
    """Return an answer whose rows or series have their colors; other answers stay as they are."""
    match result:
        case Categorical():
            return structs.replace(result, rows=_color_entries(result.rows, chosen_colors_of(config)))
        case Multiseries():
            return structs.replace(result, series=_color_entries(result.series, chosen_colors_of(config)))
        case _:
            return result


def chosen_colors_of(config: Config) -> dict[str, int]:
    """Return the colors that a widget has saved for values."""
    return (config.display and config.display.colors) or {}


def _color_entries(entries: Sequence[Entry], chosen_colors: dict[str, int]) -> list[Entry]:
    """Return the entries with colors, except for other labels, whose gray is no label's color."""
    values = [None if entry.kind == "other" else "(none)" if entry.label is None else entry.label for entry in entries]
    colors = assign_colors([value for value in values if value is not None], chosen_colors)
    return [
        entry if value is None else structs.replace(entry, color=colors[value])
        for entry, value in zip(entries, values, strict=True)
    ]
