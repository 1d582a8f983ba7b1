"""The parameters of one query. Every value of a question passes through here; none is written into the SQL text."""

from datetime import date
from typing import Any

from tallyroom.storage.event_store.regex_cost import Pattern


class QueryParameters:
    """Collects the values of one query and returns the placeholders that represent them in the SQL.

    Attributes:
        values: the values to bind, by placeholder name.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def text(self, role: str, value: str) -> str:
        """Bind a text and return its placeholder; `role` is a word that makes the SQL readable."""
        return self._bind(role, value, "String")

    def pattern(self, value: Pattern) -> str:
        """Bind a regular expression and return its placeholder; the store recognizes it by its type."""
        return self._bind("regex", value, "String")

    def texts(self, role: str, values: list[str]) -> str:
        """Bind a list of texts and return its placeholder."""
        return self._bind(role, values, "Array(String)")

    def integer(self, role: str, value: int) -> str:
        """Bind a whole number of at most 63 bits and return its placeholder."""
        return self._bind(role, value, "Int64")

    def integers(self, role: str, values: list[int]) -> str:
        """Bind a list of whole numbers of at most 63 bits and return its placeholder."""
        return self._bind(role, values, "Array(Int64)")

    def number(self, role: str, value: float) -> str:
        """Bind a number and return its placeholder."""
        return self._bind(role, float(value), "Float64")

    def numbers(self, role: str, values: list[float]) -> str:
        """Bind a list of numbers and return its placeholder."""
        return self._bind(role, [float(value) for value in values], "Array(Float64)")

    def dates(self, role: str, values: list[date]) -> str:
        """Bind a list of days and return its placeholder."""
        return self._bind(role, values, "Array(Date)")

    def _bind(self, role: str, value: Any, store_type: str) -> str:
        name, number = role, 1
        while name in self.values and not _is_same(self.values[name], value):
            number += 1
            name = f"{role}_{number}"
        self.values[name] = value
        return f"{{{name}:{store_type}}}"


def _is_same(first: Any, second: Any) -> bool:
    return type(first) is type(second) and bool(first == second)
