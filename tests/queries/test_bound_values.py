"""Values become parameters with their types, and none reaches the text."""

import pytest

from tallyroom.queries.bound_values import Bound


def test_a_value_becomes_a_placeholder_that_tells_its_type() -> None:
    bound = Bound()
    placeholders = [
        bound.text("key", "plan"),
        bound.texts("names", ["a", "b"]),
        bound.integer("from_ms", 2**62),
        bound.integers("steps", [1, 2]),
        bound.number("least", 1),
        bound.numbers("levels", [1, 0.5]),
    ]
    assert placeholders == [
        "{key:String}",
        "{names:Array(String)}",
        "{from_ms:Int64}",
        "{steps:Array(Int64)}",
        "{least:Float64}",
        "{levels:Array(Float64)}",
    ]
    assert bound.values == {
        "key": "plan",
        "names": ["a", "b"],
        "from_ms": 2**62,
        "steps": [1, 2],
        "least": 1.0,
        "levels": [1.0, 0.5],
    }


def test_the_same_value_in_the_same_role_is_bound_once() -> None:
    bound = Bound()
    assert [bound.text("key", each) for each in ("a", "b", "a", "b")] == [
        "{key:String}",
        "{key_2:String}",
        "{key:String}",
        "{key_2:String}",
    ]
    assert bound.values == {"key": "a", "key_2": "b"}


def test_equal_values_of_two_types_are_two() -> None:
    bound = Bound()
    assert [bound.integer("n", 1), bound.number("n", 1.0)] == ["{n:Int64}", "{n_2:Float64}"]
    assert bound.values == {"n": 1, "n_2": 1.0}


@pytest.mark.parametrize("value", ["'; DROP TABLE events; --", "{key:String}", "{scope}", "%s", "\0"])
def test_no_value_reaches_the_text(value: str) -> None:
    bound = Bound()
    assert bound.text("key", value) == "{key:String}"
    assert bound.texts("keys", [value]) == "{keys:Array(String)}"
