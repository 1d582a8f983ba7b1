"""The values of one query: every value of a question goes through here and none into the text of the SQL."""

from datetime import date
from typing import Any

from tallyroom.store.programs import Pattern


class Bound:
    """Collects values and hands out the placeholders that stand for them.

    Attributes:
        values: what to bind, by the names in the placeholders.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def text(self, role: str, value: str) -> str:
        """The placeholder of a text; `role` is a word that makes the SQL readable."""
        return self._bind(role, value, "String")

    def pattern(self, value: Pattern) -> str:
        """The placeholder of a regular expression; by its type, the store knows it for one."""
        return self._bind("regex", value, "String")

    def texts(self, role: str, values: list[str]) -> str:
        """The placeholder of a list of texts."""
        return self._bind(role, values, "Array(String)")

    def integer(self, role: str, value: int) -> str:
        """The placeholder of a whole number of at most 63 bits."""
        return self._bind(role, value, "Int64")

    def integers(self, role: str, values: list[int]) -> str:
        """The placeholder of a list of whole numbers of at most 63 bits."""
        return self._bind(role, values, "Array(Int64)")

    def number(self, role: str, value: float) -> str:
        """The placeholder of a number."""
        return self._bind(role, float(value), "Float64")

    def numbers(self, role: str, values: list[float]) -> str:
        """The placeholder of a list of numbers."""
        return self._bind(role, [float(value) for value in values], "Array(Float64)")

    def dates(self, role: str, values: list[date]) -> str:
        """The placeholder of a list of days."""
        return self._bind(role, values, "Array(Date)")

    def _bind(self, role: str, value: Any, kind: str) -> str:
        name, count = role, 1
        while name in self.values and not _same(self.values[name], value):
            count += 1
            name = f"{role}_{count}"
        self.values[name] = value
        return f"{{{name}:{kind}}}"


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)
