"""Each answer of the server, and what the client does with the cut."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.sdk.hand_driven import HandDriven, StillClock, hand_driven
from harness.servers.scripted_server import ReceivedRequest, ScriptedAnswer, ScriptedServer, refusal
from tallyroom_client.stats import Stats

ACCEPTED = ScriptedAnswer(202, b'{"accepted":1}', {"Idempotency-Window": "5184000"})
HANG_UP = ScriptedAnswer(0)


def scripted(*answers: ScriptedAnswer, then: ScriptedAnswer = ACCEPTED) -> ScriptedServer:
    """Gives the answers to one cut after the other; the clock's question gets none."""
    script = list(answers)

    def answer(request: ReceivedRequest) -> ScriptedAnswer:
        if request.path == "/v1/key":
            return ScriptedAnswer(404)
        return script.pop(0) if script else then

    return ScriptedServer(answer)


def cuts(server: ScriptedServer) -> list[ReceivedRequest]:
    return [request for request in server.asked if request.path == "/v1/events"]


def names(request: ReceivedRequest) -> list[str]:
    return [event["name"] for event in request.events]


def identity(request: ReceivedRequest) -> tuple[str, str, bytes]:
    return request.headers["idempotency-key"], request.headers["idempotency-queue"], request.body


@pytest.fixture(params=["disk", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    return tmp_path / "queue" if request.param == "disk" else None


def test_a_cut_is_one_request_with_key_and_queue(folder: Path | None) -> None:
    with scripted() as server, hand_driven(server.url, folder) as client:
        client.track("a", "b")
        client.drain()
    (request,) = cuts(server)
    assert names(request) == ["a", "b"]
    key, queue_id, _ = identity(request)
    assert (len(key), len(queue_id)) == (22, 22)
    assert request.headers["authorization"] == "Bearer k"
    assert request.headers["user-agent"].startswith("tallyroom-python/")
    assert client.counters.accepted == 2
    assert client.problems == []


def test_events_wait_for_others_for_a_second_or_until_a_cut_is_full(folder: Path | None) -> None:
    with scripted() as server, hand_driven(server.url, folder) as client:
        client.queue.is_hurried = False
        client.track("a")
        assert client.step() == 1
        client.clock.advance(0.75)
        assert client.step() == 0.25
        client.clock.advance(0.25)
        client.step()
        assert len(cuts(server)) == 1
        client.track(*["b"] * 501)
        client.step()
        client.clock.advance(1)
        client.step()
    assert [len(request.events) for request in cuts(server)] == [1, 500, 1]


def test_a_cut_has_at_most_two_million_bytes(folder: Path | None) -> None:
    with scripted() as server, hand_driven(server.url, folder) as client:
        client.track(*["big"] * 40, text="x" * 60_000)
        client.drain()
    assert [len(request.events) for request in cuts(server)] == [33, 7]
    assert max(len(request.body) for request in cuts(server)) < 2_000_100


@pytest.mark.parametrize("answer", [HANG_UP, *map(ScriptedAnswer, (408, 409, 425, 429, 500, 502, 503, 504, 301, 200))])
def test_the_same_cut_is_sent_again(folder: Path | None, answer: ScriptedAnswer) -> None:
    with scripted(answer, answer) as server, hand_driven(server.url, folder) as client:
        client.track("a")
        client.step()
        client.track("b")
        client.drain()
    first, second, third, fourth = cuts(server)
    assert identity(first) == identity(second) == identity(third)
    assert names(fourth) == ["b"]
    assert identity(fourth)[0] != identity(first)[0]
    assert client.counters.accepted == 2


def test_waits_double_up_to_a_minute_and_obey_the_server() -> None:
    waits = []
    answers = [HANG_UP] * 9 + [ScriptedAnswer(503, headers={"Retry-After": seconds}) for seconds in ("90", "7200")]
    with scripted(*answers) as server, hand_driven(server.url, None) as client:
        client.track("a")
        for _ in answers:
            waits.append(client.step())
            client.clock.advance(waits[-1])
    bounds = [0.5, 1, 2, 4, 8, 16, 32, 60, 60]
    assert waits[:9] == pytest.approx([bound / 2 for bound in bounds], rel=0.01)
    assert waits[9:] == [90, 3600]


def test_an_outage_is_told_after_a_minute_and_then_once_a_minute(folder: Path | None) -> None:
    with hand_driven("http://127.0.0.1:9", folder) as client:
        client.track("a")
        for _ in range(7):
            client.clock.advance(client.step())
        assert client.kinds == []
        for _ in range(7):
            client.clock.advance(client.step())
        assert client.kinds[0] == "paused"
        assert len(client.kinds) < 7


@pytest.mark.parametrize(("status", "interval"), [(401, 60), (403, 60), (402, 3600)])
def test_a_key_or_plan_pauses_and_loses_nothing(folder: Path | None, status: int, interval: float) -> None:
    with scripted(*[refusal(status, "no")] * 3) as server, hand_driven(server.url, folder) as client:
        client.track("a")
        for _ in range(3):
            assert client.step() == interval
            client.clock.advance(interval)
        assert (client.kinds[0], client.problems[0].status) == ("paused", status)
        client.drain()
    assert len({identity(request) for request in cuts(server)}) == 1
    assert client.counters.accepted == 1


def test_a_plan_says_when_to_come_back() -> None:
    with scripted(refusal(402, "cap", Retry_After="120")) as server, hand_driven(server.url, None) as client:
        client.track("a")
        assert client.step() == 120


def test_one_wrong_event_of_500_costs_no_other(folder: Path | None) -> None:
    def judge(request: ReceivedRequest) -> ScriptedAnswer:
        if request.path == "/v1/key":
            return ScriptedAnswer(404)
        wrong = [index for index, name in enumerate(names(request)) if name == "wrong"]
        details: list[tuple[list[str | int], str]] = [(["events", index, "name"], "is wrong") for index in wrong]
        return refusal(400, "validation_failed", *details) if wrong else ACCEPTED

    with ScriptedServer(judge) as server, hand_driven(server.url, folder) as client:
        client.track(*[f"n{number}" for number in range(250)], "wrong", *[f"n{number}" for number in range(250, 499)])
        client.drain()
    first, second = cuts(server)
    assert len(first.events) == 500
    assert names(second) == [f"n{number}" for number in range(499)]
    assert identity(first)[0] != identity(second)[0]
    assert (client.counters.accepted, client.counters.refused) == (499, 1)
    (problem,) = client.problems
    assert (problem.kind, problem.count, problem.status, problem.sample) == ("refused", 1, 400, "wrong")
    if folder:
        (line,) = (folder / "refused" / "refused.jsonl").read_text().splitlines()
        assert json.loads(line)["event"]["name"] == "wrong"


@pytest.mark.parametrize("status", [400, 404, 405, 415, 422])
def test_a_cut_that_the_server_never_accepts_is_put_aside(folder: Path | None, status: int) -> None:
    with scripted(refusal(status, "no")) as server, hand_driven(server.url, folder) as client:
        client.track("a", "b")
        client.step()
        client.track("c")
        client.drain()
    assert [names(request) for request in cuts(server)] == [["a", "b"], ["c"]]
    assert (client.counters.accepted, client.counters.refused, client.kinds) == (1, 2, ["refused"])
    if folder:
        assert len((folder / "refused" / "refused.jsonl").read_text().splitlines()) == 2


def test_a_cut_that_is_too_large_is_halved(folder: Path | None) -> None:
    def judge(request: ReceivedRequest) -> ScriptedAnswer:
        if request.path == "/v1/key":
            return ScriptedAnswer(404)
        return refusal(413, "too_large") if len(request.events) > 2 or "huge" in names(request) else ACCEPTED

    with ScriptedServer(judge) as server, hand_driven(server.url, folder) as client:
        client.track("a", "b", "huge", "c", "d")
        client.drain()
    accepted = [name for request in cuts(server) if len(request.events) < 3 for name in names(request)]
    assert [name for name in accepted if name != "huge"] == ["a", "b", "c", "d"]
    assert (client.counters.accepted, client.counters.refused) == (4, 1)


@pytest.mark.parametrize(
    ("days", "headers", "is_uncertain"),
    [
        (2, {}, True),
        (0.9, {}, False),
        (2, {"Idempotency-Window": "5184000"}, False),
        (61, {"Idempotency-Window": "5184000"}, True),
        (2, {"Idempotent-Replayed": "true"}, False),
    ],
)
def test_a_cut_older_than_the_servers_memory_is_uncertain_but_sent(
    folder: Path | None, days: float, headers: dict[str, str], is_uncertain: bool
) -> None:
    accepted = ScriptedAnswer(202, b"{}", headers)
    with scripted(HANG_UP, then=accepted) as server, hand_driven(server.url, folder) as client:
        client.track("a")
        client.step()
        client.clock.advance(days * 86_400)
        client.drain()
    assert len({identity(request) for request in cuts(server)}) == 1
    assert client.counters.accepted == 1
    assert client.counters.uncertain == is_uncertain
    assert client.kinds == (["uncertain"] if is_uncertain else [])


def test_days_offline_make_nothing_uncertain(folder: Path | None) -> None:
    with scripted() as server, hand_driven("http://127.0.0.1:9", folder) as client:
        client.track("a")
        client.step()
        client.clock.advance(3 * 86_400)
        client.sender._connection._url = client.sender._connection._url._replace(netloc=server.url[7:])
        client.drain()
    assert (client.counters.accepted, client.counters.uncertain) == (1, 0)


def test_the_cut_of_a_process_that_died_days_ago_is_uncertain(tmp_path: Path) -> None:
    clock = StillClock()
    dead = HandDriven("http://127.0.0.1:9", tmp_path, clock)
    dead.track("a")
    dead.step()
    dead.queue.abandon()
    clock.advance(2 * 86_400)
    with scripted(then=ScriptedAnswer(202)) as server, hand_driven(server.url, tmp_path, clock) as client:
        client.step()
        client.step()
    assert (client.counters.accepted, client.counters.uncertain, client.kinds) == (1, 1, ["uncertain"])


def test_a_day_offline_fills_the_queue_and_the_loss_is_in_the_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallyroom_client.queue.MAX_QUEUE_EVENTS", 1200)
    monkeypatch.setattr("tallyroom_client.journal.journal.MAX_FILE_BYTES", 20_000)
    with scripted() as server, hand_driven("http://127.0.0.1:9", tmp_path) as client:
        taken = []
        for _ in range(24 * 60):
            taken += client.track("a")
            client.step()
            client.clock.advance(60)
        assert (sum(taken), taken.index(False)) == (1200, 1200)
        assert client.kinds.count("dropped") == 240
        assert sum(problem.count for problem in client.problems if problem.kind == "dropped") == 240
        client.sender._connection._url = client.sender._connection._url._replace(netloc=server.url[7:])
        client.drain()
    events = [event for request in cuts(server) for event in request.events]
    assert [event["name"] for event in events] == ["a"] * 1200 + ["tallyroom.dropped"]
    assert events[-1]["properties"] == {
        "count": 240,
        "from": "2026-11-21T08:00:00.000Z",
        "to": "2026-11-21T11:59:00.000Z",
    }
    assert list(tmp_path.glob("*.journal")) == []


def test_a_loss_that_a_dead_process_had_no_time_to_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallyroom_client.queue.MAX_QUEUE_EVENTS", 1)
    clock = StillClock()
    dead = HandDriven("http://127.0.0.1:9", tmp_path, clock)
    dead.track("a", "b")
    dead.queue.abandon()
    with scripted() as server, hand_driven(server.url, tmp_path, clock) as client:
        client.step()
        client.step()
        client.step()
        client.drain()
    assert [name for request in cuts(server) for name in names(request)] == ["a", "tallyroom.dropped"]


@pytest.mark.parametrize(
    ("now", "is_told"), [("2026-11-20T12:04:59.000Z", False), ("2026-11-20T12:06:00Z", True), (7, False)]
)
def test_a_clock_that_is_off_is_told(now: Any, is_told: bool) -> None:
    def answer(request: ReceivedRequest) -> ScriptedAnswer:
        return ScriptedAnswer(200, json.dumps({"now": now}).encode()) if request.path == "/v1/key" else ACCEPTED

    with ScriptedServer(answer) as server, hand_driven(server.url, None) as client:
        client.track("a")
        client.drain()
        client.track("b")
        client.drain()
    assert client.kinds == (["clock"] if is_told else [])
    assert [request.path for request in server.asked] == ["/v1/events", "/v1/key", "/v1/events"]


def test_large_bodies_are_compressed_and_stay_the_same_bytes() -> None:
    with scripted(ScriptedAnswer(503)) as server, hand_driven(server.url, None) as client:
        client.track("a", text="x" * 10_000)
        client.drain()
    first, second = cuts(server)
    assert first.headers["content-encoding"] == "gzip"
    assert identity(first) == identity(second)
    assert first.headers["content-length"] == second.headers["content-length"]


Step = Callable[[], float]


def test_nothing_of_a_property_is_in_a_problem(folder: Path | None) -> None:
    with scripted(refusal(400, "validation_failed")) as server, hand_driven(server.url, folder) as client:
        client.track("a", secret="canary")
        client.drain()
    assert client.problems
    assert "canary" not in repr(client.problems)
    assert isinstance(client.counters.stats(), Stats)
