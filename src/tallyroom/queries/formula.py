"""Formulas: arithmetic with the values of up to four parts, named a to d (rules/questions#formula).

The text of an expression becomes a tree, from which values are computed here and labels ranked in the store. The text
itself goes nowhere.
"""

import re
from collections.abc import Mapping
from decimal import Context, Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

import msgspec

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.values import MAX_EXACT, Value, nearest

MAX_EXPRESSION = 200
MAX_OPERATORS = 20
MAX_DEPTH = 20

Operator = Literal["+", "-", "*", "/"]
PartName = Literal["a", "b", "c", "d"]
NAMES: tuple[PartName, ...] = ("a", "b", "c", "d")

_DIGITS = 200
"""So many are kept of each numerator and denominator, which bounds the work; nine numbers below 10^15 with six decimal
places never need more."""

_EXACTLY = Context(prec=_DIGITS, traps=[])
_TOKEN = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)|(?P<name>[a-d])|(?P<sign>[-+*/()])")
_SPACE = re.compile(r"[ \t\r\n]*")
_ONE = Decimal(1)
_MAX_NUMBER = Decimal("1e308")


class ConstantNumber(msgspec.Struct, frozen=True):
    """A number that stands in the expression."""

    number: Decimal


class NamedPart(msgspec.Struct, frozen=True):
    """The value of a part."""

    name: PartName


class Operation(msgspec.Struct, frozen=True):
    """Two trees that an operator joins; `-a` is `0 - a`."""

    operator: Operator
    left: "Tree"
    right: "Tree"


Tree = ConstantNumber | NamedPart | Operation


def parse(expression: str, path: tuple[str | int, ...] = ()) -> Tree:
    """Return the tree of an expression.

    Raises:
        ValidationFailed: names the field `path` and the first position at which the text is wrong, from 1 on.
    """
    return _Reader(expression, path).tree()


def names_of(tree: Tree) -> frozenset[PartName]:
    """Return the names that a tree contains."""
    if isinstance(tree, NamedPart):
        return frozenset([tree.name])
    return names_of(tree.left) | names_of(tree.right) if isinstance(tree, Operation) else frozenset()


def evaluate(tree: Tree, values: Mapping[PartName, Value]) -> Value:
    """Return the value of a tree, rounded once, to 15 digits.

    None if a part has no value, a divisor is zero, or the result is beyond the range of a double. A value counts as the
    decimal that its shortest text shows. Nothing is lost on the way, except in numerators and denominators of more than
    200 digits.
    """
    fraction = _fraction(tree, {name: _as_shown(value) for name, value in values.items()})
    if fraction is None:
        return None
    numerator, denominator = fraction
    if abs(numerator) < MAX_EXACT * abs(denominator):
        quotient = _EXACTLY.divide_int(numerator, denominator)
        if _EXACTLY.multiply(quotient, denominator) == numerator:
            return int(quotient)
    return nearest(numerator, denominator)


def evaluate_exactly(tree: Tree, values: Mapping[PartName, Fraction | None]) -> Fraction | None:
    """Return the value of a tree from exact values, without rounding; None if it has none."""
    fraction = _fraction(tree, {name: _as_pair(value) for name, value in values.items()})
    return None if fraction is None else Fraction(fraction[0]) / Fraction(fraction[1])


_Fraction = tuple[Decimal, Decimal]
"""Numerator and denominator, which are decimals, so that no division loses anything before the last."""


def _as_shown(value: Value) -> _Fraction | None:
    return None if value is None else (Decimal(value if isinstance(value, int) else repr(value)), _ONE)


def _as_pair(value: Fraction | None) -> _Fraction | None:
    return None if value is None else (Decimal(value.numerator), Decimal(value.denominator))


def _fraction(tree: Tree, parts: Mapping[PartName, _Fraction | None]) -> _Fraction | None:
    if isinstance(tree, ConstantNumber):
        return tree.number, _ONE
    if isinstance(tree, NamedPart):
        return parts[tree.name]
    left, right = _fraction(tree.left, parts), _fraction(tree.right, parts)
    if left is None or right is None or (tree.operator == "/" and not right[0]):
        return None
    return _joined(tree.operator, left, right)


def _joined(operator: Operator, left: _Fraction, right: _Fraction) -> _Fraction:
    multiply = _EXACTLY.multiply
    if operator == "*":
        return multiply(left[0], right[0]), multiply(left[1], right[1])
    if operator == "/":
        return multiply(left[0], right[1]), multiply(left[1], right[0])
    join = _EXACTLY.add if operator == "+" else _EXACTLY.subtract
    if left[1] == right[1]:
        return join(left[0], right[0]), left[1]
    return join(multiply(left[0], right[1]), multiply(right[0], left[1])), multiply(left[1], right[1])


class _Token(NamedTuple):
    kind: str
    """`number`, `name`, the sign itself, or `end`."""
    text: str
    position: int


class _Reader:
    """Reads one expression from left to right: sums of products of what stands between the signs."""

    def __init__(self, expression: str, path: tuple[str | int, ...]) -> None:
        self._expression = expression
        self._path = path
        self._operators = 0
        self._next = self._token(0)

    def tree(self) -> Tree:
        tree = self._sum(0)
        if self._next.kind != "end":
            raise self._wrong("expected +, -, *, / or the end" if self._next.kind != ")" else "no ( belongs to this )")
        return tree

    def _sum(self, depth: int) -> Tree:
        tree = self._product(depth)
        while self._next.kind in {"+", "-"}:
            operator = self._operator()
            tree = Operation(operator, tree, self._product(depth))
        return tree

    def _product(self, depth: int) -> Tree:
        tree = self._operand(depth)
        while self._next.kind in {"*", "/"}:
            operator = self._operator()
            tree = Operation(operator, tree, self._operand(depth))
        return tree

    def _operand(self, depth: int) -> Tree:
        token = self._next
        if token.kind == "-":
            self._operator()
            return Operation("-", ConstantNumber(Decimal(0)), self._operand(depth))
        if token.kind == "number":
            self._advance()
            return ConstantNumber(self._number(token))
        if token.kind == "name":
            self._advance()
            return NamedPart(token.text)  # type: ignore[arg-type] # the pattern of tokens says so
        if token.kind != "(":
            raise self._wrong("expected a number, a, b, c, d, - or (")
        return self._group(depth + 1)

    def _group(self, depth: int) -> Tree:
        if depth > MAX_DEPTH:
            raise self._wrong(f"more than {MAX_DEPTH} parentheses are open")
        self._advance()
        tree = self._sum(depth)
        if self._next.kind != ")":
            raise self._wrong("expected +, -, *, / or )")
        self._advance()
        return tree

    def _operator(self) -> Operator:
        self._operators += 1
        if self._operators > MAX_OPERATORS:
            raise self._wrong(f"there are more than {MAX_OPERATORS} operators")
        token = self._next
        self._advance()
        return token.kind  # type: ignore[return-value] # callers look first

    def _number(self, token: _Token) -> Decimal:
        number = Decimal(token.text)
        if number > _MAX_NUMBER:
            raise self._wrong("this number is too large", token)
        return number

    def _advance(self) -> None:
        token = self._next
        self._next = self._token(token.position + len(token.text))

    def _token(self, at: int) -> _Token:
        space = _SPACE.match(self._expression, at)
        at = space.end() if space else at
        match = _TOKEN.match(self._expression, at)
        if match is None:
            return _Token("end" if at == len(self._expression) else "?", "", at)
        return _Token(match[0] if match.lastgroup == "sign" else str(match.lastgroup), match[0], at)

    def _wrong(self, reason: str, token: _Token | None = None) -> ValidationFailed:
        return ValidationFailed.at(
            [*self._path], f"is wrong at position {(token or self._next).position + 1}: {reason}"
        )
