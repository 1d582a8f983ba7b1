"""core.paging: cursors come back as they went out, and nothing else is taken for one."""

import contextlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.paging import decode_cursor, encode_cursor, limit_of


class Place(msgspec.Struct, array_like=True):
    count: int
    key: str


class Other(msgspec.Struct, array_like=True):
    key: str


@given(st.integers(-(2**63), 2**63 - 1), st.text(st.characters(exclude_categories=["Cs"])))
def test_a_cursor_comes_back_and_fits_a_url(count: int, key: str) -> None:
    text = encode_cursor(Place(count, key))
    assert text.isascii()
    assert text.replace("-", "").replace("_", "").isalnum()
    assert decode_cursor(text, Place) == Place(count, key)


@given(st.text())
def test_any_other_text_is_a_refusal_and_no_fault(text: str) -> None:
    with contextlib.suppress(ValidationFailed):
        assert isinstance(decode_cursor(text, Place), Place)


@pytest.mark.parametrize("text", ["", "=", "%%", "é", "\ud800", "W10", "e30", encode_cursor(Other("x")), "a" * 10_001])
def test_another_lists_cursor_is_refused(text: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        decode_cursor(text, Place)
    assert refused.value.details[0].path == ["cursor"]


@pytest.mark.parametrize(
    ("text", "limit"),
    [(None, 50), ("1", 1), ("200", 200), ("201", 200), ("99999999999999999999", 200), ("007", 7), ("0000000001", 1)],
)
def test_a_limit_is_read_and_capped(text: str | None, limit: int) -> None:
    assert limit_of(text, default=50, cap=200) == limit


@pytest.mark.parametrize("text", ["", "0", "00", "-1", "+1", "1.0", "1e2", " 1", "1 ", "x", "٣", "²", "1_0"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        limit_of(text, default=50, cap=200)
    assert refused.value.details[0].path == ["limit"]
