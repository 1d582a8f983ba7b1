"""The fields of a listing's rows, and how to read each one from a cell (rules/statistics#bot-record)."""

import re
from collections.abc import Callable
from enum import Enum
from typing import Any, Final

import msgspec
from msgspec import Raw

from tallyroom.import_export.row import Cell
from tallyroom.import_export.times import TimestampReader

FieldKind = Enum(
    "FieldKind", ["ID", "TITLE", "TEXT", "SHORT_TEXT", "URL", "FLAG", "COUNT", "RATING", "IDS", "TITLES", "TIMESTAMP"]
)
"""The type of a field."""

COUNTER_FIELDS: Final[dict[str, FieldKind]] = {
    "server_count": FieldKind.COUNT,
    "shard_count": FieldKind.COUNT,
    "monthly_votes": FieldKind.COUNT,
    "total_votes": FieldKind.COUNT,
    "review_count": FieldKind.COUNT,
    "avg_review_rating": FieldKind.RATING,
}
"""The counters that a bot has at a moment."""

BOT_FIELDS: Final[dict[str, FieldKind]] = {
    "id": FieldKind.ID,
    "name": FieldKind.TITLE,
    "listingId": FieldKind.ID,
    "certified": FieldKind.FLAG,
    "owners": FieldKind.IDS,
    "deleted": FieldKind.FLAG,
    "def_avatar": FieldKind.TITLE,
    "avatar": FieldKind.URL,
    "short_desc": FieldKind.TEXT,
    "lib": FieldKind.TITLE,
    "prefix": FieldKind.TITLE,
    "website": FieldKind.URL,
    "approved_at": FieldKind.TIMESTAMP,
    "tags": FieldKind.TITLES,
    "unlisted": FieldKind.FLAG,
    "unlisted_reason": FieldKind.SHORT_TEXT,
    **COUNTER_FIELDS,
}
"""The fields of a row about a bot, except for its time."""

VOTE_FIELDS: Final[dict[str, FieldKind]] = {
    "bot": FieldKind.ID,
    "userId": FieldKind.ID,
    "isWeekend": FieldKind.FLAG,
    "id": FieldKind.TITLE,
    "username": FieldKind.TITLE,
    "avatar": FieldKind.URL,
    "listingId": FieldKind.ID,
}
"""The fields of a row about a vote, except for its time."""

TIMESTAMP_FIELDS: Final = ("timestamp", "time", "unix_timestamp")
"""The fields that may contain a row's time; the first non-empty one counts."""

_CHANGE_SUFFIXES: Final = ("rank", "rank_change", "change", "change_perc")
READ_ONLY_FIELDS: Final = frozenset(
    f"{counter}_{suffix}" for counter in COUNTER_FIELDS for suffix in _CHANGE_SUFFIXES
) | {"topGGId", "counter_source", "percentage_changes"}
"""Fields of a listing's answers that it computes itself."""

LEADERBOARD_FIELDS: Final = frozenset({"voteCount", "totalVotesByWeight", "streakCount"})
"""Fields that only a leaderboard entry has."""

_TEXT_KINDS: Final = frozenset({FieldKind.TITLE, FieldKind.TEXT, FieldKind.SHORT_TEXT, FieldKind.URL})
_FLAG_BY_WORD: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_INTEGER_PATTERN: Final = re.compile(r"(-?[0-9]+)(?:\.0+)?")
_NUMBER_PATTERN: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
_MAX_DIGITS: Final = 19
_LIST_SEPARATOR: Final = ";"


class CellReader:
    """Converts cells to the right type; a cell that cannot be converted is kept unchanged."""

    def __init__(self, timestamp_reader: TimestampReader) -> None:
        self._timestamp_reader = timestamp_reader

    def read_cell(self, kind: FieldKind, cell: Cell) -> Any:
        """Return the value, or None if the cell is empty; raise `RowRefused` if it is not a time in the unit."""
        value = decode_cell(cell)
        if value is None or (value == "" and kind not in _TEXT_KINDS):
            return None
        if kind is FieldKind.TIMESTAMP:
            return self._timestamp_reader.read_timestamp(cell)
        return _PARSER_BY_KIND[kind](value)


def decode_cell(cell: Cell) -> Any:
    """Return the content of a cell, which is CSV text or a JSON value."""
    try:
        return msgspec.json.decode(cell) if isinstance(cell, Raw) else cell
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return cell


def _number_to_text(value: Any) -> Any:
    """Return an id as text, even if the file has it as a number."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _parse_flag(value: Any) -> Any:
    return value if isinstance(value, bool) else _FLAG_BY_WORD.get(str(value).lower(), value)


def _parse_count(value: Any) -> Any:
    """Return an integer; some programs write integers as decimals if one cell of the column is empty."""
    if isinstance(value, str) and (match := _INTEGER_PATTERN.fullmatch(value)) and len(match[1]) <= _MAX_DIGITS:
        return int(match[1])
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _parse_rating(value: Any) -> Any:
    return float(value) if isinstance(value, str) and _NUMBER_PATTERN.fullmatch(value) else value


def _parse_list(value: Any) -> Any:
    """Return a list, written as ``a;b`` in CSV or as JSON."""
    if isinstance(value, str):
        entries = decode_cell(Raw(value)) if value.startswith("[") else value.split(_LIST_SEPARATOR)
        if isinstance(entries, list):
            value = [entry.strip() if isinstance(entry, str) else entry for entry in entries]
    return [_number_to_text(entry) for entry in value if entry != ""] if isinstance(value, list) else value


_PARSER_BY_KIND: Final[dict[FieldKind, Callable[[Any], Any]]] = {
    FieldKind.ID: _number_to_text,
    FieldKind.TITLE: _number_to_text,
    FieldKind.TEXT: _number_to_text,
    FieldKind.SHORT_TEXT: _number_to_text,
    FieldKind.URL: _number_to_text,
    FieldKind.FLAG: _parse_flag,
    FieldKind.COUNT: _parse_count,
    FieldKind.RATING: _parse_rating,
    FieldKind.IDS: _parse_list,
    FieldKind.TITLES: _parse_list,
}
