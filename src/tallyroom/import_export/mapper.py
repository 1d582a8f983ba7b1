"""Turns a row into an event according to a mapping; the server decides whether the event is valid."""

import math
import re
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Raw

from tallyroom.import_export.batch import ItemBuilder
from tallyroom.import_export.mapping import NATIVE_MAPPING, ColumnMapping, Columns
from tallyroom.import_export.row import Cell, FileRow, RowRefused, find_cell, parse_object, text_of
from tallyroom.import_export.source import FileFormat
from tallyroom.import_export.times import TimestampReader

_NULL: Final = b"null"
_ALL_COLUMNS: Final = "*"

# An integer with more digits than a double holds is an id, and must stay text to serve as a group id.
_MAX_DIGITS: Final = 15
_NUMBER_PATTERN: Final = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>0|[1-9][0-9]*|(?=\.))(?P<fraction>(?:\.[0-9]+)?)(?P<power>(?:[eE][+-]?[0-9]+)?)"
)
_NUMBER_STARTS: Final = "+-.0123456789"
_THOUSANDS_SEPARATORS: Final = ".' \u00a0\u202f\u2019"
_COMMA_NUMBER_PATTERN: Final = re.compile(
    rf"(?P<sign>[+-]?)(?P<whole>[0-9]{{1,3}}(?:[{_THOUSANDS_SEPARATORS}][0-9]{{3}})+|[0-9]+)(?:,(?P<fraction>[0-9]+))?"
)
_SEPARATOR_REMOVAL = str.maketrans("", "", _THOUSANDS_SEPARATORS)

_encode = msgspec.json.Encoder().encode


def choose_item_builder(mapping: ColumnMapping, file_format: FileFormat) -> ItemBuilder:
    """Return the builder of events from rows; a row in Tallyroom's own shape is passed on unchanged."""
    mapping_without_id = msgspec.structs.replace(mapping, id="")
    # An id that is not part of Tallyroom's own shape has to become a property.
    is_native_id = not mapping.id or mapping.id.partition(".")[0] in NATIVE_MAPPING.mapped_columns
    return (
        _pass_line_through
        if mapping_without_id == NATIVE_MAPPING and is_native_id and file_format == "ndjson"
        else EventMapper(mapping).build_event
    )


def _pass_line_through(row: FileRow) -> bytes:
    if not isinstance(row.display, bytes):
        raise RowRefused("the row is not a line of JSON")
    return row.display


class EventMapper:
    """Builds events, one after another."""

    def __init__(self, mapping: ColumnMapping) -> None:
        self._mapping = mapping
        self._mapped_columns = mapping.mapped_columns
        self._mapped_member_paths = _find_inner_paths(mapping.properties, mapping.mapped_columns)
        self._text_columns = frozenset(mapping.text)
        self._comma_columns = frozenset(mapping.decimal_comma)
        zone = ZoneInfo(mapping.zone) if mapping.zone else None
        self._timestamp_reader = TimestampReader(mapping.unit, zone, epoch_is_local=mapping.epoch_is_local)

    def build_event(self, row: FileRow) -> bytes:
        """Return the event of a row as compact JSON, or raise `RowRefused`."""
        mapping = self._mapping
        event: dict[str, Any] = {"name": self._read_event_name(row)}
        for field, columns in (("_actor", mapping.actor), ("_actorLabel", mapping.label), ("_source", mapping.source)):
            if text := self._find_first_text(row, columns, field):
                event[field] = text
        timestamp_cell = self._find_first_cell(row, mapping.timestamp)
        if timestamp_cell is not None:
            event["_timestamp"] = self._timestamp_reader.read_timestamp(timestamp_cell)
        if properties := self._read_properties(row):
            event["properties"] = properties
        try:
            return _encode(event)
        except UnicodeEncodeError:
            raise RowRefused("the row is not UTF-8") from None

    def _read_event_name(self, row: FileRow) -> str:
        mapping = self._mapping
        name = self._find_first_text(row, mapping.name, "name")
        if not name and mapping.code:
            name = mapping.names_by_code.get(self._find_first_text(row, (mapping.code,), "name"), "")
        if not name and not mapping.event:
            raise RowRefused(f"name: {' or '.join(mapping.name) or mapping.code} is missing or empty")
        return name or mapping.event

    def _find_first_text(self, row: FileRow, columns: Columns, field: str) -> str:
        for column in columns:
            cell = self._find_cell(row, column)
            if cell is not None and (text := text_of(cell, field)):
                return text
        return ""

    def _find_first_cell(self, row: FileRow, columns: Columns) -> Cell | None:
        return next((cell for column in columns if (cell := self._find_cell(row, column)) is not None), None)

    def _find_cell(self, row: FileRow, column: str) -> Cell | None:
        cell = find_cell(row.cells, column)
        return None if cell is None or cell == self._mapping.absent else cell

    def _read_properties(self, row: FileRow) -> dict[str, Any]:
        """Return the properties: the remaining columns first, then the object's members, then those of options."""
        mapping = self._mapping
        properties: dict[str, Any] = {}
        if mapping.rest:
            for column, cell in row.cells.items():
                if column not in self._mapped_columns and cell != mapping.absent:
                    properties[column.removeprefix(mapping.prefix)] = self._convert_cell(column, cell)
        object_cell = find_cell(row.cells, mapping.properties)
        if object_cell is not None:
            properties |= self._read_members(object_cell)
        for name, column in mapping.property_columns.items():
            if (column_cell := self._find_cell(row, column)) is not None:
                properties[name] = self._convert_cell(column, column_cell)
        return {name: value for name, value in properties.items() if value is not None}

    def _read_members(self, cell: Cell) -> dict[str, Raw]:
        member_values = parse_object(cell)
        if member_values is None:
            raise RowRefused(f"properties: {self._mapping.properties} is not a JSON object")
        return {name: value for name, value in member_values.items() if name not in self._mapped_member_paths}

    def _convert_cell(self, column: str, cell: Cell) -> Cell | None:
        if isinstance(cell, Raw):
            return None if bytes(cell) == _NULL else cell
        if _is_listed(column, self._text_columns):
            return cell
        parse = parse_comma_number_or_text if _is_listed(column, self._comma_columns) else _parse_number_or_text
        return parse(cell)


def _is_listed(column: str, columns: frozenset[str]) -> bool:
    return column in columns or _ALL_COLUMNS in columns


def _find_inner_paths(parent_path: str, paths: frozenset[str]) -> frozenset[str]:
    """Return the paths inside `parent_path`, relative to it."""
    return frozenset(path.removeprefix(f"{parent_path}.") for path in paths if path.startswith(f"{parent_path}."))


def _parse_number_or_text(text: str) -> Cell:
    """Read a JSON number that fits into a double; otherwise return the text, such as a phone number."""
    if text[0] not in _NUMBER_STARTS:
        return text
    match = _NUMBER_PATTERN.fullmatch(text)
    if match is None or len(match["whole"]) > _MAX_DIGITS or not math.isfinite(float(text)):
        return text
    sign, integer, fraction, power = match.groups()
    if sign == "+" and not fraction:
        return text
    return Raw(f"{'-' if sign == '-' else ''}{integer or '0'}{fraction}{power}")


def parse_comma_number_or_text(text: str) -> Cell:
    """Read a number with a decimal comma, such as ``1.234,50``; otherwise return the text."""
    match = _COMMA_NUMBER_PATTERN.fullmatch(text)
    integer = "" if match is None else match["whole"].translate(_SEPARATOR_REMOVAL).lstrip("0") or "0"
    if match is None or len(integer) > _MAX_DIGITS:
        return text
    fraction = f".{match['fraction']}" if match["fraction"] else ""
    return Raw(f"{'-' if match['sign'] == '-' else ''}{integer}{fraction}")
