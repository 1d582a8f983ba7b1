"""Numbers side by side, as large as they fit, and their changes in words for screen readers (rules/digests#numbers)."""

import re

import pytest

from harness.browser.mail_page import MailPage
from tallyroom.dashboards.mail.contents import BigNumber
from tallyroom.dashboards.mail.numbers import describe_change
from tallyroom.digests.mail.number_html import build_numbers_html


def rows(html: str) -> list[int]:
    """How many numbers each row has."""
    return [row.count("letter-spacing") for row in html.split("<tr>")[1:]]


@pytest.mark.parametrize(
    ("count", "width", "counts"),
    [
        (2, 606, [2]),
        (3, 606, [3]),
        (4, 606, [2, 2]),
        (5, 606, [3, 2]),
        (6, 606, [3, 3]),
        (3, 389, [2, 1]),
        (4, 280, [1, 1, 1, 1]),
        (2, 171, [1, 1]),
    ],
)
def test_two_or_three_numbers_are_in_a_row_as_far_as_they_fit(count: int, width: int, counts: list[int]) -> None:
    assert rows(build_numbers_html([BigNumber("x", "1", None)] * count, width)) == counts


@pytest.mark.parametrize(
    ("value", "size"),
    [("1", 26), ("10,363", 26), ("1,940,221.5", 22), ("1,940,221.55\N{THIN SPACE}EUR", 18), ("9" * 60, 15)],
)
def test_a_long_number_is_smaller(value: str, size: int) -> None:
    sizes = re.findall(
        r'class="ink(?: figure)?" style="font-size:(\d+)px', build_numbers_html([BigNumber("", value, None)], 171)
    )
    assert sizes == [str(size)]


def test_a_unit_is_smaller_than_its_number() -> None:
    html = build_numbers_html([BigNumber("", "12\N{THIN SPACE}EUR", None)], 171)
    assert MailPage(html).text == "12 EUR"
    assert '>12<span class="soft" style="font-size:14px' in html


def test_a_change_is_shown_as_in_the_app_and_read_in_words() -> None:
    page = MailPage(build_numbers_html([BigNumber("Plays", "8", describe_change(8, 10, "up"))], 300))
    assert page.text == "Plays 8 ↓ 20.0 % from 10"
    assert page.of("span", "class") == ["bad"]
    assert page.of("span", "aria-label") == ["down 20.0\N{THIN SPACE}%, worse"]


def test_a_number_that_was_zero_has_only_the_number_before() -> None:
    page = MailPage(build_numbers_html([BigNumber("", "8", describe_change(8, 0, "up"))], 300))
    assert (page.text, page.of("span", "class")) == ("8 from 0", [])
