"""Formulas in plain Python, with its fractions: the oracle of queries/formula."""

import math
from collections.abc import Mapping
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from tallyroom.queries.formula import ConstantNumber, ExpressionTree, NamedPart, PartName
from tallyroom.queries.values import Value


def fraction(tree: ExpressionTree, values: Mapping[PartName, Value]) -> Fraction | None:
    """The value of a tree in the fractions of Python."""
    if isinstance(tree, ConstantNumber):
        return Fraction(tree.number)
    if isinstance(tree, NamedPart):
        value = values[tree.name]
        return None if value is None else Fraction(repr(value))
    left, right = fraction(tree.left, values), fraction(tree.right, values)
    if left is None or right is None or (tree.operator == "/" and right == 0):
        return None
    return {
        "+": lambda: left + right,
        "-": lambda: left - right,
        "*": lambda: left * right,
        "/": lambda: left / right,
    }[tree.operator]()


def shown(exact: Fraction | None) -> Value:
    """A fraction as answers show it."""
    if exact is None:
        return None
    if exact.denominator == 1 and abs(exact) < 2**53:
        return int(exact)
    digits = Context(prec=15, rounding=ROUND_DOWN if abs(exact) > 1.797693134862315e308 else ROUND_HALF_EVEN)
    number = float(digits.divide(Decimal(exact.numerator), Decimal(exact.denominator)))
    if number.is_integer() and abs(number) < 2**53:
        return int(number)
    return number if math.isfinite(number) else None
