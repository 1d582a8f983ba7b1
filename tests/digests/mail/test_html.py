"""Whatever names and values are, they are shown as typed and do nothing (rules/digests#email)."""

import pytest

from harness.browser.mail_page import MailPage
from harness.builders.digest_mails import HEAD
from harness.builders.hostile import TEXTS
from harness.builders.markup import wicked_texts
from tallyroom.dashboards.mail.contents import BigNumber, MailChart, MailContent, MailNote, MailTable, WidgetPart
from tallyroom.dashboards.mail.numbers import NumberChange
from tallyroom.digests.mail.head import DELAY_SENTENCE
from tallyroom.digests.mail.html import build_html, build_part_html

TAGS = {
    *("html", "head", "meta", "title", "style", "body"),
    *("table", "tr", "td", "th", "h1", "h2", "p", "br", "div", "span", "a", "img"),
}
UNSUBSCRIBE = "https://stats.example.com/unsubscribe/x"


def everywhere(text: str) -> str:
    """A mail that has the text in all places that a person or an event can fill."""
    change = NumberChange("▲", "10% up from 5, better", "good")
    contents: list[MailContent] = [
        BigNumber(text, "1", change),
        MailTable([text, "n"], [[text, "1"]], [False, True], [1.0], text),
        MailChart(text, "chart1"),
        MailChart(text),
        MailNote(text),
    ]
    head = HEAD._replace(title=text, dashboard_name=text, left_out_count=3)
    return build_html(head, [build_part_html(WidgetPart(text, contents), "cid:{}".format)], text, UNSUBSCRIBE)


PLAIN = MailPage(everywhere("plain"))


@pytest.mark.parametrize("text", [*wicked_texts("https://evil.example"), *TEXTS, "مجاني", "\u202eabc", "🫖" * 50])
def test_a_hostile_text_adds_no_tag_no_attribute_and_no_link(text: str) -> None:
    page = MailPage(everywhere(text))
    assert [name for name, _ in page.tags if name != "br"] == [name for name, _ in PLAIN.tags if name != "br"]
    assert [sorted(found) for name, found in page.tags if name != "br"] == [
        sorted(found) for name, found in PLAIN.tags if name != "br"
    ]
    assert page.of("a", "href") == [HEAD.dashboard_url, UNSUBSCRIBE]
    assert page.of("img", "src") == ["cid:chart1"]


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
    assert page.text.count(text) >= 8
    assert page.of("img", "alt") == [text]


def test_letters_cannot_be_turned_around() -> None:
    assert "\u202e" not in everywhere("a\u202eb\u2066c\u2069")


def test_a_change_is_told_by_words_and_an_arrow() -> None:
    assert "▲ 10% up from 5, better" in PLAIN.text


def test_the_lines_of_a_note_stay() -> None:
    html = build_part_html(WidgetPart("", [MailNote("one\n\n<i>two</i>\r\nthree")]), str)
    assert "one<br>\n<br>\n&lt;i&gt;two&lt;/i&gt;<br>\nthree" in html


def test_it_tells_programs_of_both_themes() -> None:
    metas = {found.get("name"): found.get("content") for name, found in PLAIN.tags if name == "meta"}
    assert metas["color-scheme"] == "light dark"
    assert metas["viewport"] == "width=device-width, initial-scale=1"
