"""Values become parameters with their types, and none reaches the text."""

import pytest

from tallyroom.queries.query_parameters import QueryParameters


def test_a_value_becomes_a_placeholder_that_tells_its_type() -> None:
    parameters = QueryParameters()
    placeholders = [
        parameters.bind_text("key", "plan"),
        parameters.bind_texts("names", ["a", "b"]),
        parameters.bind_integer("from_ms", 2**62),
        parameters.bind_integers("steps", [1, 2]),
        parameters.bind_number("least", 1),
        parameters.bind_numbers("levels", [1, 0.5]),
    ]
    assert placeholders == [
        "{key:String}",
        "{names:Array(String)}",
        "{from_ms:Int64}",
        "{steps:Array(Int64)}",
        "{least:Float64}",
        "{levels:Array(Float64)}",
    ]
    assert parameters.values == {
        "key": "plan",
        "names": ["a", "b"],
        "from_ms": 2**62,
        "steps": [1, 2],
        "least": 1.0,
        "levels": [1.0, 0.5],
    }


def test_the_same_value_in_the_same_role_is_bound_once() -> None:
    parameters = QueryParameters()
    assert [parameters.bind_text("key", each) for each in ("a", "b", "a", "b")] == [
        "{key:String}",
        "{key_2:String}",
        "{key:String}",
        "{key_2:String}",
    ]
    assert parameters.values == {"key": "a", "key_2": "b"}


def test_equal_values_of_two_types_are_two() -> None:
    parameters = QueryParameters()
    assert [parameters.bind_integer("n", 1), parameters.bind_number("n", 1.0)] == ["{n:Int64}", "{n_2:Float64}"]
    assert parameters.values == {"n": 1, "n_2": 1.0}


@pytest.mark.parametrize("value", ["'; DROP TABLE events; --", "{key:String}", "{scope}", "%s", "\0"])
def test_no_value_reaches_the_text(value: str) -> None:
    parameters = QueryParameters()
    assert parameters.bind_text("key", value) == "{key:String}"
    assert parameters.bind_texts("keys", [value]) == "{keys:Array(String)}"


def test_a_moment_that_is_also_a_number_is_no_edge() -> None:
    parameters = QueryParameters()
    assert parameters.bind_edge("from_ms", 5) == parameters.bind_edge("from_ms", 5) == "{from_ms:Int64}"
    parameters.bind_edge("until_ms", 7)
    parameters.bind_origin("origin_ms", 1)
    assert parameters.edge_names == {"from_ms", "until_ms"}
    assert parameters.origin_names == {"origin_ms"}
    parameters.bind_integer("from_ms", 5)
    parameters.bind_integer("origin_ms", 1)
    assert parameters.edge_names == {"until_ms"}
    assert not parameters.origin_names
