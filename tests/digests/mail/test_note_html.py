"""A note in a mail reads as in the web app, and leads nowhere (rules/digests#email)."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from harness.browser.mail_page import MailPage
from harness.builders.markup import wicked_texts
from harness.servers.app_code import AppCode
from tallyroom.digests.mail.note_html import build_note_html

PIECES = [
    "*",
    "**",
    "_",
    "`",
    "# ",
    "## ",
    "- ",
    "1. ",
    "\n",
    "\n\n",
    " ",
    "a",
    "shop",
    "Größe",
    "(",
    ")",
    "[",
    "]",
    "x_y_z",
]
PIECES += ["**bold**", "*soft*", "`code`", "[shop](https://example.com/a)", "```\n", "<b>", "&"]
TAG_BY_TYPE = {"bold": "b", "italic": "i", "code": "code"}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a **b** *c* _d_ `e*f*`", "a <b>b</b> <i>c</i> <i>d</i> <code>e*f*</code>"),
        ("**a *b* c**", "<b>a <i>b</i> c</b>"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("# Orders #\nby *Ana*", "<b>Orders</b><br>by <i>Ana</i>"),
        ("- a\n* b\n2. c", "• a<br>• b<br>2. c"),
        ("[the *shop*](https://example.com/?a=1&b)", "the <i>shop</i> (https://example.com/?a=1&amp;b)"),
        ("[x](javascript:alert(1)) [y](http://a.example)", "[x](javascript:alert(1)) [y](http://a.example)"),
        ("```\n# *a*\n```\n*b*", "<code># *a*</code><br><i>b</i>"),
        ("a\n\n\u202eb\r\nc", "a<br><br>b<br>c"),
        ("", ""),
    ],
)
def test_markdown(text: str, html: str) -> None:
    assert build_note_html(text) == html


@pytest.mark.parametrize(
    "text", [*wicked_texts("https://evil.example"), "*" * 2000, "[a" * 1000, "_a" * 1000, "**a *b " * 285]
)
def test_a_hostile_note_has_only_letters_that_look_different(text: str) -> None:
    page = MailPage(build_note_html(text))
    assert {name for name, _ in page.tags} <= {"b", "i", "code", "br"}
    assert not any(attributes for _, attributes in page.tags)


def inlines_of(blocks: Any) -> Iterator[tuple[str, str]]:
    """The type and the text of each bold, italic or code piece of the app's."""
    for block in blocks:
        if block["type"] == "code":
            yield from (("code", re.sub(r"\s", "", line)) for line in block["text"].split("\n"))
        for content in [block.get("content", []), *block.get("lines", []), *block.get("items", [])]:
            yield from pieces_of(content)


def pieces_of(content: Any) -> Iterator[tuple[str, str]]:
    for piece in content:
        if piece["type"] in TAG_BY_TYPE:
            yield TAG_BY_TYPE[piece["type"]], words_of([piece])
        yield from pieces_of(piece.get("content", []))


def words_of(content: Any) -> str:
    return re.sub(r"\s", "", "".join(piece.get("text") or words_of(piece["content"]) for piece in content))


def tagged(html: str) -> list[tuple[str, str]]:
    """The same of a mail's, by its tags, without the headings, which are bold as a whole, and without addresses."""
    found, opened = [], []
    for part in re.split(r"(</?\w+>)", html.replace(" (https://example.com/a)", "")):
        if part.startswith("</"):
            found.append(opened.pop())
        elif part.startswith("<") and part != "<br>":
            opened.append([part.strip("<>"), ""])
        else:
            for entry in opened:
                entry[1] += part
    return [(tag, re.sub(r"\s", "", words)) for tag, words in found]


def test_a_random_note_has_the_pieces_of_the_app(app_code: AppCode) -> None:
    chance = Random(3)
    notes = [
        "".join(chance.choices([piece for piece in PIECES if piece not in {"# ", "## ", "<b>", "&"}], k=12))
        for _ in range(400)
    ]
    for note, blocks in zip(
        notes, app_code.call("widgets/note/markdownBlocks.ts", [["blocksOf", note] for note in notes]), strict=True
    ):
        pieces = [
            sorted(piece for piece in side if piece[1]) for side in (tagged(build_note_html(note)), inlines_of(blocks))
        ]
        assert pieces[0] == pieces[1], note
