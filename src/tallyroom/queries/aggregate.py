"""A measure that one aggregate function of the store computes."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.queries.values import Value, round_to_15_digits, to_answer_value, value_to_fraction

_Merger = Callable[[list[float]], float]
_MERGER_BY_FUNCTION: dict[str, _Merger] = {"count": math.fsum, "minOrNull": min, "maxOrNull": max}


class Aggregate(msgspec.Struct, frozen=True, kw_only=True):
    """A measure that one aggregate function computes; `MeasureSql` describes each method.

    `level` is the parameter of a quantile. `argument_sql` is "" if events are only counted, and `condition_sql` is ""
    if all events contribute. With `may_overflow`, the result can leave the range of a double.
    """

    function: str
    level: str = ""
    argument_sql: str = ""
    condition_sql: str = ""
    may_overflow: bool = False

    def restrict(self, extra_condition_sql: str, name_suffix: str) -> "Aggregate":  # noqa: ARG002 # it defines no names
        """Return the measure of the events that meet a condition."""
        condition_sql = f"{self.condition_sql} AND {extra_condition_sql}" if self.condition_sql else extra_condition_sql
        return msgspec.structs.replace(self, condition_sql=f"({condition_sql})")

    def aggregate_sql(self) -> str:
        """Return SQL for the measure over a group of events."""
        return self._null_if_not_finite(
            self._call_function("", ", ".join(filter(None, (self.argument_sql, self.condition_sql))))
        )

    def each_value_sql(self) -> str:
        """Return SQL for the argument with a row for each value, if the measure takes an array of them."""
        return f"arrayJoin({self.argument_sql})" if self.function.endswith("Array") else self.argument_sql

    def input_columns(self) -> list[str]:
        """Return columns for the select list of a subquery."""
        return [f"{sql} AS {name}" for sql, name in ((self.argument_sql, "added"), (self.condition_sql, "held")) if sql]

    def aggregate_inputs_sql(self) -> str:
        """Return SQL for the measure over rows with the columns of `input_columns`."""
        return self._null_if_not_finite(self._call_function("", self._input_names()))

    def state_sql(self) -> str:
        """Return SQL for an intermediate state over such rows."""
        return self._call_function("State", self._input_names())

    def merge_sql(self, state_column: str) -> str:
        """Return SQL for the measure over all rows behind the states in a column."""
        return self._null_if_not_finite(self._call_function("Merge", state_column))

    def finalize_sql(self, state_column: str) -> str:
        """Return SQL for the measure over the rows behind one state."""
        return self._null_if_not_finite(f"finalizeAggregation({state_column})")

    def rank_sql(self, total_column: str) -> str:
        """Return the column unchanged."""
        return total_column

    def rank(self, stored_value: float | None) -> float | UnsetType | None:
        """Return the value unchanged."""
        return stored_value

    def to_value(self, stored_value: float | None) -> Value:
        """Return the number as answers show it."""
        return to_answer_value(stored_value)

    def merge(self, stored_values: Iterable[float | None]) -> float | UnsetType | None:
        """Return the groups' sum, minimum or maximum; distinct values and quantiles need the events themselves."""
        merge_numbers = _MERGER_BY_FUNCTION.get(self.function)
        if merge_numbers is None:
            return UNSET
        numbers = [number for number in stored_values if number is not None]
        return merge_numbers(numbers) if numbers else None

    def combine(self, stored_values: Iterable[float | None]) -> Value | UnsetType:
        """Return the merged number as answers show it."""
        merged_number = self.merge(stored_values)
        return UNSET if merged_number is UNSET else to_answer_value(merged_number)

    def to_fraction(self, stored_value: float | None) -> Fraction | None:
        """Return the decimal that the number shows; the last digits of a quantile depend on its computation."""
        value = to_answer_value(stored_value)
        return round_to_15_digits(value) if self.level and isinstance(value, float) else value_to_fraction(value)

    def _call_function(self, combinator: str, arguments: str) -> str:
        return f"{self.function}{'If' if self.condition_sql else ''}{combinator}{self.level}({arguments})"

    def _input_names(self) -> str:
        return ", ".join(name for sql, name in ((self.argument_sql, "added"), (self.condition_sql, "held")) if sql)

    def _null_if_not_finite(self, sql: str) -> str:
        return f"ifNotFinite({sql}, NULL)" if self.may_overflow else sql
