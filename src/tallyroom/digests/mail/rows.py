"""Which parts of a mail are next to each other, and how wide they are (rules/digests#email).

A mail has half of a dashboard's width: numbers fit three in a row, everything else two.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

from tallyroom.dashboards.mail.contents import BigNumber, MailTable, WidgetPart

MAIL_WIDTH: Final = 640
GAP_WIDTH: Final = 12
"""The space between two parts, in pixels."""

T = TypeVar("T")

_GRID_COLUMNS = 12
_WHOLE = 6  # sixths of a mail's width
_NUMBER_SPAN, _PART_SPAN = 2, 3  # the least sixths of a single number, and of anything else
_MAX_COLUMNS_OF_HALF = 3  # a table with more has a row to itself


class PlacedPart(NamedTuple):
    """A part and its width in pixels."""

    part: WidgetPart
    width: int


def place_parts(parts: Sequence[WidgetPart]) -> list[list[PlacedPart]]:
    """Return the rows of a mail: parts of one row of the dashboard stay together as far as they fit."""
    return [_set_widths(row) for board_row in _split_by_grid(parts) for row in _split_by_width(board_row)]


def is_lone_number(part: WidgetPart) -> bool:
    """Return True for a part that is a single number."""
    return len(part.contents) == 1 and isinstance(part.contents[0], BigNumber)


def split_evenly(items: Sequence[T], max_count: int) -> list[list[T]]:
    """Return rows of at most `max_count` items that are about as full: four items of at most three are two and two."""
    row_count = -(-len(items) // max_count)
    count = -(-len(items) // row_count)
    return [list(items[start : start + count]) for start in range(0, len(items), count)]


def _split_by_grid(parts: Sequence[WidgetPart]) -> list[list[WidgetPart]]:
    """Return the rows of the dashboard's grid, on which parts follow each other."""
    rows: list[list[WidgetPart]] = []
    free_columns = 0
    for part in parts:
        if part.column_count > free_columns:
            rows.append([])
            free_columns = _GRID_COLUMNS
        rows[-1].append(part)
        free_columns -= part.column_count
    return rows


def _split_by_width(board_row: Sequence[WidgetPart]) -> Iterable[list[WidgetPart]]:
    """Yield the parts of a dashboard's row in rows of a mail."""
    if all(map(is_lone_number, board_row)):
        yield from split_evenly(board_row, _WHOLE // _NUMBER_SPAN)
        return
    row: list[WidgetPart] = []
    for part in board_row:
        if row and sum(map(_least_span, row)) + _least_span(part) > _WHOLE:
            yield row
            row = []
        row.append(part)
    yield row


def _least_span(part: WidgetPart) -> int:
    if is_lone_number(part):
        return _NUMBER_SPAN
    is_wide = any(
        isinstance(content, MailTable) and len(content.column_names) > _MAX_COLUMNS_OF_HALF for content in part.contents
    )
    return _WHOLE if is_wide else _PART_SPAN


def _set_widths(row: Sequence[WidgetPart]) -> list[PlacedPart]:
    """Share the width: a number beside something else has a third, parts that are alike have the same."""
    spans = [_least_span(part) for part in row]
    if len(set(spans)) == 1:
        return [PlacedPart(part, _width_of_share(1, len(row))) for part in row]
    return [
        PlacedPart(part, _width_of_share(1 if span == _NUMBER_SPAN else 2, 3))
        for part, span in zip(row, spans, strict=True)
    ]


def _width_of_share(share: int, whole: int) -> int:
    """Return the width of a share of a row, with the gaps within the share."""
    return (MAIL_WIDTH + GAP_WIDTH) * share // whole - GAP_WIDTH
