"""The page at `/` is safe, says what to do next, and is allowed by its own policy."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from harness.suite.pasted_blocks import blocks
from tallyroom.server.ui.page import CSP, Visitor, build_home_page
from tallyroom.server.ui.steps import Stage


class _Page(HTMLParser):
    """Collects the tags, links and text of a page."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.style = ""
        self.commands: list[str] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "code":
            self.commands.append("")
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":  # the parser reads the raw text of this element
            self.style += data
        if self.tags and self.tags[-1] == "code":
            self.commands[-1] += data
        self.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "code":
            self.tags.append("")

    @property
    def links(self) -> list[str]:
        return [value or "" for name, value in self.attributes if name == "href"]


ADDRESS = "https://stats.example.com"
README = Path(__file__).parents[3] / "README.md"
SOMEBODY = Visitor("Somebody", "Acme & Sons")


def shown(stage: Stage, visitor: Visitor | None = None, address: str = ADDRESS) -> _Page:
    return _Page(build_home_page(address, "1.2.3", stage, visitor))


@pytest.fixture(params=Stage)
def page(request: pytest.FixtureRequest) -> _Page:
    return shown(request.param)


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        (Stage.NOBODY, "No one has signed up yet."),
        (Stage.NO_EVENT, "No events have arrived yet."),
        (Stage.EVENTS, "Events have arrived."),
    ],
)
def test_says_what_runs_and_how_far_it_has_come(stage: Stage, words: str) -> None:
    assert f"Version 1.2.3. {words}" in shown(stage).text


def test_before_anybody_has_signed_up_the_commands_are_those_of_the_readme() -> None:
    commands = [block.code.strip() for block in blocks(README, "First event in a minute") if block.language == "sh"]
    wanted = re.sub(
        r"^export TALLYROOM_URL=.*$", f"export TALLYROOM_URL={ADDRESS}", "\n".join(commands), flags=re.MULTILINE
    )
    assert "\n".join(shown(Stage.NOBODY).commands) == wanted


def test_nobody_is_told_to_sign_up_twice() -> None:
    assert all("/v1/auth/signup" not in shown(stage).text for stage in (Stage.NO_EVENT, Stage.EVENTS))


def test_every_variable_that_a_command_uses_was_set_by_one_before(page: _Page) -> None:
    known: set[str] = set()
    for command in page.commands:
        known |= set(re.findall(r"^(?:export )?([A-Z_]+)=", command, re.MULTILINE))
        assert set(re.findall(r"\$([A-Z_]+)", command)) <= known


def test_links_to_the_reference_the_document_and_the_health_check(page: _Page) -> None:
    assert page.links == ["/docs", "/openapi.json", "/healthz"]


def test_who_is_signed_in_sees_who_they_are_and_where_their_data_is() -> None:
    page = shown(Stage.EVENTS, SOMEBODY)
    assert "You are signed in as Somebody, in Acme & Sons." in page.text
    assert page.links[:3] == ["/v1/dashboards", "/v1/events?timeRange=90d", "/v1/actors?timeRange=90d"]


def test_every_placeholder_is_filled(page: _Page) -> None:
    assert not re.search(r"\$[a-z]|\$\$|\{\{|\}\}\}", page.text)


def test_a_trailing_slash_of_the_address_is_not_doubled() -> None:
    assert "TALLYROOM_URL=http://localhost:8480\n" in shown(Stage.NOBODY, address="http://localhost:8480/").text


def test_the_address_cannot_bring_markup_or_a_command() -> None:
    hostile = "http://x/<script>alert(1)</script>;rm -rf $HOME"
    page = shown(Stage.NOBODY, Visitor("<b>", "<i>"), hostile)
    assert not {"script", "b", "i"} & set(page.tags)
    assert f"export TALLYROOM_URL='{hostile}'\n" in page.text


def test_the_policy_allows_exactly_the_style_sheet_of_the_page(page: _Page) -> None:
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}';" in CSP
    assert "unsafe-inline" not in CSP
    assert "default-src 'none'" in CSP


def test_nothing_in_the_page_needs_more_than_the_policy_gives(page: _Page) -> None:
    assert page.tags.count("style") == 1
    assert not {"script", "link", "img", "iframe", "form"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name == "style" or name.startswith("on")]
