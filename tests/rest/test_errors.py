"""Whatever goes wrong, the answer has the one error shape."""

import logging
from collections.abc import AsyncIterator
from errno import EIO, EMFILE, ENFILE

import httpx
import msgspec
import pytest
from litestar import Litestar, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.core.log import request_id_var
from tallyroom.rest.errors import exception_handlers
from tallyroom.rest.requests import build_request_check


class Body(msgspec.Struct, forbid_unknown_fields=True):
    name: str


@post("/body")
async def take_body(data: JSONBody[Body]) -> str:
    return data.name


@post("/optional")
async def take_optional_body(data: JSONBody[Body | None] = None) -> str:
    return data.name if data else "none"


@get("/number")
async def take_number(limit: FromQuery[int]) -> int:
    return limit


@get("/crash")
async def crash() -> None:
    raise ZeroDivisionError("secret detail")


@get("/files/{number:int}")
async def out_of_files(number: FromPath[int]) -> None:
    raise RuntimeError from OSError(number, "secret detail", "/secret/path")


@get("/busy")
async def busy() -> None:
    raise Unavailable("The server is busy.", retry_after=7)


@get("/limited")
async def limited() -> None:
    raise RateLimited("Too many requests.", 3, {"ratelimit": "r"})


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = Litestar(
        [take_body, take_optional_body, take_number, crash, out_of_files, busy, limited],
        before_request=build_request_check(frozenset()),
        exception_handlers=exception_handlers,
        request_max_body_size=1000,
        openapi_config=None,
    )
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)  # type: ignore[arg-type] # httpx describes ASGI more loosely
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        yield client


JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status", "slug"),
    [
        ("GET", "/nowhere", b"", {}, 404, "not_found"),
        ("DELETE", "/number", b"", {}, 405, "method_not_allowed"),
        ("POST", "/body", b"{", JSON, 400, "validation_failed"),
        ("POST", "/body", b"", JSON, 400, "validation_failed"),
        ("POST", "/body", b"{}", JSON, 400, "validation_failed"),
        ("POST", "/body", b'{"name":"x"}', {}, 415, "unsupported_media_type"),
        ("POST", "/body", b'{"name":"x"}', {"content-type": "text/plain"}, 415, "unsupported_media_type"),
        ("POST", "/body", b"name=x", FORM, 415, "unsupported_media_type"),
        ("POST", "/body", b'"' + b"x" * 2000, JSON, 413, "payload_too_large"),
        ("POST", "/optional", b'{"name":1}', JSON, 400, "validation_failed"),
        ("GET", "/number?limit=x", b"", {}, 400, "validation_failed"),
        ("GET", "/number", b"", {}, 400, "validation_failed"),
        ("GET", "/crash", b"", {}, 500, "internal"),
        ("GET", "/busy", b"", {}, 503, "unavailable"),
        ("GET", "/limited", b"", {}, 429, "rate_limited"),
    ],
)  # fmt: skip # one case a line
async def test_every_refusal_has_the_one_shape(
    client: httpx.AsyncClient, method: str, path: str, content: bytes, headers: dict[str, str], status: int, slug: str
) -> None:
    token = request_id_var.set("r1")
    response = await client.request(method, path, content=content, headers=headers)
    request_id_var.reset(token)
    body = response.json()
    assert response.status_code == status
    assert response.headers["content-type"] == "application/json"
    assert list(body) == ["code", "error", "message", "details", "requestId"]
    assert (body["code"], body["error"], body["requestId"]) == (status, slug, "r1")
    assert body["message"]


@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON; charset=utf-8"])
async def test_json_is_taken(client: httpx.AsyncClient, content_type: str) -> None:
    response = await client.post("/body", content=b'{"name":"x"}', headers={"content-type": content_type})
    assert (response.status_code, response.text) == (201, "x")


async def test_a_body_may_be_optional(client: httpx.AsyncClient) -> None:
    assert (await client.post("/optional")).text == "none"
    assert (await client.post("/optional", json={"name": "x"})).text == "x"


async def test_a_wrong_parameter_is_named(client: httpx.AsyncClient) -> None:
    details = (await client.get("/number?limit=x")).json()["details"]
    assert [detail["path"] for detail in details] == [["limit"]]


async def test_a_missing_parameter_is_named(client: httpx.AsyncClient) -> None:
    response = await client.get("/number")
    assert response.status_code == 400
    assert response.json()["details"] == [{"path": ["limit"], "message": "is required"}]


async def test_headers_are_part_of_the_answer(client: httpx.AsyncClient) -> None:
    assert (await client.get("/busy")).headers["retry-after"] == "7"
    assert (await client.get("/limited")).headers["ratelimit"] == "r"
    assert "GET" in (await client.delete("/number")).headers["allow"]


async def test_a_crash_is_logged_and_not_shown(client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        response = await client.get("/crash")
    assert "secret" not in response.text
    assert any(record.exc_info and "secret detail" in str(record.exc_info[1]) for record in caplog.records)


async def test_a_refusal_is_not_logged_as_an_error(client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        await client.get("/busy")
        await client.get("/nowhere")
    assert not caplog.records


@pytest.mark.parametrize("number", [EMFILE, ENFILE])
async def test_a_process_that_may_open_no_more_files_is_busy(client: httpx.AsyncClient, number: int) -> None:
    """See rules/safety#too-many-open-files."""
    answer = await client.get(f"/files/{number}")
    assert (answer.status_code, answer.json()["error"], answer.headers["retry-after"]) == (503, "unavailable", "5")
    assert "secret" not in answer.text


async def test_any_other_fault_of_the_system_is_the_servers(client: httpx.AsyncClient) -> None:
    assert (await client.get(f"/files/{EIO}")).status_code == 500
