"""Texts of strangers fit and do nothing."""

import pytest

from tallyroom.alerts.channel_types.escaping import escaped, fitting, flat, in_markdown, in_markup, unlinked


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("ab cd", 4, "ab…"),
        ("<<<", 12, "&lt;&lt;&lt;"),
        ("<<<", 11, "&lt;&lt;…"),
        ("a<", 4, "a…"),
        ("🔥🔥", 4, "🔥🔥"),
        ("🔥🔥", 3, "🔥…"),
        ("", 1, ""),
        ("abc", 1, "…"),
    ],
)
def test_what_is_too_long_is_cut_between_characters(text: str, most: int, shown: str) -> None:
    assert fitting(text, most, in_markup) == shown


def test_markdown_has_a_backslash_before_each_mark() -> None:
    assert escaped("**@everyone** <@1> [a](b) `c` \\", in_markdown) == (
        "\\*\\*\\@everyone\\*\\* \\<\\@1\\> \\[a\\]\\(b\\) \\`c\\` \\\\"
    )


def test_one_line_stays_of_many() -> None:
    assert flat(" a\r\n\tb\u2028c\u202ed\x00 ") == "a b c d"


def test_no_mention_and_no_link() -> None:
    assert unlinked("@all [a](b)") == "@\u200ball [a]\u200b(b)"
