"""Formulas: what is read, what is refused and where, and that values are those of fractions (rules/questions#formula)."""

from collections.abc import Mapping
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.oracles.formulas import fraction, shown
from harness.suite.examples import tries
from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.formula import (
    MAX_DEPTH,
    MAX_OPERATORS,
    PART_NAMES,
    ConstantNumber,
    ExpressionTree,
    NamedPart,
    Operation,
    PartName,
    evaluate,
    find_part_names,
    parse_expression,
)
from tallyroom.queries.values import Value

VALUES: Mapping[PartName, Value] = {"a": 6, "b": 4, "c": 0.1, "d": None}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("a", "6"),
        ("a / b * 100", "150"),
        ("a / b / 2", "0.75"),
        ("a - b - 2", "0"),
        ("a - (b - 2)", "4"),
        ("a + b * 2", "14"),
        ("(a+b)*2", "20"),
        ("\t( a\n+ b ) ", "10"),
        ("-a", "-6"),
        ("--a * -b", "-24"),
        ("-a - -b", "-2"),
        ("2 * -a", "-12"),
        ("c * 3", "0.3"),
        ("c + c + c - 0.3", "0"),
        ("a / 3", "2"),
        ("b / 3", "1.33333333333333"),
        ("b / 3 * 3", "4"),
        ("1e3 + 1E-1 + 0.5 + 2.50e+1", "1025.6"),
        ("a / 0", "None"),
        ("a / (c + c + c - 0.3)", "None"),
        ("0 / 0", "None"),
        ("d", "None"),
        ("0 * d", "None"),
        ("a / (b - 4) * 0", "None"),
        ("1e308 * 10", "None"),
        ("1e308 * 1e308 / 1e308", "1e+308"),
        ("1e-300 * 1e-300", "0"),
        ("9007199254740991 * 1", "9007199254740991"),
        ("9007199254740993 * 1", "9007199254740990"),
    ],
)
def test_values(expression: str, value: str) -> None:
    assert repr(evaluate(parse_expression(expression), VALUES)) == value


@pytest.mark.parametrize(
    ("expression", "position", "reason"),
    [
        ("", 1, "expected a number, a, b, c, d, - or ("),
        ("  ", 3, "expected a number, a, b, c, d, - or ("),
        ("a +", 4, "expected a number, a, b, c, d, - or ("),
        ("+a", 1, "expected a number, a, b, c, d, - or ("),
        ("a ** b", 4, "expected a number, a, b, c, d, - or ("),
        ("()", 2, "expected a number, a, b, c, d, - or ("),
        ("e", 1, "expected a number, a, b, c, d, - or ("),
        ("A", 1, "expected a number, a, b, c, d, - or ("),
        (".5", 1, "expected a number, a, b, c, d, - or ("),
        ("a; DROP TABLE events", 2, "expected +, -, *, / or the end"),
        ("a b", 3, "expected +, -, *, / or the end"),
        ("2a", 2, "expected +, -, *, / or the end"),
        ("1.", 2, "expected +, -, *, / or the end"),
        ("0x1", 2, "expected +, -, *, / or the end"),
        ("\u0661", 1, "expected a number, a, b, c, d, - or ("),  # the digit 1 of another script
        ("a\u00a0+ b", 2, "expected +, -, *, / or the end"),
        ("(a", 3, "expected +, -, *, / or )"),
        ("(a b)", 4, "expected +, -, *, / or )"),
        ("a)", 2, "this ) has no matching ("),
        ("a * 2e308", 5, "this number is too large"),
        ("(" * (MAX_DEPTH + 1) + "a", MAX_DEPTH + 1, f"more than {MAX_DEPTH} parentheses are open"),
        ("a" + "+a" * (MAX_OPERATORS + 1), 2 * MAX_OPERATORS + 2, f"there are more than {MAX_OPERATORS} operators"),
        ("-" * (MAX_OPERATORS + 1) + "a", MAX_OPERATORS + 1, f"there are more than {MAX_OPERATORS} operators"),
    ],
)
def test_what_is_refused_and_where(expression: str, position: int, reason: str) -> None:
    with pytest.raises(ValidationFailed) as raised:
        parse_expression(expression, ("config", "expression"))
    [detail] = raised.value.details
    assert detail.path == ["config", "expression"]
    assert detail.message == f"has an error at position {position}: {reason}"


def test_the_longest_that_is_read() -> None:
    assert evaluate(parse_expression("a" + "+a" * MAX_OPERATORS), VALUES) == 6 * (MAX_OPERATORS + 1)
    assert evaluate(parse_expression("(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH), VALUES) == 6


def test_the_names_of_an_expression() -> None:
    assert find_part_names(parse_expression("(a + 1) / c - a * 2")) == {"a", "c"}
    assert find_part_names(parse_expression("1 + 1")) == set()


constants = st.decimals(0, 10**15, allow_nan=False, allow_infinity=False, places=6).map(abs)
leaves: st.SearchStrategy[ExpressionTree] = st.one_of(
    st.sampled_from(PART_NAMES).map(NamedPart), st.sampled_from([0, 1, 2, 100]).map(Decimal).map(ConstantNumber)
) | constants.map(ConstantNumber)
trees: st.SearchStrategy[ExpressionTree] = st.recursive(
    leaves, lambda inner: st.builds(Operation, st.sampled_from(["+", "-", "*", "/"]), inner, inner), max_leaves=9
)
numbers: st.SearchStrategy[Value] = st.one_of(
    st.integers(-3, 3),
    st.integers(-(10**15) + 1, 10**15 - 1),
    st.integers(-(10**8), 10**8).map(lambda cents: cents / 100),
    st.none(),
)
environments = st.fixed_dictionaries(dict.fromkeys(PART_NAMES, numbers))


@tries(400)
@given(trees, environments)
def test_any_tree_is_what_fractions_compute(tree: ExpressionTree, values: dict[PartName, Value]) -> None:
    found = evaluate(tree, values)
    assert repr(found) == repr(shown(fraction(tree, values)))


@tries(400)
@given(trees, environments)
def test_any_tree_is_read_back(tree: ExpressionTree, values: dict[PartName, Value]) -> None:
    assert evaluate(parse_expression(written(tree)), values) == evaluate(tree, values)


def written(tree: ExpressionTree) -> str:
    """A tree as a person writes it, with all parentheses."""
    if isinstance(tree, ConstantNumber):
        return f"{tree.number:f}"
    if isinstance(tree, NamedPart):
        return tree.name
    return f"({written(tree.left)} {tree.operator} {written(tree.right)})"


def test_from_two_to_the_53rd_on_a_value_has_15_digits() -> None:
    assert evaluate(parse_expression("a + 1"), {"a": 2**53 - 2}) == 9007199254740991
    assert evaluate(parse_expression("a + 1"), {"a": 2**53 - 1}) == 9007199254740990
