"""Texts of strangers fit and do nothing."""

import pytest

from tallyroom.alerts.channel_types.escaping import (
    escape_markdown,
    escape_markup,
    escape_text,
    neutralize_links,
    to_single_line,
    truncate,
)


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
    assert truncate(text, most, escape_markup) == shown


def test_markdown_has_a_backslash_before_each_mark() -> None:
    assert escape_text("**@everyone** <@1> [a](b) `c` \\", escape_markdown) == (
        "\\*\\*\\@everyone\\*\\* \\<\\@1\\> \\[a\\]\\(b\\) \\`c\\` \\\\"
    )


def test_one_line_stays_of_many() -> None:
    assert to_single_line(" a\r\n\tb\u2028c\u202ed\x00 ") == "a b c d"


def test_no_mention_and_no_link() -> None:
    assert neutralize_links("@all [a](b)") == "@\u200ball [a]\u200b(b)"
