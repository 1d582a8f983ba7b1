"""Pictures in pages of others: a README, a page that lets nothing in without leave, and a second visit."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import Page

from harness.clients.pictures import path
from harness.servers.scripted_server import ReceivedRequest, ScriptedAnswer, ScriptedServer
from harness.servers.server import Server

HOWTO = Path(__file__).parents[2] / "docs" / "howto" / "pictures.md"
SIZES = "[...document.images].map(each => [each.complete, each.naturalWidth, each.naturalHeight])"


def readme(server: Server) -> str:
    """The line that the page says to paste, and the same as a sharp PNG and in the dark."""
    (line,) = re.findall(r"!\[Servers\]\(https://tally\.example\.com(\S+)\)", HOWTO.read_text(encoding="utf-8"))
    auto = server.url + line
    png = auto.replace("graph.svg?theme=auto", "graph.png?scale=2")
    dark = auto.replace("theme=auto", "theme=dark&width=500&height=200&color=%23f97316")
    return f"# A project\n\nHow it goes:\n\n![Auto]({auto})\n\n![Sharp]({png})\n\n![Dark]({dark})\n\nThe end.\n"


def test_a_readme_shows_its_pictures(server: Server, page: Page, elsewhere: Any) -> None:
    html = MarkdownIt().render(readme(server))
    page.goto(elsewhere.shows(f"<!doctype html><style>img{{max-width:100%}}</style>{html}"))
    assert page.evaluate(SIZES) == [[True, 1000, 400], [True, 2000, 800], [True, 500, 200]]


KINDS = ["graph.svg", pytest.param("graph.png", marks=pytest.mark.long)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_that_takes_only_what_says_it_may_be_taken(
    server: Server, page: Page, elsewhere: Any, kind: str
) -> None:
    """With an origin of its own; the same picture without our headers stays out."""
    ours = server.url + path(kind, width=300, height=200)
    answer = page.goto(ours)
    assert answer
    bare = elsewhere.shows(answer.body(), answer.headers["content-type"])
    asking = elsewhere.shows(
        f'<!doctype html><img src="{ours}"><img src="{bare}">', cross_origin_embedder_policy="require-corp"
    )
    page.goto(asking.replace("127.0.0.1", "localhost"))
    assert page.evaluate(SIZES) == [[True, 300, 200], [True, 0, 0]]


class Doorman:
    """Stands before the server and writes down which answers went out."""

    def __init__(self, server: Server) -> None:
        self._url = server.url
        self.statuses: list[int] = []
        self.site = ScriptedServer(self._pass)

    def _pass(self, asked: ReceivedRequest) -> ScriptedAnswer:
        known = {name: text for name, text in asked.headers.items() if name == "if-none-match"}
        answer = httpx.get(self._url + asked.path, headers=known)
        self.statuses.append(answer.status_code)
        sent = {
            name: text for name, text in answer.headers.items() if name not in {"content-length", "content-encoding"}
        }
        return ScriptedAnswer(answer.status_code, answer.content, sent)


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_visit_asks_for_nothing_and_a_reload_gets_304(
    server: Server, page: Page, elsewhere: Any, kind: str
) -> None:
    doorman = Doorman(server)
    with doorman.site:
        picture = doorman.site.url + path(kind, width=300, height=200)
        for _ in range(2):
            page.goto(elsewhere.shows(f'<!doctype html><img src="{picture}">'))
            assert page.evaluate(SIZES) == [[True, 300, 200]]
        assert doorman.statuses == [200]
        page.goto(picture)
        page.reload()
        assert doorman.statuses == [200, 304]
