"""POST /v1/events on the short way, without a server: what it takes, what it leaves to the usual way, whom it tells."""

import asyncio
import json
from typing import Any

import pytest

from harness.stores.event_store import fresh_scope
from tallyroom.auth.principals import KeyPrincipal
from tallyroom.core.errors import PlanLimit, RateLimited, Unavailable
from tallyroom.ingest.post_events import IngestEvents
from tallyroom.ingest.refusals import Refusals
from tallyroom.ingest.request import IngestRequest
from tallyroom.ingest.validation.body_readers import BodyReaders
from tallyroom.ingest.validation.event import Event
from tallyroom.rest.answer import Header, HttpAnswer
from tallyroom.storage.limits.local import LocalNewestEntries

GOOD = b'{"name":"opened"}'
JSON = (b"content-type", b"application/json")
SCOPE = fresh_scope()


class Admission:
    fault: Exception | None = None
    principal: KeyPrincipal | None = KeyPrincipal("k", SCOPE.workspace_id, SCOPE.environment, "free")

    def recognize_key(self, request: IngestRequest) -> KeyPrincipal | None:
        request.principal = self.principal
        return self.principal

    def limit_rate_at_once(self, request: IngestRequest) -> bool:
        if self.fault:
            raise self.fault
        request.is_rate_checked = True
        return True


class Acceptor:
    fault: Exception | None = None

    def __init__(self) -> None:
        self.taken: list[Any] = []
        self.settled: Any = None

    def accept_at_once(self, scope: Any, plan: str, events: list[Any], now_ms: int, settled: Any) -> bool:
        if self.fault:
            raise self.fault
        self.taken.append((scope, plan, [event.name for event in events], now_ms))
        self.settled = settled
        return True

    async def accept(self, scope: Any, plan: str, events: list[Any], now_ms: int, _replay: Any) -> int:
        self.accept_at_once(scope, plan, events, now_ms, None)
        return len(events)


class Readers(BodyReaders):
    """Knows what they were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def read_plain_events(self, body: bytes, now_ms: int) -> list[Event] | None:
        self.asked.append("plain")
        return await super().read_plain_events(body, now_ms)

    async def read_exact_events(self, body: bytes, now_ms: int) -> list[Event]:
        self.asked.append("exact")
        return await super().read_exact_events(body, now_ms)


class Exchange:
    client = "1.1.1.1"

    def __init__(self, body: bytes, headers: list[Header]) -> None:
        self.body = body
        self.headers = headers
        self.request_id = "id-1"
        self.on_answer = print
        self.answers: list[HttpAnswer] = []

    def answer(self, answer: HttpAnswer) -> None:
        self.answers.append(answer)


class Scene:
    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.admission, self.acceptor, self.refusals = Admission(), Acceptor(), Refusals(LocalNewestEntries(100), clock)
        self.readers = Readers()
        parts: list[Any] = [self.admission, self.acceptor, None, self.readers, self.refusals, clock]
        self.app = IngestEvents(*parts)
        self.answers: list[HttpAnswer] = []

    def post(self, body: bytes = GOOD, *headers: Header) -> bool:
        exchange: Any = Exchange(body, list(headers or (JSON,)))
        self.answers = exchange.answers
        return self.app.try_handle_directly(exchange)

    @property
    def statuses(self) -> list[int]:
        return [answer.status for answer in self.answers]


@pytest.fixture
def scene(fake_clock: Any) -> Scene:
    return Scene(fake_clock)


async def test_the_answer_waits_for_the_commit(scene: Scene) -> None:
    assert scene.post(b'{"events":[{"name":"a"},{"name":"b"}]}')
    assert scene.acceptor.taken == [(SCOPE, "free", ["a", "b"], scene.clock.now_ms())]
    assert scene.answers == []
    scene.acceptor.settled(None)
    assert scene.answers == [HttpAnswer(202, b'{"accepted":2}', [(b"x-request-id", b"id-1")])]
    assert await scene.refusals.list_recent(SCOPE.workspace_id) == []


async def test_a_commit_that_failed_is_told_and_remembered(scene: Scene) -> None:
    scene.post()
    scene.acceptor.settled(Unavailable("the disk is full", 30))
    [answer] = scene.answers
    assert (answer.status, json.loads(answer.body)["requestId"]) == (503, "id-1")
    assert (b"retry-after", b"30") in answer.headers
    assert [each.status for each in await scene.refusals.list_recent(SCOPE.workspace_id)] == [503]


@pytest.mark.parametrize("header", [(b"content-encoding", b"gzip"), (b"idempotency-key", b"once")])
def test_what_takes_more_is_left_untouched(scene: Scene, header: Header) -> None:
    scene.admission.fault = RateLimited("it must not even be counted", 3)
    assert not scene.post(GOOD, JSON, header)
    assert (scene.answers, scene.acceptor.taken) == ([], [])


def test_a_key_that_is_not_remembered_is_left_to_the_usual_way(scene: Scene) -> None:
    scene.admission.principal = None
    assert not scene.post()
    assert (scene.answers, scene.acceptor.taken) == ([], [])


def test_the_order_of_refusal(scene: Scene) -> None:
    """Everything is wrong at once; each fault that is mended shows the next."""
    scene.admission.fault, scene.acceptor.fault = RateLimited("slow", 3), PlanLimit("full")
    found = []

    def next_one(body: bytes, header: Header) -> None:
        assert scene.post(body, header)
        found.extend(scene.statuses)

    text = (b"content-type", b"text/plain")
    next_one(b"{", text)
    scene.admission.fault = None
    next_one(b"{", text)
    next_one(b"{", JSON)
    next_one(json.dumps({"events": [{}] * 501}).encode(), JSON)
    next_one(b'{"name":""}', JSON)
    next_one(GOOD, JSON)
    scene.acceptor.fault = Unavailable("full")
    next_one(GOOD, JSON)
    assert found == [429, 415, 400, 413, 400, 402, 503]
    assert scene.acceptor.taken == []


def test_a_fault_of_the_program_is_a_500_in_the_one_shape(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    scene.acceptor.fault = RuntimeError("broken")
    assert scene.post()
    assert scene.statuses == [500]
    assert json.loads(scene.answers[0].body)["error"] == "internal"
    [record] = [record for record in caplog.records if record.exc_info]
    assert getattr(record, "requestId", None) == "id-1"


async def test_what_takes_a_closer_look_or_is_large_is_read_by_another_process(scene: Scene) -> None:
    odd = b'{"name":"opened",\n"properties":{"a":"%b"}}' % (b"a" * 20_000)
    large = b'{"events":[%b]}' % b",".join([b'{"name":"opened","properties":{"a":"%b"}}' % (b"a" * 600)] * 450)
    assert len(large) > 262_144
    for body in (odd, odd[:-1], large):
        assert scene.post(body)
        assert scene.answers == []
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})
    assert [answer.status for answer in scene.answers] == [202]
    assert [names for _, _, names, _ in scene.acceptor.taken] == [["opened"], ["opened"] * 450]
    assert scene.readers.asked == ["exact", "exact", "plain"]
    await scene.readers.close()


def test_a_batch_that_is_plainly_right_needs_no_other_process(scene: Scene) -> None:
    assert scene.post(b'{"events":[%b]}' % b",".join([b'{"name":"opened","properties":{"a":1}}'] * 500))
    assert len(scene.acceptor.taken) == 1
    assert scene.readers.asked == []
