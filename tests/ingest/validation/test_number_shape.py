"""A glance at a body never misses a number that needs care, and leaves ordinary bodies alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.core.exact_numbers import find_exact_text
from tallyroom.ingest.validation.exact import parse_exactly
from tallyroom.ingest.validation.fast import parse_plainly
from tallyroom.ingest.validation.number_shape import SpecialNumbers, build_shape, find_special_numbers

NOW_MS = 1_795_176_000_000

mantissas = st.from_regex(r"-?(0|[1-9][0-9]{0,20})([.][0-9]{1,24})?", fullmatch=True)
exponents = st.just("") | st.from_regex(r"[eE](-0{0,3}[0-9]{1,3}|[+]?[0-9]{1,2})", fullmatch=True)
numbers = st.builds("{}{}".format, mantissas, exponents)
spaces = st.sampled_from(["", " ", "\t", "\r", "\n"])


def special(text: bytes) -> SpecialNumbers:
    return find_special_numbers(text, build_shape(text))


@given(numbers, spaces, spaces)
def test_no_number_with_an_exact_text_is_missed(number: str, before: str, after: str) -> None:
    properties = f'{{"n":{before}{number}{after}}}'.encode()
    assert special(properties).has_long_numbers or find_exact_text(number) is None


@given(st.integers(-(10**25), 10**25), st.sampled_from(["{}", "[{}]", "[[1,{}]]"]))
def test_no_wide_integer_is_missed(integer: int, form: str) -> None:
    properties = b'{"n":%s}' % form.format(integer).encode()
    assert special(properties).has_wide_integers or -(2**63) <= integer < 2**64


@pytest.mark.parametrize(
    "properties",
    [
        b'{"guild_id":"201133927711440896","at":1795176000000,"price":12.5}',
        b'{"id":"0e-345678-1234","session":"9a0b3c1e-4123-4e-400-8000-0123456789ab","took":1e-99}',
        b'{"day":"2026-11-20T12:00:00.000Z","ratio":0.3333333333333}',
    ],
)
def test_quoted_ids_and_times_are_ordinary(properties: bytes) -> None:
    assert special(properties) == SpecialNumbers(has_wide_integers=False, has_long_numbers=False)


@pytest.mark.parametrize(
    "properties", [b'{"n":9007199254740993,"m":1.5}', b'{"n":4e-324}', b'{"n":[9007199254740993]}']
)
def test_both_ways_of_reading_a_body_find_the_same(properties: bytes) -> None:
    body = b'{"events":[{"name":"a","properties":%s},{"name":"b"}]}' % properties
    assert parse_plainly(body, NOW_MS) == parse_exactly(body, NOW_MS)


def test_an_integer_beyond_64_bits_is_long_at_any_place() -> None:
    [event] = parse_exactly(b'{"name":"a","properties":{"n":{"m":[18446744073709551617]}}}', NOW_MS)
    assert event.narrowed
    assert event.has_long_numbers
