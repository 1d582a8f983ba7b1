"""POST /v1/events without a server: the order of refusal, one error shape, and nothing of a request that hung up."""

import gzip
import json
from typing import Any

import pytest

from harness.stores.event_store import fresh_scope
from tallyroom.auth.principals import KeyPrincipal
from tallyroom.core.errors import Conflict, PlanLimit, RateLimited, TallyroomError, Unauthorized, Unavailable
from tallyroom.ingest.post_events import IngestEvents
from tallyroom.ingest.refusals import Refusals
from tallyroom.ingest.request import IngestRequest
from tallyroom.ingest.validation.body_readers import BodyReaders
from tallyroom.storage.limits.local import LocalNewestEntries
from tallyroom.storage.spool.replays import AcceptedRequest

GOOD = b'{"name":"opened"}'
JSON = (b"content-type", b"application/json")
SCOPE = fresh_scope()


class Admission:
    fault: Exception | None = None
    late_fault: Exception | None = None

    def limit_rate_at_once(self, request: IngestRequest) -> bool:
        if isinstance(self.fault, RateLimited):
            raise self.fault
        request.is_rate_checked = True
        return True

    def recognize_key(self, _: IngestRequest) -> None:
        return None

    async def authenticate(self, request: IngestRequest) -> None:
        if fault := self.late_fault if request.principal else self.fault:
            raise fault
        request.principal = KeyPrincipal("k", SCOPE.workspace_id, SCOPE.environment, "free")
        request.is_key_stale = False


class Acceptor:
    fault: Exception | None = None

    def __init__(self) -> None:
        self.taken: list[Any] = []
        self.makes_room: Any = None

    async def accept(self, scope: Any, plan: str, events: list[Any], now_ms: int, idempotent_request: Any) -> int:
        if self.fault:
            raise self.fault
        if self.makes_room:
            self.makes_room()
            self.makes_room = None
            return 0
        self.taken.append((scope, plan, [event.name for event in events], now_ms, idempotent_request))
        return len(events)


class IdempotencyRegistry:
    """Answers as a test says: (what to store, what was accepted before)."""

    answer: tuple[Any, AcceptedRequest | None] = ("to store", None)
    fault: Exception | None = None

    def claim_key(self, *_: Any) -> Any:
        if self.fault:
            raise self.fault
        return self

    async def __aenter__(self) -> Any:
        return self.answer

    async def __aexit__(self, *_: object) -> None: ...


class Scene:
    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.admission, self.acceptor, self.idempotency_registry, self.refusals = (
            Admission(),
            Acceptor(),
            IdempotencyRegistry(),
            Refusals(LocalNewestEntries(100), clock),
        )
        parts: list[Any] = [
            self.admission,
            self.acceptor,
            self.idempotency_registry,
            BodyReaders(),
            self.refusals,
            clock,
        ]
        self.app = IngestEvents(*parts)
        self.sent: list[Any] = []
        self.messages: list[Any] = []

    async def post(self, body: bytes = GOOD, *headers: tuple[bytes, bytes]) -> tuple[int, Any]:
        messages = self.messages or [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return messages.pop(0)

        async def send(message: Any) -> None:
            self.sent.append(message)

        scope: Any = {"type": "http", "headers": list(headers or (JSON,)), "client": ("1.1.1.1", 1)}
        status = await self.app(scope, receive, send)
        if not self.sent:
            return status, None
        start, end = self.sent[-2:]
        assert start["status"] == status
        assert (b"content-length", b"%d" % len(end["body"])) in start["headers"]
        return status, json.loads(end["body"])

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.sent[-2]["headers"])


@pytest.fixture
def scene(fake_clock: Any) -> Scene:
    return Scene(fake_clock)


async def test_what_is_accepted_is_answered_with_its_number(scene: Scene) -> None:
    assert await scene.post(b'{"events":[{"name":"a"},{"name":"b"}]}') == (202, {"accepted": 2})
    assert scene.acceptor.taken == [(SCOPE, "free", ["a", "b"], scene.clock.now_ms(), None)]
    assert scene.headers[b"content-type"] == b"application/json"
    assert b"x-request-id" in scene.headers
    assert await scene.refusals.list_recent(SCOPE.workspace_id) == []


async def test_a_key_that_is_revoked_while_the_body_comes_keeps_nothing(scene: Scene) -> None:
    scene.admission.late_fault = Unauthorized("revoked")
    assert (await scene.post())[0] == 401
    assert scene.acceptor.taken == []


async def test_room_is_made_before_the_key_is_checked_for_the_last_time(scene: Scene) -> None:
    def revoke() -> None:
        scene.admission.late_fault = Unauthorized("revoked")

    scene.acceptor.makes_room = lambda: None
    assert await scene.post() == (202, {"accepted": 1})
    scene.acceptor.makes_room = revoke
    assert (await scene.post())[0] == 401
    assert len(scene.acceptor.taken) == 1


async def test_the_order_of_refusal(scene: Scene) -> None:
    """Everything is wrong at once; each fault that is mended shows the next."""
    scene.admission.fault, scene.acceptor.fault = RateLimited("slow", 3), PlanLimit("full")
    body, headers = b"x" * 3_000_000, [(b"content-type", b"text/plain")]
    found = []

    async def next_one() -> None:
        found.append((await scene.post(body, *headers))[0])

    await next_one()
    scene.admission.fault = Unauthorized("who")
    await next_one()
    scene.admission.fault = None
    await next_one()
    headers = [JSON]
    await next_one()
    body = b"{"
    await next_one()
    body = json.dumps({"events": [{}] * 501}).encode()
    await next_one()
    body = b'{"name":""}'
    await next_one()
    body = GOOD
    await next_one()
    scene.acceptor.fault = Unavailable("full")
    await next_one()
    assert found == [429, 401, 415, 413, 400, 413, 400, 402, 503]
    assert scene.acceptor.taken == []


@pytest.mark.parametrize(
    "fault", [PlanLimit("full"), Unavailable("low", 30), Conflict("runs", headers={"retry-after": "1"})]
)
async def test_a_refusal_has_the_one_shape_and_is_remembered(scene: Scene, fault: TallyroomError) -> None:
    scene.acceptor.fault = fault
    status, body = await scene.post()
    assert (status, body["code"], body["error"], body["message"]) == (
        fault.status,
        fault.status,
        fault.slug,
        fault.message,
    )
    assert set(body) == {"code", "error", "message", "details", "requestId"}
    assert {name.decode(): value.decode() for name, value in scene.headers.items()}.items() >= fault.headers.items()
    [refusal] = await scene.refusals.list_recent(SCOPE.workspace_id)
    assert (refusal.status, refusal.error, refusal.request_id) == (fault.status, fault.slug, body["requestId"])


async def test_a_fault_of_the_server_tells_nothing(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    scene.acceptor.fault = ValueError("secret detail")
    status, body = await scene.post()
    assert (status, body["error"]) == (500, "internal")
    assert "secret" not in json.dumps(body)
    assert "secret detail" in caplog.text


async def test_an_inflated_body_is_read(scene: Scene) -> None:
    assert (await scene.post(gzip.compress(GOOD), JSON, (b"content-encoding", b"gzip")))[0] == 202


async def test_a_repeated_request_is_answered_and_not_kept(scene: Scene) -> None:
    key = (b"idempotency-key", b"k")
    assert await scene.post(GOOD, JSON, key) == (202, {"accepted": 1})
    assert b"idempotent-replayed" not in scene.headers
    assert scene.acceptor.taken[0][-1] == "to store"
    scene.idempotency_registry.answer = (None, AcceptedRequest("print", 7, is_queued=True))
    assert await scene.post(GOOD, JSON, key) == (202, {"accepted": 7})
    assert scene.headers[b"idempotent-replayed"] == b"true"
    assert scene.headers[b"idempotency-window"] == b"5184000"
    assert len(scene.acceptor.taken) == 1


async def test_a_client_that_hung_up_leaves_nothing(scene: Scene) -> None:
    scene.messages = [{"type": "http.request", "body": GOOD, "more_body": True}, {"type": "http.disconnect"}]
    assert await scene.post() == (0, None)
    assert scene.acceptor.taken == await scene.refusals.list_recent(SCOPE.workspace_id) == []


async def test_a_refusal_without_a_workspace_is_nobodys(scene: Scene) -> None:
    scene.admission.fault = Unauthorized("who")
    await scene.post()
    assert await scene.refusals.list_recent(SCOPE.workspace_id) == []
