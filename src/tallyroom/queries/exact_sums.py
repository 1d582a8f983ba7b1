"""Sums and averages that do not depend on the order of events (docs/decisions/0014, rules/questions#sums-and-averages).

Adding doubles one by one loses a little each time, and which bits are lost depends on the order. So each number is
treated as a whole number of some unit, because whole numbers add up without loss:

- of millionths, if it is a decimal of at most six places and at most 10^9, as amounts of money are. The double that is
  stored for 0.1 counts as one tenth;
- of the power of two that its last bit represents, otherwise.

The totals of the units are added as fractions and rounded once.
"""

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from tallyroom.queries.values import Value, round_fraction

_MILLION = 10**6
_IMPLICIT_BIT = 2**52
_EXPONENT_COUNT = 2**11


class SumParts(msgspec.Struct, frozen=True, array_like=True, gc=False):  # as are the points that they become
    """The parts of a sum, as the store returns them.

    The upper 12 bits of a double are its sign and its exponent. The lower 52 are its significand without the highest
    bit, which is set unless the exponent is 0.

    Attributes:
        millionths: the sum of the decimals.
        bit_sums: for each value of the upper bits of the other numbers, the sum of their lower bits and the number of
            these numbers.
        count: the number of all numbers; only for an average.
    """

    millionths: int
    bit_sums: dict[int, tuple[int, int]]
    count: int = 0


class ExactSum(msgspec.Struct, frozen=True, kw_only=True):
    """The sum or average of a numeric property, as SQL and as the answer; `ComputedMeasure` describes each method.

    Attributes:
        prefix: of the names that its SQL defines; unique within a query.
        number: SQL for an event's number, 0 if it has none.
        condition: SQL that is true for an event that has the number.
        is_average: divide the sum by the count.
    """

    prefix: str
    number: str
    condition: str
    is_average: bool

    def restrict(self, condition: str, name: str) -> "ExactSum":
        """The sum or average of those events that meet a condition."""
        return msgspec.structs.replace(
            self,
            prefix=f"{self.prefix}_{name}",
            number=f"if({condition}, {self.number}, 0)",
            condition=f"({self.condition} AND {condition})",
        )

    def aggregate_sql(self) -> str:
        """The parts of the sum over a group of events."""
        return self._call_aggregates("", self._build_arguments(self.number, self.condition))

    def input_columns(self) -> list[str]:
        """Columns for the select list of a sub-query."""
        return [f"{self.number} AS added", *([f"{self.condition} AS held"] if self.is_average else [])]

    def aggregate_inputs_sql(self) -> str:
        """The parts over rows that have the columns of `input_columns`."""
        return self._call_aggregates("", self._build_arguments("added", "held"))

    def state_sql(self) -> str:
        """An intermediate state over such rows."""
        return self._call_aggregates("State", self._build_arguments("added", "held"))

    def merge_sql(self, state: str) -> str:
        """The parts over everything that the states in a column saw."""
        return self._call_aggregates("Merge", [f"{state}.{index}" for index in (1, 2, 3)])

    def finalize_sql(self, state: str) -> str:
        """The parts over what one state saw."""
        indices = (1, 2, 3) if self.is_average else (1, 2)
        return f"({', '.join(f'finalizeAggregation({state}.{index})' for index in indices)})"

    def rank_sql(self, total: str) -> str:
        """The number to rank labels by: the sum or the average as a double, correct except for its last bits."""
        upper_alone = "reinterpretAsFloat64(bitShiftLeft(upper, 52))"  # as a double whose lower bits are 0
        other = f"(lower.1 / {_IMPLICIT_BIT} + lower.2) * {upper_alone}"
        bit_total = f"arraySum((upper, lower) -> {other}, mapKeys({total}.2), mapValues({total}.2))"
        sum_ = f"{total}.1 / {_MILLION} + {bit_total}"
        return f"ifNotFinite({f'({sum_}) / {total}.3' if self.is_average else sum_}, NULL)"

    def to_value(self, stored_value: SumParts) -> Value:
        """The exact sum or average, rounded; None for the average of nothing."""
        if self.is_average and not stored_value.count:
            return None
        if not stored_value.bit_sums:
            return round_fraction(stored_value.millionths, _MILLION * (stored_value.count if self.is_average else 1))
        exact = self._sum_fraction(stored_value)
        return round_fraction(exact.numerator, exact.denominator)

    def combine(self, stored_values: Iterable[SumParts]) -> Value:
        """The sum or average over all groups whose parts these are."""
        millionths = count = 0
        bit_sums: dict[int, tuple[int, int]] = {}
        for stored_value in stored_values:
            millionths += stored_value.millionths
            count += stored_value.count
            for upper, (lower, count_of_upper) in stored_value.bit_sums.items():
                lower_sum, number_count = bit_sums.get(upper, (0, 0))
                bit_sums[upper] = (lower_sum + lower, number_count + count_of_upper)
        return self.to_value(SumParts(millionths, bit_sums, count))

    def to_fraction(self, stored_value: SumParts) -> Fraction | None:
        """The exact sum or average; None for the average of nothing."""
        return None if self.is_average and not stored_value.count else self._sum_fraction(stored_value)

    def to_values(self, millionths: Iterable[int], counts: Iterable[int]) -> list[Value]:
        """The values of many sums of decimals, each with the number of its numbers."""
        if not self.is_average:
            return [round_fraction(total, _MILLION) for total in millionths]
        pairs = zip(millionths, counts, strict=True)
        return [round_fraction(total, _MILLION * count) if count else None for total, count in pairs]

    def _sum_fraction(self, stored_value: SumParts) -> Fraction:
        total = Fraction(stored_value.millionths, _MILLION) + sum(
            _sum_of_doubles(upper, lower) for upper, lower in stored_value.bit_sums.items()
        )
        return total / stored_value.count if self.is_average else total

    def _call_aggregates(self, step: str, arguments: list[str]) -> str:
        functions = ("sum", "sumCountMapIf", "countIf") if self.is_average else ("sum", "sumCountMapIf")
        calls = [f"{function}{step}({argument})" for function, argument in zip(functions, arguments, strict=False)]
        return f"({', '.join(calls)})"

    def _build_arguments(self, number: str, condition: str) -> list[str]:
        """Return the arguments of the parts' aggregate functions.

        Expressions that are needed twice get a name: the store would otherwise analyse them each time, which takes
        longer than running a small query.
        """
        as_number, as_millionths, as_decimal, as_bits = (
            f"{self.prefix}_{suffix}" for suffix in ("number", "millionths", "is_decimal", "bits")
        )
        millionths = f"round(({number} AS {as_number}) * 1e6) AS {as_millionths}"
        is_decimal = f"(abs({millionths}) <= 1e15 AND {as_millionths} / 1e6 = {as_number}) AS {as_decimal}"
        upper = f"bitShiftRight(reinterpretAsUInt64({as_number}) AS {as_bits}, 52)"
        lower = f"toInt128(bitAnd({as_bits}, {_IMPLICIT_BIT - 1}))"
        return [
            f"toInt128(toInt64(if({is_decimal}, {as_millionths}, 0)))",
            f"map({upper}, {lower}), NOT {as_decimal}",
            condition,
        ]


def _sum_of_doubles(upper: int, lower: tuple[int, int]) -> Fraction:
    """Return the sum of numbers with the same sign and exponent."""
    negative, exponent = divmod(upper, _EXPONENT_COUNT)
    significand = lower[0] + (lower[1] * _IMPLICIT_BIT if exponent else 0)
    return (-significand if negative else significand) * Fraction(2) ** (max(exponent, 1) - 1075)
