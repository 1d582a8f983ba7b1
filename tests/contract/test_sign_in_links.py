"""A link that signs a browser in opens once, for who opens it themselves (rules/people#sign-in-links)."""

from collections.abc import Iterator

import httpx
import pytest

from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.suite.few import few


def make(workspace: Workspace) -> str:
    with workspace.client() as client:
        made = client.post("/v1/auth/links")
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    url: str = made.json()["url"]
    assert url.startswith(f"{workspace.url}/sign-in/trl_")
    return url


@pytest.fixture
def browser(workspace: Workspace) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=workspace.url, timeout=30) as client:
        yield client


def test_a_link_signs_in_once(workspace: Workspace, browser: httpx.Client) -> None:
    link = make(workspace)
    opened = browser.get(link)
    assert (opened.status_code, opened.headers["location"]) == (303, "/")
    assert opened.headers["referrer-policy"] == "no-referrer"
    assert browser.get("/v1/auth/me").json()["user"]["email"] == workspace.email
    browser.cookies.clear()
    check_refusal(browser.get(link), 404)


@pytest.mark.parametrize("path", ["/d/1", "/d/1?range=30d&f=plan%3Aeq%3Apro", "/actors/a%2Fb", "/", "/x//y"])
def test_it_leads_to_the_page_that_it_names(workspace: Workspace, browser: httpx.Client, path: str) -> None:
    link = make(workspace)
    for answer in (browser.head(link, params={"next": path}), browser.get(link, params={"next": path})):
        assert (answer.status_code, answer.headers["location"]) == (303, path)


ELSEWHERE = [
    "",
    "d/1",
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
]
ELSEWHERE += ["/d\r\nset-cookie: a=b", "/\n/evil.example", " /d", "/d ", "/é"]


@few(4, "path", ELSEWHERE)
def test_it_never_leads_to_another_site(workspace: Workspace, browser: httpx.Client, path: str) -> None:
    opened = browser.get(make(workspace), params={"next": path})
    assert (opened.status_code, opened.headers["location"]) == (303, "/")


def test_a_look_at_the_headers_does_not_use_it_up(workspace: Workspace, browser: httpx.Client) -> None:
    link = make(workspace)
    assert "set-cookie" not in browser.head(link).headers
    assert browser.get(link).status_code == 303


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"sec-purpose": "prefetch;prerender"}],
)
def test_another_page_cannot_open_it(workspace: Workspace, browser: httpx.Client, headers: dict[str, str]) -> None:
    link = make(workspace)
    check_refusal(browser.get(link, headers=headers), 403)
    assert browser.get(link, headers={"sec-fetch-site": "none"}).status_code == 303


def test_it_ends_with_the_session_that_made_it(workspace: Workspace, browser: httpx.Client) -> None:
    link = make(workspace)
    with workspace.client() as client:
        assert client.post("/v1/auth/logout").status_code == 204
    check_refusal(browser.get(link), 404)


def test_the_session_that_the_browser_held_ends(workspace: Workspace, browser: httpx.Client) -> None:
    browser.get(make(workspace))
    before = browser.cookies[workspace.cookie]
    browser.get(make(workspace))
    assert browser.cookies[workspace.cookie] != before
    assert workspace.get("/v1/auth/me", token=before).status_code == 401


def test_a_link_is_no_session_and_no_reset(workspace: Workspace, browser: httpx.Client) -> None:
    token = make(workspace).rsplit("/", 1)[1]
    check_refusal(workspace.get("/v1/auth/me", token=token), 401)
    body = {"token": token, "password": "another long password"}
    check_refusal(browser.post("/v1/auth/reset/confirm", json=body), 400)
