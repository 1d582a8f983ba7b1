"""/docs and /openapi.json: complete, and no file of another host."""

import re
import threading
from collections.abc import AsyncIterator

import httpx
import pytest
from litestar import Litestar
from litestar.datastructures import State

from tallyroom.analytics.system.reference import Reference
from tallyroom.rest.errors import exception_handlers


def document() -> dict[str, object]:
    return {"openapi": "3.1.0", "thread": threading.get_ident()}


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
    found = (await client.get("/openapi.json")).json()
    assert found["openapi"] == "3.1.0"
    assert found["thread"] != threading.get_ident()


async def test_the_page_and_all_it_links_to_are_served_from_here(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'self'" in page.headers["content-security-policy"]
    links = re.findall(r'(?:href|src)="([^"]*)"', page.text)
    assert len(links) == 3
    for link in links:
        answer = await client.get(link)
        assert answer.status_code == 200
        assert answer.headers["content-type"].split(";")[0] in {"text/css", "text/javascript"}
        assert answer.content


@pytest.mark.parametrize("name", ["index.html", "swagger-ui.css.map", "..%2f__init__.py", "__init__.py", "%00"])
async def test_no_other_file_is_served(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.get(f"/docs/{name}")
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
