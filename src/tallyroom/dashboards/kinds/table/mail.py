"""How a mail shows a table: its first columns and newest rows."""

from typing import Any

import msgspec

from tallyroom.dashboards.kinds.table.question import Table
from tallyroom.dashboards.mail.contents import (
    MAX_ROWS,
    MailContent,
    MailNote,
    MailTable,
    MailWidget,
    format_left_out_rows,
    shorten_cell,
)
from tallyroom.dashboards.mail.dates import format_short_time
from tallyroom.dashboards.mail.id_names import is_id_key
from tallyroom.dashboards.mail.numbers import NO_VALUE, format_full, format_id
from tallyroom.dashboards.words import key_name
from tallyroom.queries.keys import PROPERTY_PREFIX

_MAX_COLUMNS = 4


def build_mail_contents(widget: MailWidget, result: Table) -> list[MailContent]:
    """Return the table, and a sentence about the rows and columns that are left out."""
    if not result.rows:
        return [MailNote("No events in this time range.")]
    columns, result_rows = result.columns[:_MAX_COLUMNS], result.rows[:MAX_ROWS]
    value_rows = [[_decode_value(row.values.get(column)) for column in columns] for row in result_rows]
    rows = [
        [_format_value(value, column, widget.timezone) for value, column in zip(row, columns, strict=True)]
        for row in value_rows
    ]
    left_out_note = format_left_out_rows(len(result.rows) - len(result_rows))
    if hidden_column_count := len(result.columns) - len(columns):
        left_out_note = ", ".join(
            filter(None, [left_out_note, f"{hidden_column_count} more column{'s' * (hidden_column_count > 1)}"])
        )
    is_number_by_column = [_are_all_numbers([row[index] for row in value_rows]) for index in range(len(columns))]
    return [MailTable([key_name(column) for column in columns], rows, is_number_by_column, left_out_note=left_out_note)]


def _decode_value(value: Any) -> Any:
    return msgspec.json.decode(value) if isinstance(value, msgspec.Raw) else value


def _are_all_numbers(values: list[Any]) -> bool:
    actual_values = [value for value in values if value is not None]
    return bool(actual_values) and all(_is_number(value) for value in actual_values)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _format_value(value: Any, column: str, timezone: str) -> str:
    if value is None:
        return NO_VALUE
    if column == "time":
        return format_short_time(value, timezone)
    if _is_number(value):
        is_id = column.startswith(PROPERTY_PREFIX) and is_id_key(key_name(column))
        return format_id(value) if is_id else format_full(value)
    return shorten_cell(value if isinstance(value, str) else msgspec.json.encode(value).decode())
