"""Every request gets its id, its count and its log line, and ingest goes the short way."""

import json
import logging
from types import SimpleNamespace
from typing import Any

import pytest
from litestar import Litestar, Router, get
from litestar.params import FromPath

from tallyroom.core.errors import Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.log import request_id_var
from tallyroom.rest.answer import HttpAnswer, add_default_headers
from tallyroom.rest.hosts import HostFamilies
from tallyroom.rest.path_as_sent import AS_SENT
from tallyroom.server.request_entry import RequestEntry, Shortcut
from tallyroom.server.system.metrics import Metrics

INGEST = ("POST", "/v1/events")

KEPT = "/custom/graph"


@get("/{key:str}", sync_to_thread=False)
def get_actor(key: FromPath[str]) -> str:
    return key


actors = Router("/v1/actors", route_handlers=[get_actor], opt=AS_SENT)


class Framework:
    """Stands in for the framework: it has routes and is an ASGI application."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.routes = Litestar([actors], openapi_config=None).routes

    async def __call__(self, *arguments: Any) -> None:
        await self.app(*arguments)


class Ingest:
    """Stands in for ingest, by both ways."""

    def __init__(self, scene: "Scene") -> None:
        self.scene = scene

    async def __call__(self, scope: Any, receive: Any, send: Any) -> int:
        self.scene.seen.append(("ingest", scope["path"], request_id_var.get()))
        return self.scene.status

    def try_handle_directly(self, exchange: Any) -> bool:
        self.scene.seen.append(("direct", "", exchange.request_id))
        exchange.on_answer(self.scene.status)
        return True


class Scene:
    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.seen: list[tuple[str, str, str]] = []
        self.sent: list[Any] = []
        self.status = 200
        self.template: str | None = None
        self.kept: HttpAnswer | Unavailable | None = None
        self.metrics = Metrics([], [])
        ingest = Ingest(self)
        self.request_entry = RequestEntry(
            Framework(self.framework),  # type: ignore[arg-type] # all that it is asked for
            {INGEST: Shortcut(ingest, ingest.try_handle_directly)},
            self.metrics,
            clock,
            IdGenerator(clock, lambda n: b"\x01" * n),
            HostFamilies("", "", "", frozenset()),
            [self.keeps_nothing, self.keeps],
        )

    async def keeps_nothing(self, scope: Any) -> None:
        return None

    async def keeps(self, scope: Any) -> HttpAnswer | None:
        if isinstance(self.kept, Unavailable):
            raise self.kept
        return self.kept if scope["path"] == KEPT else None

    async def framework(self, scope: Any, receive: Any, send: Any) -> None:
        self.seen.append(("framework", scope.get("path", ""), request_id_var.get()))
        if scope["type"] != "http":
            return
        self.clock.advance(0.25)
        if self.template:
            scope["path_template"] = self.template
        await send({"type": "http.response.start", "status": self.status, "headers": [(b"a", b"b")]})
        await send({"type": "http.response.body", "body": b""})

    async def ask(self, method: str, path: str, raw: bytes | None = None, kind: str = "http") -> None:
        async def send(message: Any) -> None:
            self.sent.append(message)

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        scope: Any = {"type": kind, "method": method, "path": path, "raw_path": path.encode() if raw is None else raw}
        scope["headers"] = []
        await self.request_entry(scope, receive, send)

    def counted(self) -> list[str]:
        lines = self.metrics.render_text().decode().splitlines()
        return [line.removeprefix("tallyroom_http_responses_total") for line in lines if "responses_total{" in line]


@pytest.fixture
def scene(fake_clock: Any) -> Scene:
    return Scene(fake_clock)


@pytest.mark.parametrize("path", ["/v1/events", "/v1/events/"])
async def test_ingest_goes_around_the_framework(scene: Scene, path: str) -> None:
    scene.status = 202
    await scene.ask("POST", path)
    assert [(who, seen) for who, seen, _ in scene.seen] == [("ingest", path)]
    assert scene.counted() == ['{entry="/v1/events",status="202"} 1.0']


@pytest.mark.parametrize(("method", "path"), [("POST", "/v1/events/x"), ("POST", "/v1/eventsx"), ("HEAD", "/")])
async def test_everything_else_goes_into_it(scene: Scene, method: str, path: str) -> None:
    scene.status = 404
    await scene.ask(method, path)
    assert [(who, seen) for who, seen, _ in scene.seen] == [("framework", path)]
    assert scene.counted() == ['{entry="framework",status="404"} 1.0']


async def test_what_is_answered_directly_has_an_id_and_is_counted(scene: Scene) -> None:
    scene.status = 202
    exchange: Any = SimpleNamespace(headers=[])
    assert scene.request_entry.direct_handlers[INGEST](exchange)
    await scene.ask("POST", "/v1/events")
    assert [who for who, _, _ in scene.seen] == ["direct", "ingest"]
    assert len({id_ for _, _, id_ in scene.seen}) == 2
    assert scene.counted() == ['{entry="/v1/events",status="202"} 2.0']


async def test_another_method_on_the_short_way_is_refused_by_name(scene: Scene) -> None:
    await scene.ask("GET", "/v1/events")
    start, body = scene.sent
    assert (start["status"], json.loads(body["body"])["error"]) == (405, "method_not_allowed")
    assert {(b"allow", b"OPTIONS, POST")} <= set(start["headers"])
    assert scene.seen == []
    assert scene.counted() == ['{entry="/v1/events",status="405"} 1.0']


async def test_options_on_the_short_way_tells_its_methods(scene: Scene) -> None:
    await scene.ask("OPTIONS", "/v1/events/")
    start, body = scene.sent
    assert (start["status"], body["body"]) == (204, b"")
    assert {b"allow", b"x-request-id"} <= {name for name, _ in start["headers"]}
    assert scene.seen == []
    assert scene.counted() == ['{entry="/v1/events",status="204"} 1.0']


@pytest.mark.parametrize("path", ["//", "//v1/events", "/v1//events", "/v1/events//", "/v1//keys"])
async def test_two_slashes_in_a_row_are_no_path(scene: Scene, path: str) -> None:
    await scene.ask("POST", path)
    start, body = scene.sent
    assert (start["status"], json.loads(body["body"])["error"]) == (404, "not_found")
    assert scene.seen == []
    assert scene.counted() == ['{entry="framework",status="404"} 1.0']


async def test_each_request_has_an_id_of_its_own_and_tells_it(scene: Scene) -> None:
    for _ in range(2):
        await scene.ask("GET", "/")
    await scene.ask("POST", "/v1/events")
    ids = [id_ for _, _, id_ in scene.seen]
    assert len(set(ids)) == 3
    starts = [message for message in scene.sent if message["type"] == "http.response.start"]
    assert [message["headers"] for message in starts] == [
        [(b"a", b"b"), (b"x-request-id", id_.encode()), *add_default_headers([])] for id_ in ids[:2]
    ]


async def test_only_the_path_of_a_key_stays_as_it_was_sent(scene: Scene) -> None:
    await scene.ask("GET", "/v1/actors/a/b é", b"/v1/actors/a%2Fb%20%C3%A9")
    await scene.ask("GET", "/v1/other/a/b", b"/v1/other/a%2Fb")
    assert [path for _, path, _ in scene.seen] == ["/v1/actors/a%2Fb%20%C3%A9", "/v1/other/a/b"]


async def test_the_log_line_names_the_route_and_not_the_actor(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "tallyroom.access")
    scene.template, scene.status = "/v1/actors/{actor_path}", 404
    await scene.ask("GET", "/v1/actors/ann@example.com")
    [record] = caplog.records
    line = vars(record)
    assert (line["method"], line["path"], line["status"], line["ms"]) == ("GET", "/v1/actors/{actor_path}", 404, 250.0)
    assert not any("ann" in str(value) for value in line.values())


async def test_other_connections_pass_through(scene: Scene) -> None:
    await scene.ask("", "", kind="lifespan")
    assert [who for who, _, _ in scene.seen] == ["framework"]
    assert scene.counted() == []


async def test_what_is_kept_needs_no_framework(scene: Scene) -> None:
    await scene.ask("GET", KEPT)
    assert [who for who, _, _ in scene.seen] == ["framework"]
    scene.kept = HttpAnswer(200, b"picture", [(b"etag", b"x")], b"image/png")
    await scene.ask("GET", KEPT)
    assert [who for who, _, _ in scene.seen] == ["framework"]
    start, body = scene.sent[-2:]
    assert (start["status"], body["body"]) == (200, b"picture")
    assert dict(start["headers"])[b"x-request-id"]


async def test_what_cannot_be_drawn_now_needs_no_framework_either(scene: Scene) -> None:
    scene.kept = Unavailable("Too many.", retry_after=7)
    await scene.ask("POST", KEPT)
    assert scene.seen == []
    start, body = scene.sent[-2:]
    headers = dict(start["headers"])
    assert (start["status"], headers[b"retry-after"]) == (503, b"7")
    assert headers[b"access-control-allow-origin"] == b"*"
    assert json.loads(body["body"])["requestId"].encode() == headers[b"x-request-id"]
