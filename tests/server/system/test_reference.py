"""/docs and /openapi.json: complete, and no file of another host."""

import asyncio
import re
import threading
from collections.abc import AsyncIterator

import httpx
import pytest
from litestar import Litestar
from litestar.datastructures import State

from tallyroom.rest.errors import exception_handlers
from tallyroom.server.system.reference import Reference

MADE: list[int] = []
"""The thread of each time that the document was made."""


def document() -> dict[str, object]:
    MADE.append(threading.get_ident())
    return {"openapi": "3.1.0", "info": {"title": "a long title " * 100}}


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = Litestar(
        [Reference],
        state=State({"openapi": document}),
        exception_handlers=exception_handlers,
        openapi_config=None,
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://t") as client:  # type: ignore[arg-type] # httpx describes ASGI more loosely
        yield client


async def test_the_document_is_the_apps_and_made_beside_the_event_loop(client: httpx.AsyncClient) -> None:
    MADE.clear()
    answers = await asyncio.gather(*(client.get("/openapi.json") for _ in range(5)))
    answers.append(await client.get("/openapi.json"))
    assert {answer.json()["openapi"] for answer in answers} == {"3.1.0"}
    assert {answer.headers["content-type"] for answer in answers} == {"application/json"}
    assert len(MADE) == 1
    assert [threading.get_ident()] != MADE


PATHS = ["/openapi.json", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/docs/start.js"]


@pytest.mark.parametrize("path", PATHS)
async def test_a_client_that_has_a_file_is_not_sent_it_again(client: httpx.AsyncClient, path: str) -> None:
    plain = await client.get(path, headers={"accept-encoding": "identity"})
    packed = await client.get(path, headers={"accept-encoding": "gzip, br"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) != int(plain.headers["content-length"])
    tags = {answer.headers["etag"] for answer in (plain, packed)}
    assert len(tags) == 2, "a strong tag names the bytes that were sent"
    assert not any(tag.startswith("W/") for tag in tags)
    for answer in (plain, packed):
        assert answer.headers["vary"] == "accept-encoding"
        known = {"accept-encoding": answer.headers.get("content-encoding", "identity")}
        again = await client.get(path, headers=known | {"if-none-match": f'"other", {answer.headers["etag"]}'})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == answer.headers["etag"]
        assert again.headers["cache-control"] == answer.headers["cache-control"]
        changed = await client.get(path, headers=known | {"if-none-match": '"other"'})
        assert (changed.status_code, changed.content) == (200, plain.content)


async def test_the_page_and_all_it_links_to_are_served_from_here(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'self'" in page.headers["content-security-policy"]
    links = re.findall(r'(?:href|src)="([^"]*)"', page.text)
    assert len(links) == 3
    for link in links:
        answer = await client.get(link)
        assert answer.status_code == 200
        assert answer.headers["content-type"] in {"text/css; charset=utf-8", "text/javascript; charset=utf-8"}
        assert answer.content


@pytest.mark.parametrize("name", ["index.html", "swagger-ui.css.map", "..%2f__init__.py", "__init__.py", "%00"])
async def test_no_other_file_is_served(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.get(f"/docs/{name}")
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
