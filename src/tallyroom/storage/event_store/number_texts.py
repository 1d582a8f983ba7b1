"""The column with the exact values of numbers that are more than their doubles (rules/events#kinds-of-values).

ClickHouse derives it from the properties (migrations/0006_number_texts.sql). It is empty for nearly all events, and an
insert of a small block says so if that can be seen from the block as a whole: preparing the derivation takes half as
long as such an insert.
"""

from collections.abc import Callable
from typing import Final

NUMBER_TEXTS: Final = "number_texts"
NUMBER_TEXTS_INDEX: Final = "number_texts_keys"
HAS_NUMBER_TEXTS_SQL: Final = "{has_number_texts:UInt8}"
"""In a query, whether the column is filled for all events in question; the reader binds it. If not, numbers are
distinguished by their doubles, because deriving the column during the query takes too long."""


def bind_flag(sql: str, from_ms: int, is_filled_from: Callable[[int], bool]) -> dict[str, int]:
    """Return the parameter of `HAS_NUMBER_TEXTS_SQL` for a query of events from a time on; empty if it has none."""
    return {"has_number_texts": int(is_filled_from(from_ms))} if HAS_NUMBER_TEXTS_SQL in sql else {}
