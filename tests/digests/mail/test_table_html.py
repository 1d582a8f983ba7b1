"""Tables and ranked lists with bars that every mail program draws (rules/digests#mail-programs)."""

import pytest

from harness.browser.mail_page import MailPage
from tallyroom.dashboards.mail.contents import MailTable
from tallyroom.digests.mail.bar_html import build_bar_html
from tallyroom.digests.mail.table_html import build_table_html

ROWS = [("Berlin", "40", "80 %"), ("Porto", "10", "20 %")]


def test_a_ranked_list_has_a_bar_below_each_label_and_no_head() -> None:
    page = MailPage(
        build_table_html(MailTable(("City", "Plays", "Share"), ROWS, (False, True, True), [1, 0.25], has_head=False))
    )
    assert page.text.split() == ["Berlin", "40", "80", "%", "Porto", "10", "20", "%"]
    assert page.of("td", "width") == ["100%", "100%", "100%", "25%"]  # a label, its bar, and the same of the next row
    assert page.of("td", "align") == ["left", "right", "right"] * 2
    assert page.of("td", "dir") == ["auto"] * 2  # and yet an Arabic label begins at the left, as on the dashboard
    assert page.of("td", "colspan") == ["3", "3"]


def test_a_table_has_a_head_and_a_line_above_each_row() -> None:
    page = MailPage(
        build_table_html(MailTable(("City", "Plays", "Share"), ROWS, (False, True, True), left_out_note="2 more rows"))
    )
    assert page.text.startswith("City Plays Share Berlin 40")
    assert page.text.endswith("2 more rows")
    assert page.of("th", "align") == ["left", "right", "right"]
    assert page.of("td", "class") == ["line text", "line", "line"] * 2


def test_a_note_is_below_the_bar_of_its_row() -> None:
    page = MailPage(
        build_table_html(MailTable(("Step", "n", "%"), ROWS, (False, True, True), [1, 0.25], "", ["−30", ""]))
    )
    assert page.text == "Step n % Berlin 40 80 % −30 Porto 10 20 %"


@pytest.mark.parametrize(
    ("fraction", "widths", "cell_count"),
    [(0, [], 1), (0.4567, ["45.7%"], 2), (1, ["100%"], 1), (1.5, ["100%"], 1), (-1, [], 1), (0.9999, ["100%"], 1)],
)
def test_a_bar_is_as_long_as_its_share(fraction: float, widths: list[str], cell_count: int) -> None:
    page = MailPage(build_bar_html(fraction))
    assert page.of("td", "width") == widths
    assert [name for name, _ in page.tags].count("td") == cell_count
