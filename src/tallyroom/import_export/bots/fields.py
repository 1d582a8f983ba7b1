"""The fields of a listing's rows, and how to read each of them from a cell (rules/statistics#bot-record)."""

import re
from collections.abc import Callable
from enum import Enum
from typing import Any, Final

import msgspec
from msgspec import Raw

from tallyroom.import_export.row import Cell
from tallyroom.import_export.times import MomentReader

Kind = Enum("Kind", ["ID", "TITLE", "TEXT", "SHORT_TEXT", "URL", "FLAG", "COUNT", "RATING", "IDS", "TITLES", "MOMENT"])
"""The type of a field."""

COUNTERS: Final[dict[str, Kind]] = {
    "server_count": Kind.COUNT,
    "shard_count": Kind.COUNT,
    "monthly_votes": Kind.COUNT,
    "total_votes": Kind.COUNT,
    "review_count": Kind.COUNT,
    "avg_review_rating": Kind.RATING,
}
"""The counters that a bot has at a moment."""

BOT: Final[dict[str, Kind]] = {
    "id": Kind.ID,
    "name": Kind.TITLE,
    "listingId": Kind.ID,
    "certified": Kind.FLAG,
    "owners": Kind.IDS,
    "deleted": Kind.FLAG,
    "def_avatar": Kind.TITLE,
    "avatar": Kind.URL,
    "short_desc": Kind.TEXT,
    "lib": Kind.TITLE,
    "prefix": Kind.TITLE,
    "website": Kind.URL,
    "approved_at": Kind.MOMENT,
    "tags": Kind.TITLES,
    "unlisted": Kind.FLAG,
    "unlisted_reason": Kind.SHORT_TEXT,
    **COUNTERS,
}
"""The fields of a row about a bot, apart from its moment."""

VOTE: Final[dict[str, Kind]] = {
    "bot": Kind.ID,
    "userId": Kind.ID,
    "isWeekend": Kind.FLAG,
    "id": Kind.TITLE,
    "username": Kind.TITLE,
    "avatar": Kind.URL,
    "listingId": Kind.ID,
}
"""The fields of a row about a vote, apart from its moment."""

TIMES: Final = ("timestamp", "time", "unix_timestamp")
"""The fields that may have the moment of a row; the first one that is not empty counts."""

READ_ONLY: Final = frozenset(
    {
        "topGGId",
        "counter_source",
        "percentage_changes",
        *(f"{counter}_{suffix}" for counter in COUNTERS for suffix in ("rank", "rank_change", "change", "change_perc")),
    }
)
"""Fields of a listing's answers that it computes itself."""

SUMS: Final = frozenset({"voteCount", "totalVotesByWeight", "streakCount"})
"""Fields that only an entry of a leaderboard has."""

_TEXTS: Final = frozenset({Kind.TITLE, Kind.TEXT, Kind.SHORT_TEXT, Kind.URL})
_FLAGS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_INTEGER: Final = re.compile(r"(-?[0-9]+)(?:\.0+)?")
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
_MAX_DIGITS: Final = 19
_SEPARATOR: Final = ";"


class CellReader:
    """Turns cells into values of the right type; a cell that cannot become such a value stays as it is.

    Args:
        moments: reads times.
    """

    def __init__(self, moments: MomentReader) -> None:
        self._moments = moments

    def read(self, kind: Kind, cell: Cell) -> Any:
        """Return the value; None if the cell is empty.

        Raises:
            RowRefused: the cell is not a time in the unit.
        """
        value = decoded(cell)
        if value is None or (value == "" and kind not in _TEXTS):
            return None
        if kind is Kind.MOMENT:
            return self._moments.read(cell)
        return _READERS[kind](value)


def decoded(cell: Cell) -> Any:
    """Return the content of a cell, which is text of CSV or a JSON value."""
    try:
        return msgspec.json.decode(cell) if isinstance(cell, Raw) else cell
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return cell


def _text(value: Any) -> Any:
    """Return an id as text, however the file writes it."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _flag(value: Any) -> Any:
    return value if isinstance(value, bool) else _FLAGS.get(str(value).lower(), value)


def _count(value: Any) -> Any:
    """Return a whole number; some programs write it with a decimal as soon as one cell of its column is empty."""
    if isinstance(value, str) and (match := _INTEGER.fullmatch(value)) and len(match[1]) <= _MAX_DIGITS:
        return int(match[1])
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _rating(value: Any) -> Any:
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value


def _texts(value: Any) -> Any:
    """Return a list, written in CSV as ``a;b`` or as JSON."""
    if isinstance(value, str):
        entries = decoded(Raw(value)) if value.startswith("[") else value.split(_SEPARATOR)
        value = (
            [entry.strip() if isinstance(entry, str) else entry for entry in entries] if _is_list(entries) else value
        )
    return [_text(entry) for entry in value if entry != ""] if _is_list(value) else value


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


_READERS: Final[dict[Kind, Callable[[Any], Any]]] = {
    Kind.ID: _text,
    Kind.TITLE: _text,
    Kind.TEXT: _text,
    Kind.SHORT_TEXT: _text,
    Kind.URL: _text,
    Kind.FLAG: _flag,
    Kind.COUNT: _count,
    Kind.RATING: _rating,
    Kind.IDS: _texts,
    Kind.TITLES: _texts,
}
