"""Formulas: arithmetic with the values of up to four parts, named a to d (rules/questions#formula).

Values are computed from the tree of an expression here, and labels are ranked by it in the store. The text itself is
never part of the SQL.
"""

import re
from collections.abc import Mapping
from decimal import Context, Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

import msgspec

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.values import MAX_EXACT_INTEGER, Value, round_quotient

MAX_EXPRESSION_LENGTH = 200
MAX_OPERATORS = 20
MAX_DEPTH = 20

Operator = Literal["+", "-", "*", "/"]
PartName = Literal["a", "b", "c", "d"]
PART_NAMES: tuple[PartName, ...] = ("a", "b", "c", "d")

# Nine numbers below 10^15 with six decimals need no more digits.
_EXACT_CONTEXT = Context(prec=200, traps=[])
_TOKEN_PATTERN = re.compile(
    r"(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)|(?P<name>[a-d])|(?P<sign>[-+*/()])"
)
_SPACE_PATTERN = re.compile(r"[ \t\r\n]*")
_ONE = Decimal(1)
_MAX_NUMBER = Decimal("1e308")


class ConstantNumber(msgspec.Struct, frozen=True):
    """A number in the expression."""

    number: Decimal


class NamedPart(msgspec.Struct, frozen=True):
    """The value of a part."""

    name: PartName


class Operation(msgspec.Struct, frozen=True):
    """An operator with two operands; `-a` is `0 - a`."""

    operator: Operator
    left: "ExpressionTree"
    right: "ExpressionTree"


ExpressionTree = ConstantNumber | NamedPart | Operation


def parse_expression(expression: str, path: tuple[str | int, ...] = ()) -> ExpressionTree:
    """Return the tree of an expression; raise `ValidationFailed` with `path` and the first wrong position, from 1."""
    return _Parser(expression, path).parse()


def find_part_names(tree: ExpressionTree) -> frozenset[PartName]:
    """Return the part names in a tree."""
    if isinstance(tree, NamedPart):
        return frozenset([tree.name])
    return find_part_names(tree.left) | find_part_names(tree.right) if isinstance(tree, Operation) else frozenset()


def evaluate(tree: ExpressionTree, value_by_name: Mapping[PartName, Value]) -> Value:
    """Return the value of a tree, rounded once, to 15 digits; None without a value, and beyond the range of a double.

    A value counts as the decimal that its shortest text shows. Numerators and denominators are exact up to 200 digits.
    """
    fraction = _evaluate_fraction(tree, {name: _to_decimal_fraction(value) for name, value in value_by_name.items()})
    if fraction is None:
        return None
    numerator, denominator = fraction
    if abs(numerator) < MAX_EXACT_INTEGER * abs(denominator):
        quotient = _EXACT_CONTEXT.divide_int(numerator, denominator)
        if _EXACT_CONTEXT.multiply(quotient, denominator) == numerator:
            return int(quotient)
    return round_quotient(numerator, denominator)


def evaluate_exactly(tree: ExpressionTree, value_by_name: Mapping[PartName, Fraction | None]) -> Fraction | None:
    """Return the exact value of a tree from exact values; None if it has none."""
    fraction = _evaluate_fraction(tree, {name: _to_exact_fraction(value) for name, value in value_by_name.items()})
    return None if fraction is None else Fraction(fraction[0]) / Fraction(fraction[1])


_DecimalFraction = tuple[Decimal, Decimal]
"""Numerator and denominator as decimals, so that only the last division rounds."""


def _to_decimal_fraction(value: Value) -> _DecimalFraction | None:
    return None if value is None else (Decimal(value if isinstance(value, int) else repr(value)), _ONE)


def _to_exact_fraction(value: Fraction | None) -> _DecimalFraction | None:
    return None if value is None else (Decimal(value.numerator), Decimal(value.denominator))


def _evaluate_fraction(
    tree: ExpressionTree, fraction_by_name: Mapping[PartName, _DecimalFraction | None]
) -> _DecimalFraction | None:
    if isinstance(tree, ConstantNumber):
        return tree.number, _ONE
    if isinstance(tree, NamedPart):
        return fraction_by_name[tree.name]
    left, right = _evaluate_fraction(tree.left, fraction_by_name), _evaluate_fraction(tree.right, fraction_by_name)
    if left is None or right is None or (tree.operator == "/" and not right[0]):
        return None
    return _apply_operator(tree.operator, left, right)


def _apply_operator(operator: Operator, left: _DecimalFraction, right: _DecimalFraction) -> _DecimalFraction:
    multiply = _EXACT_CONTEXT.multiply
    (left_numerator, left_denominator), (right_numerator, right_denominator) = left, right
    if operator == "*":
        return multiply(left_numerator, right_numerator), multiply(left_denominator, right_denominator)
    if operator == "/":
        return multiply(left_numerator, right_denominator), multiply(left_denominator, right_numerator)
    add_or_subtract = _EXACT_CONTEXT.add if operator == "+" else _EXACT_CONTEXT.subtract
    if left_denominator == right_denominator:
        return add_or_subtract(left_numerator, right_numerator), left_denominator
    numerator = add_or_subtract(
        multiply(left_numerator, right_denominator), multiply(right_numerator, left_denominator)
    )
    return numerator, multiply(left_denominator, right_denominator)


class _Token(NamedTuple):
    kind: str
    """`number`, `name`, the operator or parenthesis itself, or `end`."""
    text: str
    position: int


class _Parser:
    def __init__(self, expression: str, path: tuple[str | int, ...]) -> None:
        self._expression = expression
        self._path = path
        self._operator_count = 0
        self._next_token = self._read_token(0)

    def parse(self) -> ExpressionTree:
        tree = self._parse_sum(0)
        if self._next_token.kind != "end":
            raise self._build_refusal(
                "expected +, -, *, / or the end" if self._next_token.kind != ")" else "this ) has no matching ("
            )
        return tree

    def _parse_sum(self, depth: int) -> ExpressionTree:
        tree = self._parse_product(depth)
        while self._next_token.kind in {"+", "-"}:
            operator = self._parse_operator()
            tree = Operation(operator, tree, self._parse_product(depth))
        return tree

    def _parse_product(self, depth: int) -> ExpressionTree:
        tree = self._parse_operand(depth)
        while self._next_token.kind in {"*", "/"}:
            operator = self._parse_operator()
            tree = Operation(operator, tree, self._parse_operand(depth))
        return tree

    def _parse_operand(self, depth: int) -> ExpressionTree:
        token = self._next_token
        if token.kind == "-":
            self._parse_operator()
            return Operation("-", ConstantNumber(Decimal(0)), self._parse_operand(depth))
        if token.kind == "number":
            self._advance()
            if (number := Decimal(token.text)) > _MAX_NUMBER:
                raise self._build_refusal("this number is too large", token)
            return ConstantNumber(number)
        if token.kind == "name":
            self._advance()
            return NamedPart(token.text)  # type: ignore[arg-type] # the pattern of tokens says so
        if token.kind != "(":
            raise self._build_refusal("expected a number, a, b, c, d, - or (")
        return self._parse_group(depth + 1)

    def _parse_group(self, depth: int) -> ExpressionTree:
        if depth > MAX_DEPTH:
            raise self._build_refusal(f"more than {MAX_DEPTH} parentheses are open")
        self._advance()
        tree = self._parse_sum(depth)
        if self._next_token.kind != ")":
            raise self._build_refusal("expected +, -, *, / or )")
        self._advance()
        return tree

    def _parse_operator(self) -> Operator:
        self._operator_count += 1
        if self._operator_count > MAX_OPERATORS:
            raise self._build_refusal(f"there are more than {MAX_OPERATORS} operators")
        token = self._next_token
        self._advance()
        return token.kind  # type: ignore[return-value] # callers look first

    def _advance(self) -> None:
        token = self._next_token
        self._next_token = self._read_token(token.position + len(token.text))

    def _read_token(self, position: int) -> _Token:
        space_match = _SPACE_PATTERN.match(self._expression, position)
        position = space_match.end() if space_match else position
        match = _TOKEN_PATTERN.match(self._expression, position)
        if match is None:
            return _Token("end" if position == len(self._expression) else "?", "", position)
        return _Token(match[0] if match.lastgroup == "sign" else str(match.lastgroup), match[0], position)

    def _build_refusal(self, reason: str, token: _Token | None = None) -> ValidationFailed:
        return ValidationFailed.at(
            [*self._path], f"has an error at position {(token or self._next_token).position + 1}: {reason}"
        )
