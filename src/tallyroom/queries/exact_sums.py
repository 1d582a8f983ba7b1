"""Sums and averages that do not depend on the order of events (docs/decisions/0014, rules/questions#sums-and-averages).

Each number is an integer multiple of some unit, because integers add up without loss:

- a millionth, if the number is a decimal of at most six places and at most 10^9. The double that is stored for 0.1
  counts as one tenth;
- the power of two that its last bit represents, otherwise.

The totals of the units are added as fractions and rounded once.
"""

from collections.abc import Iterable
from fractions import Fraction

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.queries.values import MAX_EXACT_INTEGER, Value, round_fraction

_MILLION = 10**6
_IMPLICIT_BIT = 2**52
_EXPONENT_COUNT = 2**11


class SumParts(msgspec.Struct, frozen=True, array_like=True, gc=False):  # as are the points made of them
    """The parts of a sum, as the store returns them; `number_count` is only for an average.

    `millionths` is the sum of the decimals. For each value of the other numbers' upper 12 bits, which are a double's
    sign and exponent, `bit_sums` has the sum of their lower 52 bits, and their count. The lower bits are the
    significand without its highest bit, which is set unless the exponent is 0.
    """

    millionths: int
    bit_sums: dict[int, tuple[int, int]]
    number_count: int = 0


class ExactSum(msgspec.Struct, frozen=True, kw_only=True):
    """The sum or average of a numeric property, as SQL and as the answer; `MeasureSql` describes each method.

    `alias_prefix` is unique within a query. `number_sql` is 0 for an event without the number, for which
    `condition_sql` is false.
    """

    alias_prefix: str
    number_sql: str
    condition_sql: str
    is_average: bool

    def restrict(self, extra_condition_sql: str, name_suffix: str) -> "ExactSum":
        """Return the sum or average of the events that meet a condition."""
        return msgspec.structs.replace(
            self,
            alias_prefix=f"{self.alias_prefix}_{name_suffix}",
            number_sql=f"if({extra_condition_sql}, {self.number_sql}, 0)",
            condition_sql=f"({self.condition_sql} AND {extra_condition_sql})",
        )

    def aggregate_sql(self) -> str:
        """Return SQL for the parts over a group of events."""
        return self._call_aggregates("", self._build_arguments(self.number_sql, self.condition_sql))

    def input_columns(self) -> list[str]:
        """Return columns for the select list of a subquery."""
        return [f"{self.number_sql} AS added", *([f"{self.condition_sql} AS held"] if self.is_average else [])]

    def aggregate_inputs_sql(self) -> str:
        """Return SQL for the parts over rows with the columns of `input_columns`."""
        return self._call_aggregates("", self._build_arguments("added", "held"))

    def state_sql(self) -> str:
        """Return SQL for an intermediate state over such rows."""
        return self._call_aggregates("State", self._build_arguments("added", "held"))

    def merge_sql(self, state_column: str) -> str:
        """Return SQL for the parts over all rows behind the states in a column."""
        return self._call_aggregates("Merge", [f"{state_column}.{index}" for index in (1, 2, 3)])

    def finalize_sql(self, state_column: str) -> str:
        """Return SQL for the parts over the rows behind one state."""
        indices = (1, 2, 3) if self.is_average else (1, 2)
        return f"({', '.join(f'finalizeAggregation({state_column}.{index})' for index in indices)})"

    def rank_sql(self, total_column: str) -> str:
        """Return SQL for the sum or average as a double to rank by, correct except for its last bits."""
        upper_double_sql = "reinterpretAsFloat64(bitShiftLeft(upper, 52))"  # as a double whose lower bits are 0
        bit_term_sql = f"(lower.1 / {_IMPLICIT_BIT} + lower.2) * {upper_double_sql}"
        bit_total_sql = (
            f"arraySum((upper, lower) -> {bit_term_sql}, mapKeys({total_column}.2), mapValues({total_column}.2))"
        )
        sum_sql = f"{total_column}.1 / {_MILLION} + {bit_total_sql}"
        return f"ifNotFinite({f'({sum_sql}) / {total_column}.3' if self.is_average else sum_sql}, NULL)"

    def rank(self, stored_value: SumParts) -> float | UnsetType | None:
        """Return the same double, unless it is rounded more than once on the way to it."""
        if stored_value.bit_sums or abs(stored_value.millionths) > MAX_EXACT_INTEGER:
            return UNSET
        if not self.is_average:
            return stored_value.millionths / _MILLION
        return stored_value.millionths / _MILLION / stored_value.number_count if stored_value.number_count else None

    def to_value(self, stored_value: SumParts) -> Value:
        """Return the exact sum or average, rounded; None for the average of nothing."""
        if self.is_average and not stored_value.number_count:
            return None
        if not stored_value.bit_sums:
            return round_fraction(
                stored_value.millionths, _MILLION * (stored_value.number_count if self.is_average else 1)
            )
        exact_fraction = self._compute_fraction(stored_value)
        return round_fraction(exact_fraction.numerator, exact_fraction.denominator)

    def merge(self, stored_values: Iterable[SumParts]) -> SumParts:
        """Return the parts over all groups with these parts."""
        millionths = number_count = 0
        bit_sums: dict[int, tuple[int, int]] = {}
        for stored_value in stored_values:
            millionths += stored_value.millionths
            number_count += stored_value.number_count
            for upper, (lower, upper_count_to_add) in stored_value.bit_sums.items():
                lower_sum, upper_number_count = bit_sums.get(upper, (0, 0))
                bit_sums[upper] = (lower_sum + lower, upper_number_count + upper_count_to_add)
        return SumParts(millionths, bit_sums, number_count)

    def combine(self, stored_values: Iterable[SumParts]) -> Value:
        """Return the sum or average over all groups with these parts."""
        return self.to_value(self.merge(stored_values))

    def to_fraction(self, stored_value: SumParts) -> Fraction | None:
        """Return the exact sum or average; None for the average of nothing."""
        return None if self.is_average and not stored_value.number_count else self._compute_fraction(stored_value)

    def to_values(self, millionths: Iterable[int], number_counts: Iterable[int]) -> list[Value]:
        """Return the values of many sums of decimals, each with the count of its numbers."""
        if not self.is_average:
            return [round_fraction(millionths_total, _MILLION) for millionths_total in millionths]
        return [
            round_fraction(millionths_total, _MILLION * number_count) if number_count else None
            for millionths_total, number_count in zip(millionths, number_counts, strict=True)
        ]

    def _compute_fraction(self, stored_value: SumParts) -> Fraction:
        total = Fraction(stored_value.millionths, _MILLION) + sum(
            _sum_of_doubles(upper, *lower_sum_and_count) for upper, lower_sum_and_count in stored_value.bit_sums.items()
        )
        return total / stored_value.number_count if self.is_average else total

    def _call_aggregates(self, combinator: str, arguments: list[str]) -> str:
        functions = ("sum", "sumCountMapIf", "countIf") if self.is_average else ("sum", "sumCountMapIf")
        calls = [
            f"{function}{combinator}({argument})" for function, argument in zip(functions, arguments, strict=False)
        ]
        return f"({', '.join(calls)})"

    def _build_arguments(self, number_sql: str, condition_sql: str) -> list[str]:
        """Return the arguments. Expressions used twice get a name, because the store analyzes each copy."""
        number_alias, millionths_alias, is_decimal_alias, bits_alias = (
            f"{self.alias_prefix}_{suffix}" for suffix in ("number", "millionths", "is_decimal", "bits")
        )
        millionths_sql = f"round(({number_sql} AS {number_alias}) * 1e6) AS {millionths_alias}"
        is_decimal_sql = (
            f"(abs({millionths_sql}) <= 1e15 AND {millionths_alias} / 1e6 = {number_alias}) AS {is_decimal_alias}"
        )
        upper_sql = f"bitShiftRight(reinterpretAsUInt64({number_alias}) AS {bits_alias}, 52)"
        lower_sql = f"toInt128(bitAnd({bits_alias}, {_IMPLICIT_BIT - 1}))"
        return [
            f"toInt128(toInt64(if({is_decimal_sql}, {millionths_alias}, 0)))",
            f"map({upper_sql}, {lower_sql}), NOT {is_decimal_alias}",
            condition_sql,
        ]


def _sum_of_doubles(upper: int, lower_sum: int, number_count: int) -> Fraction:
    is_negative, exponent = divmod(upper, _EXPONENT_COUNT)
    significand = lower_sum + (number_count * _IMPLICIT_BIT if exponent else 0)
    return (-significand if is_negative else significand) * Fraction(2) ** (max(exponent, 1) - 1075)
