"""The parameters of one query. Every value of a question passes through here; none is written into the SQL text."""

from datetime import date
from typing import Any

from tallyroom.storage.event_store.property_columns.catalog import Span
from tallyroom.storage.event_store.regex_cost import RegexText


class QueryParameters:
    """Collects the values of one query by placeholder name, and returns the placeholders for the SQL."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.span: Span | None = None  # of the events that the query reads; None if it may read any
        self._edge_names: set[str] = set()
        self._origin_names: set[str] = set()
        self._number_names: set[str] = set()  # of integers that rows may depend on in any way

    @property
    def edge_names(self) -> frozenset[str]:
        """The names of moments that are only compared with the times of events."""
        return frozenset(self._edge_names - self._number_names)

    @property
    def origin_names(self) -> frozenset[str]:
        """The names of moments from which the query counts, but that its rows do not depend on."""
        return frozenset(self._origin_names - self._number_names)

    def extend_span(self, from_ms: int, until_ms: int) -> None:
        """Note that the query reads the events of a time, both ends inclusive."""
        earlier_span = self.span or (from_ms, until_ms)
        self.span = min(earlier_span[0], from_ms), max(earlier_span[1], until_ms)

    def bind_text(self, base_name: str, value: str) -> str:
        """Bind a text and return its placeholder, whose name includes `base_name` for readability."""
        return self._bind(base_name, value, "String")

    def bind_pattern(self, value: RegexText) -> str:
        """Bind a regular expression, which the store recognizes by its type, and return its placeholder."""
        return self._bind("regex", value, "String")

    def bind_texts(self, base_name: str, values: list[str]) -> str:
        """Bind a list of texts and return its placeholder."""
        return self._bind(base_name, values, "Array(String)")

    def bind_integer(self, base_name: str, value: int) -> str:
        """Bind an integer of at most 63 bits and return its placeholder."""
        placeholder = self._bind(base_name, value, "Int64")
        self._number_names.add(_name_of(placeholder))
        return placeholder

    def bind_edge(self, base_name: str, ms: int) -> str:
        """Bind a moment that is only compared with the times of events, and return its placeholder."""
        placeholder = self._bind(base_name, ms, "Int64")
        self._edge_names.add(_name_of(placeholder))
        return placeholder

    def bind_origin(self, base_name: str, ms: int) -> str:
        """Bind a moment from which the query counts but that no row depends on, and return its placeholder."""
        placeholder = self._bind(base_name, ms, "Int64")
        self._origin_names.add(_name_of(placeholder))
        return placeholder

    def bind_integers(self, base_name: str, values: list[int]) -> str:
        """Bind a list of integers of at most 63 bits and return its placeholder."""
        return self._bind(base_name, values, "Array(Int64)")

    def bind_number(self, base_name: str, value: float) -> str:
        """Bind a number and return its placeholder."""
        return self._bind(base_name, float(value), "Float64")

    def bind_numbers(self, base_name: str, values: list[float]) -> str:
        """Bind a list of numbers and return its placeholder."""
        return self._bind(base_name, [float(value) for value in values], "Array(Float64)")

    def bind_dates(self, base_name: str, values: list[date]) -> str:
        """Bind a list of days and return its placeholder."""
        return self._bind(base_name, values, "Array(Date)")

    def _bind(self, base_name: str, value: Any, store_type: str) -> str:
        name, suffix = base_name, 1
        while name in self.values and not (type(self.values[name]) is type(value) and self.values[name] == value):
            suffix += 1
            name = f"{base_name}_{suffix}"
        self.values[name] = value
        return f"{{{name}:{store_type}}}"


def _name_of(placeholder: str) -> str:
    return placeholder.strip("{}").partition(":")[0]
