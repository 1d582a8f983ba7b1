"""A number beyond 64 bits goes to the typed maps as the double that it reads as, and only then."""

import json

import pytest

from tallyroom.ingest.validation.wide_integers import narrow_integers


@pytest.mark.parametrize(
    "properties",
    [
        "{}",
        '{"id":"12345678901234567890123"}',
        '{"id":1234567890123456789}',
        '{"n":-9223372036854775808}',
        '{"n":1.5}',
        '{"n":18446744073709551615}',
        '{"l":[18446744073709551616]}',
        '{"n":12345678901234567890.5}',
    ],
)
def test_most_properties_need_no_stand_in(properties: str) -> None:
    assert narrow_integers(properties.encode()) == b""


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**300])
def test_an_integer_beyond_64_bits_becomes_a_double(number: int) -> None:
    found = narrow_integers(json.dumps({"n": number, "s": "é", "o": {"in": number}, "l": [number, [number]]}).encode())
    values = json.loads(found)
    assert values == {"n": float(number), "s": "é", "o": {"in": float(number)}, "l": [number, [float(number)]]}
    assert [type(values["n"]), type(values["l"][0])] == [float, int]
