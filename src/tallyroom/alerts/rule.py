"""The rule of an alert (rules/alerts#alert)."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Literal

import msgspec

from tallyroom.queries.counted_measure import CountedMeasure
from tallyroom.queries.filters import Filter
from tallyroom.queries.formula import ExpressionTree, PartName, evaluate, evaluate_exactly, parse_expression
from tallyroom.queries.formula_parts import Formula, parts_by_name
from tallyroom.queries.measures import Measure
from tallyroom.queries.values import Value

Condition = Literal["above", "below", "rises", "drops", "nodata", "anomaly"]

PAST_DAY_COUNT = 14
"""The number of earlier days with which an anomaly is compared."""


class AlertRule(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A measure or a formula over the window that ends at each beat, and the condition under which an alert fires.

    `event`, `measure` and `property` are None if there is a formula. `filters` include the segment's and apply to every
    part of a formula. `threshold` is None only for `nodata`.
    """

    event: str | None = None
    measure: Measure | None = None
    property: str | None = None
    filters: tuple[Filter, ...]
    formula: Formula | None = None
    condition: Condition
    threshold: float | None
    window_minutes: int

    @cached_property
    def measure_by_part_name(self) -> dict[PartName, CountedMeasure]:
        """The parts of the formula, or the single measure."""
        if self.formula is None:
            measure, filters = self.measure or "count", self.filters
            return {"a": CountedMeasure(event=self.event, measure=measure, property=self.property, filters=filters)}
        return {
            name: msgspec.structs.replace(measure_part, filters=(*measure_part.filters, *self.filters))
            for name, measure_part in parts_by_name(self.formula).items()
        }

    @cached_property
    def formula_tree(self) -> ExpressionTree | None:
        """The arithmetic of the formula; None if there is none."""
        return None if self.formula is None else parse_expression(self.formula.expression)

    def compute_value(self, part_values: Mapping[PartName, Value]) -> Value:
        """Return the value for the condition from the values of the parts."""
        return part_values["a"] if self.formula_tree is None else evaluate(self.formula_tree, part_values)

    def compute_exact_value(self, part_values: Mapping[PartName, Fraction | None]) -> Fraction | None:
        """Return the same value without rounding."""
        return part_values["a"] if self.formula_tree is None else evaluate_exactly(self.formula_tree, part_values)
