"""Cursors come back as they went out, and nothing else is taken for one."""

import base64

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.paging import decode_cursor, encode_cursor, parse_limit


class CountPosition(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    count: int
    key: str


class Other(msgspec.Struct, array_like=True):
    key: str


class Longer(msgspec.Struct, array_like=True):
    count: int
    key: str
    more: int


class Swapped(msgspec.Struct, array_like=True):
    key: str
    count: int


QUESTION = ("places", "w", "production", "7d", "")


@given(st.integers(-(2**63), 2**63 - 1), st.text(st.characters(exclude_categories=["Cs"])))
def test_a_cursor_comes_back_and_fits_a_url(count: int, key: str) -> None:
    text = encode_cursor(CountPosition(count, key), QUESTION)
    assert text.isascii()
    assert text.replace("-", "").replace("_", "").isalnum()
    assert decode_cursor(text, CountPosition, QUESTION) == CountPosition(count, key)


@given(st.text())
def test_any_other_text_is_a_refusal_and_no_fault(text: str) -> None:
    check_refused(text)


@given(st.integers(0, 200), st.integers(1, 255))
def test_a_cursor_changed_in_one_byte_is_refused(index: int, change: int) -> None:
    sealed = bytearray(decoded(encode_cursor(CountPosition(7, "ann"), QUESTION)))
    sealed[index % len(sealed)] ^= change
    check_refused(encoded(bytes(sealed)))


WORDS = st.sampled_from(["", "a", "b", "ab", ",", '"', '","', "\0", "7d"])


@given(st.tuples(WORDS, WORDS, WORDS), st.tuples(WORDS, WORDS, WORDS))
def test_a_cursor_is_good_for_its_own_question_alone(asked: tuple[str, ...], other: tuple[str, ...]) -> None:
    text = encode_cursor(CountPosition(7, "ann"), asked)
    if asked == other:
        assert decode_cursor(text, CountPosition, other) == CountPosition(7, "ann")
    else:
        check_refused(text, other)


FOREIGN = ["", "=", "%%", "é", "\ud800", "W10", "e30", "a" * 10_001, encode_cursor(Other("x"), QUESTION)]
FOREIGN += [encode_cursor(Longer(1, "x", 2), QUESTION), encode_cursor(Swapped("x", 1), QUESTION)]


@pytest.mark.parametrize("text", FOREIGN, ids=lambda text: ascii(text)[:30])
def test_another_lists_cursor_is_refused(text: str) -> None:
    check_refused(text)


def check_refused(text: str, question: tuple[str, ...] = QUESTION) -> None:
    with pytest.raises(ValidationFailed) as refused:
        decode_cursor(text, CountPosition, question)
    assert refused.value.details[0].path == ["cursor"]


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(sealed: bytes) -> str:
    return base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        (None, 50),
        ("1", 1),
        ("200", 200),
        ("201", 200),
        ("99999999999999999999", 200),
        ("9" * 5000, 200),
        ("007", 7),
        ("0000000001", 1),
    ],
)
def test_a_limit_is_read_and_capped(text: str | None, limit: int) -> None:
    assert parse_limit(text, default=50, max_limit=200) == limit


@pytest.mark.parametrize("text", ["", "0", "00", "-1", "+1", "1.0", "1e2", " 1", "1 ", "x", "٣", "²", "1_0"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        parse_limit(text, default=50, max_limit=200)
    assert refused.value.details[0].path == ["limit"]
