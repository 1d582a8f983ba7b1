"""One property column: its name, its definition, and the comment by which the store remembers what it is."""

import hashlib
from typing import Final, Literal, cast

import msgspec

from tallyroom.storage.event_store.backend.sql_text import quote_literal
from tallyroom.storage.event_store.property_columns.slots import PropertyRead

NAME_PREFIX: Final = "property_"
MAX_KEY_BYTES: Final = 200
"""Longer keys get no column, because their text would be part of the table's definition."""

ColumnMap = Literal["strings", "texts", "numbers"]
COLUMN_MAPS: Final[tuple[ColumnMap, ...]] = ("strings", "texts", "numbers")  # lists stay in their map

_NAME_DIGITS = 16
_TYPE_BY_MAP = {"strings": "String", "texts": "String", "numbers": "Float64"}


class PropertyColumn(msgspec.Struct, frozen=True):
    """A column with the values of a property in one of the maps.

    `retired_ms` is when queries should have stopped reading it, as milliseconds since 1970-01-01 UTC; None while they
    may.
    """

    map: ColumnMap
    key: str
    retired_ms: int | None = None

    @classmethod
    def of(cls, property_read: PropertyRead) -> "PropertyColumn":
        """Return the column of a property for which `may_have_column` holds."""
        return cls(cast("ColumnMap", property_read.map_name), property_read.key)

    @property
    def property_read(self) -> PropertyRead:
        """The property and map that it stands for."""
        return PropertyRead(self.map, self.key)

    @property
    def name(self) -> str:
        """The name of the column, the same for the same property on every installation."""
        digest = hashlib.sha256(f"{self.map}:{self.key}".encode()).hexdigest()
        return f"{NAME_PREFIX}{digest[:_NAME_DIGITS]}"

    @property
    def comment(self) -> str:
        """The comment of the column."""
        return msgspec.json.encode(self).decode()

    def definition_sql(self, *, has_few_values: bool) -> str:
        """Return the definition for ``ADD COLUMN``; with `has_few_values`, parts store each text once."""
        key_literal = quote_literal(self.key)
        store_type = f"Nullable({_TYPE_BY_MAP[self.map]})"
        if has_few_values and self.map != "numbers":
            store_type = f"LowCardinality({store_type})"
        value_sql = f"if(mapContains({self.map}, {key_literal}), {self.map}[{key_literal}], NULL)"
        return f"{self.name} {store_type} MATERIALIZED {value_sql} CODEC(ZSTD(1)) COMMENT {quote_literal(self.comment)}"


def may_have_column(property_read: PropertyRead) -> bool:
    """Return whether a property may get a column; questions may name keys that no event can have."""
    map_name, key = property_read
    return map_name in COLUMN_MAPS and len(key.encode()) <= MAX_KEY_BYTES and "\0" not in key


def parse_comment(comment: str) -> PropertyColumn | None:
    """Return the column that a comment describes; None if it describes none."""
    try:
        return msgspec.json.decode(comment, type=PropertyColumn)
    except msgspec.DecodeError:
        return None
