"""What all mails share: their page, their button, and pictures for both themes (rules/digests#mail-programs)."""

import re

from harness.browser.mail_page import MailPage
from tallyroom.mail.html.elements import build_button_html, build_picture_html
from tallyroom.mail.html.page import build_page

STYLE_BYTES_THAT_GMAIL_READS = 8_192


def page(preview_html: str | None = None) -> str:
    return build_page(
        title_html="T", rows_html="<tr><td>R</td></tr>", footer_html="F", width=640, preview_html=preview_html
    )


def test_a_page_has_its_parts_in_order() -> None:
    assert MailPage(page()).text == "R F"
    assert MailPage(page("P")).text == "P R F"
    assert "$" not in page()


def test_outlook_has_the_width_that_others_have_as_their_most() -> None:
    assert '<!--[if mso]><table role="presentation" width="640"' in page()
    assert "max-width:640px" in page()


def test_a_page_says_that_it_has_both_themes() -> None:
    [style] = re.findall(r"<style>(.*?)</style>", page(), re.DOTALL)
    assert "@media (prefers-color-scheme: dark)" in style
    assert "color-scheme: light dark" in style
    assert len(style) < STYLE_BYTES_THAT_GMAIL_READS
    assert not re.search(r"@import|url\(", page())


def test_every_dark_color_replaces_one_that_is_inline() -> None:
    dark = page().partition("@media (prefers-color-scheme: dark)")[2].partition("</style>")[0]
    rules = re.findall(r"\.[\w-]+[^{]*{([^}]*)}", dark)
    assert len(rules) > 10
    assert all(
        declaration.strip().endswith("!important") for rule in rules for declaration in rule.strip(" ;").split(";")
    )


def test_the_color_of_a_button_is_on_its_cell() -> None:
    button = MailPage(build_button_html("https://x", "Open", align="left"))
    assert button.of("td", "bgcolor") == ["#18181b"]
    assert (button.of("a", "href"), button.text) == (["https://x"], "Open")


def test_outlook_reads_only_the_light_picture() -> None:
    html = build_picture_html("words", "cid:light", "cid:dark", 300)
    assert MailPage(html).of("img", "src") == ["cid:light", "cid:dark"]
    assert MailPage(html).of("img", "alt") == ["words", "words"]
    outlook = html.replace("<!--[if !mso]><!-->", "<!--").replace("<!--<![endif]-->", "-->")
    assert MailPage(outlook).of("img", "src") == ["cid:light"]
