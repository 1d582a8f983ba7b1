"""The column with the exact values of numbers that are more than their doubles (rules/events#kinds-of-values).

ClickHouse derives it from the properties (migrations/0006_number_texts.sql). It is empty for nearly all events, and an
insert of a small block says so if that can be seen from the block as a whole: preparing the derivation takes half as
long as such an insert.
"""

import re
from collections.abc import Callable
from typing import Final

NUMBER_TEXTS: Final = "number_texts"
NUMBER_TEXTS_INDEX: Final = "number_texts_keys"
HAS_NUMBER_TEXTS_SQL: Final = "{has_number_texts:UInt8}"
"""In a query, whether the column is filled for all events in question; the reader binds it. If not, numbers are
distinguished by their doubles, because deriving the column during the query takes too long."""

_NUMBER_SIGNS_AS_ZERO: Final = bytes.maketrans(b"123456789.eE+-\t\r", b"00000000000000  ")
_LONG_NUMBER_SHAPES: Final = (b":" + b"0" * 16, b" " + b"0" * 16)  # 16 digits after a key, or after white space
_EXPONENT_SIGNS: Final = (b"e-", b"E-")  # which UUIDs have as well
_SMALL_NUMBER_PATTERN: Final = re.compile(rb":\s*-?[0-9.]+[eE]-0*[1-9][0-9]{2}")
_MAX_SEARCHED_BYTES: Final = 1_000_000  # the engine prepares the derivation in less time than a search of more takes


def may_have_number_texts(body: bytes) -> bool:
    """Return False only if no event of a block has a number that is more than its double; True for large blocks."""
    if len(body) > _MAX_SEARCHED_BYTES:
        return True
    shape = body.translate(_NUMBER_SIGNS_AS_ZERO)
    if any(long_number in shape for long_number in _LONG_NUMBER_SHAPES):
        return True
    return any(exponent in body for exponent in _EXPONENT_SIGNS) and bool(_SMALL_NUMBER_PATTERN.search(body))


def bind_flag(sql: str, from_ms: int, is_filled_from: Callable[[int], bool]) -> dict[str, int]:
    """Return the parameter of `HAS_NUMBER_TEXTS_SQL` for a query of events from a time on; empty if it has none."""
    return {"has_number_texts": int(is_filled_from(from_ms))} if HAS_NUMBER_TEXTS_SQL in sql else {}
