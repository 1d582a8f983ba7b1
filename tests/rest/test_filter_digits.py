"""Digits of filter values survive the reading of a body (rules/questions#filters)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.rest.filter_digits import quote_exact_values


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ('{"value":9007199254740993}', '{"value":"9007199254740993"}'),
        ('{"value" : 9.007199254740993e15 }', '{"value" : "9007199254740993" }'),
        ('{"value":0.1000000000000000055}', '{"value":"0.1000000000000000055"}'),
        ('{"value":[1.50,"9007199254740993.0",-9007199254740993.0]}', None),
        ('{"value":1.50}', '{"value":1.50}'),
        ('{"value":0.30000000000000004}', '{"value":0.30000000000000004}'),
        ('{"value":"9007199254740993.0"}', '{"value":"9007199254740993.0"}'),
        ('{"threshold":9007199254740993}', '{"threshold":9007199254740993}'),
        ('{"name":"\\"value\\":9007199254740993"}', '{"name":"\\"value\\":9007199254740993"}'),
        ('{"value":4e-324}', '{"value":"4e-324"}'),
        ("not JSON", "not JSON"),
    ],
)
def test_numbers_in_values_become_strings_if_their_double_is_another_value(sent: str, kept: str | None) -> None:
    expected = kept or '{"value":[1.50,"9007199254740993.0","-9007199254740993"]}'
    assert quote_exact_values(sent.encode()) == expected.encode()


json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-1000, 1000) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("value"), inner),
)


@given(json_values)
def test_all_else_stays_as_it_is(value: object) -> None:
    text = json.dumps(value).encode()
    assert quote_exact_values(text) == text
