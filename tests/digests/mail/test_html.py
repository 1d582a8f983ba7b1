"""Whatever names and values are, they are shown as typed and do nothing (rules/digests#email)."""

import pytest

from harness.browser.mail_page import MailPage
from harness.builders.digest_mails import HEAD
from harness.builders.hostile import TEXTS
from harness.builders.markup import wicked_texts
from tallyroom.dashboards.mail.contents import (
    BigNumber,
    MailChart,
    MailContent,
    MailNote,
    MailTable,
    ThemedPicture,
    WidgetPart,
)
from tallyroom.dashboards.mail.numbers import NumberChange
from tallyroom.digests.mail.head import DELAY_SENTENCE
from tallyroom.digests.mail.html import build_html, build_row_html
from tallyroom.digests.mail.rows import PlacedPart, place_parts
from tallyroom.images.charts.goals import GoalProgress

TAGS = {
    *("html", "head", "meta", "title", "style", "body"),
    *("table", "tr", "td", "th", "h1", "h2", "p", "br", "div", "span", "a", "img"),
}
OF_NOTES = {"br", "b", "i", "code"}
UNSUBSCRIBE = "https://stats.example.com/unsubscribe/x"


def everywhere(text: str) -> str:
    """A mail that has the text in all places that a person or an event can fill."""
    change = NumberChange(6, 5, "↑", text, text, "good")
    contents: list[MailContent] = [
        BigNumber(text, text, change, GoalProgress("open", 0.5, text), note=text),
        MailTable([text, "n"], [[text, "1"]], [False, True], [1.0], text, [text]),
        MailChart(text, ThemedPicture("chart1", "chart1dark")),
        MailChart(text),
        MailNote(text),
    ]
    head = HEAD._replace(title=text, dashboard_name=text, left_out_count=3)
    row = [PlacedPart(WidgetPart(text, contents), 640)]
    return build_html(head, [build_row_html(row, "cid:{}".format)], text, UNSUBSCRIBE)


PLAIN = MailPage(everywhere("plain"))


@pytest.mark.parametrize("text", [*wicked_texts("https://evil.example"), *TEXTS, "مجاني", "\u202eabc", "🫖" * 50])
def test_a_hostile_text_adds_no_tag_no_attribute_and_no_link(text: str) -> None:
    page = MailPage(everywhere(text))
    tags, plain_tags = ([tag for tag in mail.tags if tag[0] not in OF_NOTES] for mail in (page, PLAIN))
    assert [name for name, _ in tags] == [name for name, _ in plain_tags]
    assert [sorted(attributes) for _, attributes in tags] == [sorted(attributes) for _, attributes in plain_tags]
    assert page.of("a", "href") == [HEAD.dashboard_url, UNSUBSCRIBE]
    assert page.of("img", "src") == ["cid:chart1", "cid:chart1dark"]


def test_a_mail_that_did_not_wait_reports_it_below_the_period() -> None:
    html = build_html(HEAD._replace(is_fresh=False), [], "", UNSUBSCRIBE)
    assert f"{HEAD.period_text}<br>{DELAY_SENTENCE}</p>" in html
    assert DELAY_SENTENCE not in build_html(HEAD, [], "", UNSUBSCRIBE)


def test_a_mail_has_only_tags_that_mail_programs_know() -> None:
    assert {name for name, _ in PLAIN.tags} <= TAGS
    assert not {"script", "link", "form"} & {name for name, _ in PLAIN.tags}


def test_what_was_typed_is_what_is_shown() -> None:
    text = 'Tom & <b>"Jerry"</b> =?utf-8?q?x?='
    page = MailPage(everywhere(text))
    assert page.text.count(text) >= 12
    assert page.of("img", "alt") == [text, text]


def test_letters_cannot_be_turned_around() -> None:
    assert "\u202e" not in everywhere("a\u202eb\u2066c\u2069")


def test_the_lines_of_a_note_stay() -> None:
    html = build_row_html(place_parts([WidgetPart("", [MailNote("one\n\n<i>two</i>\r\nthree")])])[0], str)
    assert "one<br><br>&lt;i&gt;two&lt;/i&gt;<br>three" in html


def test_parts_beside_each_other_fill_the_width_of_a_mail() -> None:
    number, note = WidgetPart("N", [BigNumber("", "1", None)], 3), WidgetPart("T", [MailNote("x")], 6)
    for parts, widths in (
        ([note], ["640"]),
        ([note, note], ["314", "12", "314"]),
        ([number, note], ["205", "12", "422"]),
        ([number, number, number], ["205", "12", "205", "12", "205"]),
    ):
        [row] = place_parts(parts)
        assert MailPage(build_row_html(row, str)).of("td", "width") == widths


@pytest.mark.parametrize(
    ("count", "classes"),
    [
        (1, ["card whole"]),
        (2, ["card half", "gap-half", "card half"]),
        (3, ["card half", "gap-half", "card half", "gap", "card whole"]),
    ],
)
def test_on_a_phone_two_numbers_are_next_to_each_other(count: int, classes: list[str]) -> None:
    [row] = place_parts([WidgetPart("", [BigNumber("", "1", None)], 4)] * count)
    assert MailPage(build_row_html(row, str)).of("td", "class") == classes


def test_a_picture_has_a_dark_one_that_outlook_does_not_read() -> None:
    [row] = place_parts([WidgetPart("", [MailChart("1 to 2", ThemedPicture("chart1", "chart1dark"))])])
    html = build_row_html(row, "cid:{}".format)
    page = MailPage(html)
    assert page.of("img", "class") == ["on-light", "on-dark"]
    assert page.of("img", "alt") == ["1 to 2", "1 to 2"]
    assert page.of("img", "width") == ["638", "638"]
    assert ["display:none" in style for style in page.of("img", "style")] == [False, True]
    assert MailPage(html.replace("<!--[if !mso]><!-->", "<!--").replace("<!--<![endif]-->", "-->")).of(
        "img", "src"
    ) == ["cid:chart1"]


def test_it_tells_programs_of_both_themes() -> None:
    metas = {found.get("name"): found.get("content") for name, found in PLAIN.tags if name == "meta"}
    assert metas["color-scheme"] == "light dark"
    assert metas["viewport"] == "width=device-width, initial-scale=1"
