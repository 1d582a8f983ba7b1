"""The column with the exact values of numbers that are more than their doubles (rules/events#kinds-of-values).

It is empty for nearly all events. Ingest knows which events have no entry and sends null as their last element; the
lines of the others have a tab (storage/spool/row.py) and are examined before their insert. ClickHouse could derive the
column as well (migrations/0006_number_texts.sql), but takes longer, so it does that only for inserts that do not name
the column: those of moves and of earlier versions.
"""

from collections.abc import Sequence
from io import BytesIO
from typing import Any, Final, NamedTuple

import msgspec

from tallyroom.core.exact_numbers import find_exact_text, find_exact_text_of_integer
from tallyroom.storage.event_store.tables import EVENT_COLUMNS

NUMBER_TEXTS: Final = "number_texts"
NUMBER_TEXTS_INDEX: Final = "number_texts_keys"
NUMBER_FLAG: Final = "has_number_texts"
"""A parameter of queries that read the column: whether it is filled for all events in question. If not, numbers are
distinguished by their doubles, because deriving the column during the query takes too long."""
HAS_NUMBER_TEXTS_SQL: Final = f"{{{NUMBER_FLAG}}}"
"""The slot of queries (property_columns/slots.py) for this parameter."""

_COLUMNS_OF_ORDINARY_EVENTS: Final = (*EVENT_COLUMNS[:-1], NUMBER_TEXTS)  # their null is an empty map
_COLUMNS_WITH_TEXTS: Final = (*EVENT_COLUMNS, NUMBER_TEXTS)
_ORDINARY_END: Final = b",null]\n"
_TAB: Final = ord("\t")
_PROPERTIES_INDEX: Final = EVENT_COLUMNS.index("properties")


class EventBlock(NamedTuple):
    """Lines to insert, each a JSON array, and the columns of its elements."""

    columns: Sequence[str]
    body: bytes


class _FractionText(str):
    """A number with a fraction or an exponent, as sent."""

    __slots__ = ()


_decode_row = msgspec.json.Decoder(list[Any], float_hook=_FractionText).decode
_encode = msgspec.json.Encoder().encode


def add_number_texts(body: bytes) -> EventBlock:
    """Return events in the order of `EVENT_COLUMNS` as a block that leaves nothing to derive for the new column.

    A block with a line that cannot be read stays as it is, for the store to refuse it.
    """
    if body.endswith(_ORDINARY_END) and _TAB not in body:
        return EventBlock(_COLUMNS_OF_ORDINARY_EVENTS, body)
    try:
        return EventBlock(_COLUMNS_WITH_TEXTS, b"".join([_add_number_texts(line) for line in BytesIO(body)]))
    except (msgspec.MsgspecError, UnicodeDecodeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        return EventBlock(EVENT_COLUMNS, body)


def _add_number_texts(line: bytes) -> bytes:
    if line.endswith(_ORDINARY_END):
        return line.removesuffix(_ORDINARY_END) + b',"",{}]\n'
    return b"%s,%s]\n" % (
        line.rstrip(b"\n").removesuffix(b"]"),
        _encode(_find_exact_texts(_decode_row(line)[_PROPERTIES_INDEX])),
    )


def _find_exact_texts(properties: dict[str, Any]) -> dict[str, str]:
    exact_texts = {}
    for key, value in properties.items():
        if type(value) is int:
            exact_text = find_exact_text_of_integer(value)
        elif type(value) is _FractionText:
            exact_text = find_exact_text(value)
        else:
            continue
        if exact_text is not None:
            exact_texts[key] = exact_text
    return exact_texts
