"""What a mail shows of a table: its first columns and newest rows."""

from typing import Any

import msgspec

from tallyroom.dashboards.kinds.table.question import Table
from tallyroom.dashboards.mail.cells import MAX_ROWS, format_left_out, shorten_cell
from tallyroom.dashboards.mail.contents import Content, MailNote, MailTable, WidgetDetail
from tallyroom.dashboards.mail.dates import short_time
from tallyroom.dashboards.mail.id_names import is_id
from tallyroom.dashboards.mail.numbers import NO_VALUE, format_as_sent, format_full
from tallyroom.dashboards.words import key_name
from tallyroom.queries.keys import PROPERTY_PREFIX

_MAX_COLUMNS = 4


def contents(widget: WidgetDetail, result: Table) -> list[Content]:
    """Return the table, and a sentence about the rows and columns that are not there."""
    if not result.rows:
        return [MailNote("No events in this time.")]
    columns, result_rows = result.columns[:_MAX_COLUMNS], result.rows[:MAX_ROWS]
    values = [[_decode_value(row.values.get(column)) for column in columns] for row in result_rows]
    rows = [
        [_format_value(value, column, widget.timezone) for value, column in zip(row, columns, strict=True)]
        for row in values
    ]
    left_out_text = format_left_out(len(result.rows) - len(result_rows))
    if hidden_count := len(result.columns) - len(columns):
        left_out_text = ", ".join(
            filter(None, [left_out_text, f"{hidden_count} more column{'s' * (hidden_count > 1)}"])
        )
    are_numbers = [_are_numbers([row[index] for row in values]) for index in range(len(columns))]
    return [MailTable([key_name(column) for column in columns], rows, are_numbers, left_out=left_out_text)]


def _decode_value(value: Any) -> Any:
    return msgspec.json.decode(value) if isinstance(value, msgspec.Raw) else value


def _are_numbers(values: list[Any]) -> bool:
    actual_values = [value for value in values if value is not None]
    return bool(actual_values) and all(_is_number(value) for value in actual_values)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _format_value(value: Any, column: str, timezone: str) -> str:
    """Write a value of an event."""
    if value is None:
        return NO_VALUE
    if column == "time":
        return short_time(value, timezone)
    if _is_number(value):
        return (
            format_as_sent(value)
            if column.startswith(PROPERTY_PREFIX) and is_id(key_name(column))
            else format_full(value)
        )
    return shorten_cell(value if isinstance(value, str) else msgspec.json.encode(value).decode())
