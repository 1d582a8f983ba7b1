"""The page at `/` is safe, complete and allowed by its own policy."""

import base64
import hashlib
from html.parser import HTMLParser

import pytest

from tallyroom.ui.page import CSP, home_page


class _Page(HTMLParser):
    """Collects the tags, links and text of a page."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.style = ""
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":  # the parser reads the raw text of this element
            self.style += data
        self.text += data


@pytest.fixture
def page() -> _Page:
    return _Page(home_page("https://stats.example.com", "1.2.3"))


def test_says_what_runs_and_how_to_send_an_event(page: _Page) -> None:
    assert "Version 1.2.3" in page.text
    assert "curl -s https://stats.example.com/v1/events" in page.text
    assert '"Authorization: Bearer $TALLYROOM_KEY"' in page.text


def test_links_to_the_reference_the_document_and_the_health_check(page: _Page) -> None:
    assert {value for name, value in page.attributes if name == "href"} == {"/docs", "/openapi.json", "/healthz"}


def test_every_placeholder_is_filled(page: _Page) -> None:
    assert "$base_url" not in page.text
    assert "$version" not in page.text
    assert "$$" not in page.text


def test_a_trailing_slash_of_the_address_is_not_doubled() -> None:
    assert b"http://localhost:8480/v1/events" in home_page("http://localhost:8480/", "1")


def test_the_address_cannot_bring_markup() -> None:
    hostile = "http://x/<script>alert(1)</script>\"'&"
    page = home_page(hostile, "<b>1</b>")
    assert "script" not in _Page(page).tags
    assert "b" not in _Page(page).tags
    assert hostile in _Page(page).text


def test_the_policy_allows_exactly_the_style_sheet_of_the_page(page: _Page) -> None:
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}';" in CSP
    assert "unsafe-inline" not in CSP
    assert "default-src 'none'" in CSP


def test_nothing_in_the_page_needs_more_than_the_policy_gives(page: _Page) -> None:
    assert page.tags.count("style") == 1
    assert not {"script", "link", "img", "iframe", "form"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name == "style" or name.startswith("on")]
