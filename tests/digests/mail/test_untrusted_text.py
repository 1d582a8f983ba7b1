"""Texts without control characters, and without what turns letters around (rules/digests#email)."""

import pytest

from tallyroom.digests.mail.untrusted_text import escape_html, to_lines, to_single_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a", "a"),
        ("a\r\nb", "a b"),
        ("a\u2028b\x85c", "a b c"),
        ("\x00a\x1b[31m\x7f", "a[31m"),
        ("a\u202eb\u2066c", "abc"),
        ("  a\tb ", "a\tb"),
        ("مجاني 🫖", "مجاني 🫖"),
    ],
)
def test_lines(text: str, line: str) -> None:
    assert to_single_line(text) == line


def test_several_lines() -> None:
    assert to_lines(" a\n\n\x00b\r\nc\n") == ["a", "", "b", "c"]


def test_html_is_escaped() -> None:
    assert escape_html("<a href='x'>\"&") == "&lt;a href=&#x27;x&#x27;&gt;&quot;&amp;"
