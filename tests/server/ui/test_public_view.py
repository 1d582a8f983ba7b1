"""The page of a public dashboard: its head, who may frame it, and what there is without the app (rules/boards#public-page)."""

import re
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from harness.clients.dashboards import make_dashboard, make_widget
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server
from tallyroom.core.errors import NotFound
from tallyroom.server.ui.public_view import PublishedPage, PublishedPages

HOSTILE = '"><script>window.ran=1</script><img src=x onerror=window.ran=1>'
METRIC = {"type": "metric", "config": {"event": "x", "measure": "count", "overTime": True}}


class Head(HTMLParser):
    """The elements of a page, its metadata by name, and its words."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.named: dict[str, str] = {}
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        found = dict(attrs)
        if tag == "meta" and (name := found.get("property") or found.get("name")):
            self.named[name] = found["content"] or ""

    def handle_data(self, data: str) -> None:
        self.words += data


async def shown(name: str, description: str | None, built: bytes | None, pictures: str = "") -> tuple[int, Head]:
    async def find(slug: str) -> PublishedPage:
        if slug != "a_-b":
            raise NotFound("none")
        return PublishedPage(name, description, [("w1", name)], has_preview=True)

    answer = await PublishedPages(find, built, pictures, is_https=False).answer(
        "a_-b", "https://tally.example", [], may_be_framed=False
    )
    return answer.status, Head(answer.body.decode())


@pytest.mark.parametrize("built", [None, b"<!doctype html><title>T</title><div id=root></div>"], ids=["plain", "built"])
async def test_a_hostile_name_stays_text(built: bytes | None) -> None:
    status, head = await shown(HOSTILE, f"$body {HOSTILE}", built)
    assert status == 200
    assert "script" not in head.elements
    assert head.elements.count("img") == (0 if built else 1)
    assert head.named["og:title"] == HOSTILE
    assert head.named["og:description"] == f"$body {HOSTILE}"


async def test_the_head_tells_previews_all_they_need() -> None:
    _, head = await shown("Shop", None, b"<title>T</title>", "https://pictures.example")
    assert head.named == {
        "description": "Numbers that are always up to date.",
        "robots": "noindex",
        "og:type": "website",
        "og:site_name": "Tallyroom",
        "og:title": "Shop",
        "og:description": "Numbers that are always up to date.",
        "og:url": "https://tally.example/p/a_-b",
        "og:image": "https://pictures.example/custom/dashboards/a_-b.png",
        "twitter:card": "summary_large_image",
    }
    assert head.words.strip() == "Shop · Tallyroom"


def board(server: Server) -> tuple[Workspace, Any]:
    workspace = sign_up(server.url)
    made = make_dashboard(workspace, name="Shop & <more>", description="What it sells", isPublic=True)
    make_widget(workspace, made["id"], title="Orders", **METRIC)
    return workspace, made


@pytest.mark.long
def test_the_server_completes_the_built_page(with_app: Server) -> None:
    workspace, made = board(with_app)
    with httpx.Client(base_url=with_app.url) as anybody:
        answer = anybody.get(f"/p/{made['slug']}")
        head = Head(answer.text)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert head.named["og:title"] == "Shop & <more>"
        assert head.named["og:image"] == f"http://tally.example/custom/dashboards/{made['slug']}.png"
        assert '<script type="module" src="/assets/public-5c6d.js">' in answer.text
        assert (answer.headers["cache-control"], answer.headers["x-robots-tag"]) == ("no-cache", "noindex")
        again = anybody.get(f"/p/{made['slug']}", headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        looked = anybody.head(f"/p/{made['slug']}")
        assert (looked.status_code, looked.content) == (200, b"")
        with workspace.client() as client:
            assert client.patch(f"/v1/dashboards/{made['id']}", json={"isPublic": False}).status_code == 200
        assert anybody.get(f"/p/{made['slug']}").status_code == 404


@pytest.mark.long
@pytest.mark.parametrize(("query", "ancestors"), [("", "'none'"), ("?embed=1", "*"), ("?embed=0", "'none'")])
def test_only_the_embedded_page_may_be_framed(with_app: Server, query: str, ancestors: str) -> None:
    _, made = board(with_app)
    for slug in (made["slug"], "none"):
        policy = httpx.get(f"{with_app.url}/p/{slug}{query}").headers["content-security-policy"]
        assert f"frame-ancestors {ancestors}" in policy
        assert "script-src 'self'" in policy or "default-src 'none'" in policy


@pytest.mark.parametrize("slug", ["none", "AAAAAAAAAAAAAAAAAAAAAA", "%00", "é", "a%2Fb"])
def test_what_is_not_public_is_a_page_that_says_so(with_app: Server, slug: str) -> None:
    answer = httpx.get(f"{with_app.url}/p/{slug}")
    assert answer.status_code == 404
    if "%2F" not in slug:
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "There is no public dashboard at this address." in Head(answer.text).words


def test_an_address_that_people_guess_leads_there(with_app: Server) -> None:
    answer = httpx.get(f"{with_app.url}/public/a%0d%0ab?embed=1")
    assert (answer.status_code, answer.headers["location"]) == (308, "/p/a%0D%0Ab?embed=1")


@pytest.mark.long
def test_without_the_app_the_page_shows_pictures(plain: Server) -> None:
    _, made = board(plain)
    answer = httpx.get(f"{plain.url}/p/{made['slug']}")
    assert answer.status_code == 200
    (picture,) = re.findall(r'<img src="([^"]+)" alt="Orders">', answer.text)
    assert httpx.get(plain.url + picture, timeout=60).headers["content-type"] == "image/svg+xml"
    assert "script" not in Head(answer.text).elements
