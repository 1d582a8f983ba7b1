"""What a program calls: `Tallyroom`, with a server that answers and one that does not."""

import asyncio
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from harness.sdk.hand_driven import StillClock
from harness.servers.scripted_server import ReceivedRequest, ScriptedAnswer, ScriptedServer
from harness.suite.patience import wait_until
from tallyroom_client import EventRefused, Problem, Tallyroom
from tallyroom_client.stats import Stats
from tallyroom_client.testing import recording

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def answers() -> Iterator[ScriptedServer]:
    with ScriptedServer(lambda request: ScriptedAnswer(202)) as server:
        yield server


@pytest.fixture
def client(answers: ScriptedServer, tmp_path: Path) -> Iterator[Tallyroom]:
    client = Tallyroom("k", answers.url, queue=tmp_path / "queue")
    yield client
    client.close()


def events_of(server: ScriptedServer) -> list[Any]:
    return [event for request in server.asked if request.path == "/v1/events" for event in request.events]


def names_of(server: ScriptedServer) -> list[str]:
    return [event["name"] for event in events_of(server)]


def test_a_tracked_event_arrives_without_another_call(client: Tallyroom, answers: ScriptedServer) -> None:
    assert client.track("order.placed", actor="customer-17", label="Customer 17", properties={"total": 42.5}) is True
    wait_until(lambda: events_of(answers))
    (event,) = events_of(answers)
    assert event.pop("_timestamp").endswith("Z")
    assert event == {
        "name": "order.placed",
        "_actor": "customer-17",
        "_actorLabel": "Customer 17",
        "properties": {"total": 42.5},
    }


def test_flush_waits_until_everything_is_acknowledged(client: Tallyroom, answers: ScriptedServer) -> None:
    names = [f"n{number}" for number in range(1200)]
    assert [client.track(name) for name in names] == [True] * 1200
    assert client.flush(timeout=60)
    assert names_of(answers) == names
    stats = client.stats()
    assert (stats.tracked, stats.accepted, stats.waiting, stats.waiting_bytes) == (1200, 1200, 0, 0)


def test_times_never_go_back_when_the_clock_jumps(answers: ScriptedServer, tmp_path: Path) -> None:
    clock = StillClock()
    client = Tallyroom("k", answers.url, queue=tmp_path, clock=clock)
    for jump in (0, 3600, -7200, 1, 86_400 * 2):
        clock.jump(jump)
        client.track("a")
    assert client.close(60)
    times = [event["_timestamp"] for event in events_of(answers)]
    assert times == sorted(times)
    assert times[1] == times[2] == times[3]


def test_5000_threads_lose_nothing(client: Tallyroom, answers: ScriptedServer) -> None:
    started = threading.Barrier(50)

    def track_some(thread: int) -> None:
        started.wait(30)
        for number in range(100):
            threading.Thread(target=client.track, args=(f"{thread}/{number}",)).start()

    with ThreadPoolExecutor(50) as threads:
        list(threads.map(track_some, range(50)))
    wait_until(lambda: client.stats().tracked == 5000)
    assert client.flush(60)
    assert sorted(names_of(answers)) == sorted(f"{thread}/{number}" for thread in range(50) for number in range(100))


def test_a_wrong_event_raises_under_pytest_and_elsewhere_is_told(client: Tallyroom, tmp_path: Path) -> None:
    with pytest.raises(EventRefused, match=r"properties\.a is of the type object"):
        client.track("x", properties={"a": object()})
    problems: list[Problem] = []
    lenient = Tallyroom("k", NOWHERE, queue=tmp_path / "other", strict=False, on_problem=problems.append)
    assert lenient.track("x" * 200) is False
    wait_until(lambda: problems)
    assert (problems[0].kind, problems[0].message) == (
        "refused",
        "an event is wrong: name is longer than 128 characters",
    )
    assert lenient.stats() == Stats(refused=1)


def test_disabled_answers_true_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLYROOM_QUEUE", str(tmp_path / "q"))
    by_argument = Tallyroom(enabled=False)
    monkeypatch.setenv("TALLYROOM_ENABLED", "false")
    for client in (by_argument, Tallyroom()):
        assert client.track("x", properties={"a": object()}) is True
        assert client.send_now([{"name": "x"}]) is True
        assert client.flush() is True
        assert client.close() is True
        assert client.stats() == Stats()
    assert not (tmp_path / "q").exists()


def test_an_event_with_more_of_its_own_than_its_context(client: Tallyroom) -> None:
    with recording() as events, client.context(actor="a", properties={"plan": "pro", "n": 1}):
        client.track("x")
        with client.context(label="A", properties={"n": 2}):
            client.track("y", properties={"m": 3})
        client.track("z", actor="b", source="s")
    assert events == [
        {"name": "x", "actor": "a", "properties": {"plan": "pro", "n": 1}},
        {"name": "y", "actor": "a", "label": "A", "properties": {"plan": "pro", "n": 2, "m": 3}},
        {"name": "z", "actor": "b", "source": "s", "properties": {"plan": "pro", "n": 1}},
    ]


async def test_each_task_has_its_own_context(client: Tallyroom) -> None:
    async def track_as(actor: str) -> None:
        with client.context(actor=actor):
            await asyncio.sleep(0)
            client.track("x")

    with recording() as events, client.context(source="s"):
        await asyncio.gather(*map(track_as, "abc"))
        await asyncio.to_thread(client.track, "y")
    assert sorted(events, key=str) == [
        {"name": "x", "actor": "a", "source": "s"},
        {"name": "x", "actor": "b", "source": "s"},
        {"name": "x", "actor": "c", "source": "s"},
        {"name": "y", "source": "s"},
    ]


async def test_one_class_serves_asyncio(client: Tallyroom, answers: ScriptedServer) -> None:
    client.track("a")
    assert await client.aflush(60)
    assert await client.asend_now([{"name": "b"}])
    client.track("c")
    assert await client.aclose(60)
    assert names_of(answers) == ["a", "b", "c"]


def test_close_leaves_the_rest_for_the_next_start(answers: ScriptedServer, tmp_path: Path) -> None:
    offline = Tallyroom("k", NOWHERE, queue=tmp_path)
    offline.track("a")
    assert offline.close(timeout=0.1) is False
    online = Tallyroom("k", answers.url, queue=tmp_path)
    online.track("b")
    assert online.close(60)
    assert names_of(answers) == ["a", "b"]
    assert list(tmp_path.glob("*.journal")) == []


def test_a_closed_client_starts_again(client: Tallyroom, answers: ScriptedServer) -> None:
    for name in "ab":
        client.track(name)
        assert client.close(60)
    assert client.close()
    assert names_of(answers) == ["a", "b"]


def test_two_clients_share_a_queue_directory(answers: ScriptedServer, tmp_path: Path) -> None:
    clients = [Tallyroom("k", answers.url, queue=tmp_path) for _ in range(2)]
    for number in range(100):
        for index, client in enumerate(clients):
            client.track(f"{index}/{number}")
    assert [client.close(60) for client in clients] == [True, True]
    assert sorted(names_of(answers)) == sorted(f"{index}/{number}" for index in range(2) for number in range(100))


def test_a_folder_that_cannot_be_made_means_memory_and_is_told(answers: ScriptedServer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    problems: list[Problem] = []
    client = Tallyroom("k", answers.url, queue=tmp_path / "file" / "queue", on_problem=problems.append)
    assert client.track("a")
    assert client.close(60)
    assert names_of(answers) == ["a"]
    assert [problem.kind for problem in problems] == ["queue_unusable"]


def test_a_full_disk_means_memory_and_keeps_the_order(
    client: Tallyroom, answers: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.track("a")
    assert client.flush(60)
    with monkeypatch.context() as patch:

        def full(descriptor: int, line: bytes) -> int:
            raise OSError(28, "No space left on device")

        patch.setattr("os.write", full)
        assert client.track("b")
        assert client.track("c")
    assert client.track("d")
    assert client.flush(60)
    client.track("e")
    assert client.flush(60)
    assert names_of(answers) == ["a", "b", "c", "d", "e"]


def test_in_memory_there_is_room_for_10000(tmp_path: Path) -> None:
    client = Tallyroom("k", NOWHERE, queue=False, on_problem=lambda problem: None)
    taken = [client.track("a") for _ in range(10_001)]
    assert taken == [True] * 10_000 + [False]
    assert (client.stats().waiting, client.stats().dropped) == (10_000, 1)
    assert not client.close(0.1)


def test_send_now_is_one_request_that_is_repeated_under_its_key() -> None:
    script = [ScriptedAnswer(0), ScriptedAnswer(503)]

    def answer(request: ReceivedRequest) -> ScriptedAnswer:
        return script.pop(0) if script else ScriptedAnswer(202)

    with ScriptedServer(answer) as server:
        client = Tallyroom("k", server.url, queue=False)
        assert client.send_now([{"name": "a", "actor": 7}, {"name": "b", "properties": {"n": 1}}])
        assert len({(request.headers["idempotency-key"], request.body) for request in server.asked}) == 1
        assert len(server.asked) == 3
        with pytest.raises(EventRefused, match="colour is no field"):
            client.send_now([{"name": "a", "colour": 1}])
        with pytest.raises(EventRefused, match="at most 500"):
            client.send_now([{"name": "a"}] * 501)
    assert client.stats().accepted == 2


def test_send_now_tells_what_the_server_refuses() -> None:
    problems: list[Problem] = []
    with ScriptedServer(lambda request: ScriptedAnswer(401, b'{"message": "no such key"}')) as server:
        client = Tallyroom("k", server.url, queue=False, on_problem=problems.append)
        assert client.send_now([{"name": "a"}]) is False
    wait_until(lambda: problems)
    assert (problems[0].kind, problems[0].status, problems[0].sample) == ("refused", 401, "a")


def test_stats_name_the_oldest_event_and_the_last_error(tmp_path: Path) -> None:
    client = Tallyroom("k", NOWHERE, queue=tmp_path, clock=StillClock())
    client.track("a")
    assert not client.flush(0.3)
    stats = client.stats()
    assert (stats.waiting, stats.oldest_waiting) == (1, "2026-11-20T12:00:00.000Z")
    assert stats.waiting_bytes > 50
    assert "Connection refused" in str(stats.last_error)
    client.close(0)


def test_a_signal_handler_may_track_while_its_thread_does(client: Tallyroom, answers: ScriptedServer) -> None:
    previous = signal.signal(signal.SIGALRM, lambda *_: client.track("signal"))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        for _ in range(3000):
            client.track("main")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert client.flush(60)
    names = names_of(answers)
    assert names.count("main") == 3000
    assert len(names) == client.stats().tracked
