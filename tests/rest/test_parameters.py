"""Query parameters: what a route does not declare is refused, so is what stands twice, and the lack of what it needs."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from litestar import Litestar, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, JSONBody

from tallyroom.auth.guards import OPEN_GUARDS, public
from tallyroom.core.errors import Unauthorized, ValidationFailed
from tallyroom.rest import bodies, parameters
from tallyroom.rest.bodies import MAX_MEMBERS
from tallyroom.rest.errors import exception_handlers
from tallyroom.rest.parameters import MAX_PARAMETERS, parse_time_ms
from tallyroom.rest.requests import build_request_check


async def signed_in(connection: Any, _handler: Any) -> None:
    """Stands in for a guard that asks for credentials."""
    if "authorization" not in connection.headers:
        raise Unauthorized("Sign in first.")


def provide_place(page: FromQuery[int] = 1) -> int:
    return page


@get("/one/{key:str}", guards=[signed_in])
async def one(key: FromPath[str], limit: FromQuery[str] = "", color: FromQuery[list[str] | None] = None) -> list[str]:
    return [key, limit, *(color or [])]


@get("/needs", guards=[signed_in])
async def needs(environment: FromQuery[str], limit: FromQuery[str], q: FromQuery[str] = "") -> str:
    return environment + limit + q


@get("/paged", guards=[signed_in])
async def paged(place: NamedDependency[int]) -> int:
    return place


@post("/made", guards=[signed_in])
async def made(data: JSONBody[dict[str, int]]) -> None:
    return None


@get("/open", guards=[public])
async def open_to_all(limit: FromQuery[str] = "") -> str:
    return limit


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = Litestar(
        [one, needs, paged, made, open_to_all],
        dependencies={"place": Provide(provide_place, sync_to_thread=False)},
        before_request=build_request_check(OPEN_GUARDS),
        exception_handlers=exception_handlers,
        openapi_config=None,
    )
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)  # type: ignore[arg-type] # httpx describes ASGI more loosely
    headers = {"authorization": "anything"}
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver", headers=headers) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/one/x", ["x", ""]),
        ("/one/x?", ["x", ""]),
        ("/one/x?limit=", ["x", ""]),
        ("/one/x?limit=a%26limit", ["x", "a&limit"]),
        ("/one/x?color=red&limit=5&color=blue", ["x", "5", "red", "blue"]),
        ("/paged?page=3", 3),
    ],
)
async def test_what_a_route_declares_is_taken(client: httpx.AsyncClient, path: str, answer: Any) -> None:
    response = await client.get(path)
    assert (response.status_code, response.json()) == (200, answer)


@pytest.mark.parametrize(
    ("method", "path", "named", "reason"),
    [
        ("GET", "/one/x?limit=1&limit=2", "limit", "appears 2 times; send it once"),
        ("GET", "/one/x?limit=1&limit=1&limit=1", "limit", "appears 3 times; send it once"),
        ("GET", "/one/x?limit=&limit=", "limit", "appears 2 times; send it once"),
        ("GET", "/one/x?limit&lim%69t", "limit", "appears 2 times; send it once"),
        ("GET", "/one/x?Limit=1", "Limit", "is not a known parameter; did you mean limit?"),
        ("GET", "/one/x?limit[]=1", "limit[]", "is not a known parameter; did you mean limit?"),
        ("GET", "/one/x?key=y", "key", "is not a known parameter"),
        ("GET", "/one/x?colour=a&colour=b", "colour", "is not a known parameter; did you mean color?"),
        ("GET", "/one/x?=1", "", "is not a known parameter"),
        ("GET", "/one/x?%ff=1", "\ufffd", "is not a known parameter"),
        ("GET", "/paged?limit=1", "limit", "is not a known parameter"),
        ("POST", "/made?data=1", "data", "is not a known parameter"),
    ],
)
async def test_anything_else_is_refused_by_name(
    client: httpx.AsyncClient, method: str, path: str, named: str, reason: str
) -> None:
    response = await client.request(method, path, json={} if method == "POST" else None)
    assert response.status_code == 400
    assert response.json()["details"] == [{"path": [named], "message": reason}]


@pytest.mark.parametrize(
    ("query", "missing"),
    [("", ["environment", "limit"]), ("?limit=5", ["environment"]), ("?q=x&environment=", ["limit"])],
)
async def test_what_a_route_needs_is_asked_for_by_name(
    client: httpx.AsyncClient, query: str, missing: list[str]
) -> None:
    response = await client.get(f"/needs{query}")
    assert response.status_code == 400
    assert response.json()["details"] == [{"path": [name], "message": "is required"} for name in missing]
    assert (await client.get("/needs?limit=5&environment=")).text == "5"


@pytest.mark.parametrize("path", ["/one/x?", "/open?"])
async def test_too_many_parameters_are_not_looked_at(
    client: httpx.AsyncClient, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = "&".join(["a"] * MAX_PARAMETERS)
    assert "more than" not in (await client.get(path + many)).text
    monkeypatch.setattr(parameters, "Counter", lambda *_: pytest.fail("they are looked at"))
    refused = await client.get(f"{path}{many}&a")
    assert (refused.status_code, refused.json()["message"]) == (400, "The query has more than 200 parameters.")


async def test_too_many_members_of_a_body_are_not_read(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    json_type = {"content-type": "application/json"}
    fields = b",".join(b'"k%d":0' % at for at in range(MAX_MEMBERS))
    assert (await client.post("/made", content=b"{%b}" % fields[: fields.rindex(b",")], headers=json_type)).is_success
    monkeypatch.setattr(bodies, "decode_body", lambda *_: pytest.fail("it is read"))
    for body in (b"{%b}" % fields, b"[" * 20_001, b"[%b]" % b",".join([b"{}"] * MAX_MEMBERS)):
        refused = await client.post("/made", content=body, headers=json_type)
        assert refused.status_code == 400
        assert refused.json()["message"] == "The body has more than 20000 lists, objects and fields."


async def test_who_may_not_ask_learns_nothing_about_parameters(client: httpx.AsyncClient) -> None:
    del client.headers["authorization"]
    assert (await client.get("/one/x?nonsense=1")).status_code == 401


async def test_a_link_for_everybody_may_carry_what_others_add_to_it(client: httpx.AsyncClient) -> None:
    assert (await client.get("/open?utm_source=mail&_=1&_=2&limit=5")).text == "5"
    assert (await client.get("/open?limit=5&limit=6")).status_code == 400


@pytest.mark.parametrize(
    ("text", "ms"),
    [("1970-01-02", 86_400_000), ("1970-01-01T01:00:00+01:00", 0), ("1970-01-01T00:00:00.001Z", 1)],
)
def test_a_moment_is_a_date_or_a_date_time(text: str, ms: int) -> None:
    assert parse_time_ms("from", text) == ms


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-11", "2026-11-20T12:00:00 01:00"])
def test_what_is_no_moment_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        parse_time_ms("from", text)
    assert refused.value.details[0].path == ["from"]
    assert ("%2B" in refused.value.message) == (" " in text)
