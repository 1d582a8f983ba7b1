"""An answer is computed by one worker, and is the same at all."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from harness.servers.redis import RedisServer
from harness.stores.shared_limits import fresh_name
from harness.suite.patience import until
from tallyroom.cluster.redis.server import LimitsServer
from tallyroom.cluster.redis.shared_cache import CLAIM_SECONDS, MAX_ANSWER_BYTES, SharedCache
from tallyroom.core.cluster_answers import ClusterAnswers
from tallyroom.core.peers import NoPeers


class Peer(NoPeers):
    """A worker with a name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def worker_id(self) -> str:
        """Its name."""
        return self._name


class Source:
    """Counts how often it is asked, and answers with that number."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def find(self) -> int:
        """Another number each time."""
        self.asked += 1
        number = self.asked
        await self.may_answer.wait()
        return number

    async def fail(self) -> int:
        """An error with another number each time."""
        self.asked += 1
        raise ValueError(f"no {self.asked}")


@pytest.fixture
async def servers(own_redis: RedisServer) -> AsyncIterator[list[LimitsServer]]:
    servers = [LimitsServer(own_redis.dsn) for _ in range(2)]
    yield servers
    for server in servers:
        await server.close()


@pytest.fixture
def workers(servers: list[LimitsServer]) -> list[ClusterAnswers[int]]:
    name = fresh_name()
    caches = [SharedCache(server, Peer(f"worker-{number}")) for number, server in enumerate(servers)]
    return [ClusterAnswers[int](cache, name, int, 1.0, ValueError, 0.3) for cache in caches]


async def test_all_workers_have_one_answer_until_it_is_too_old(workers: list[ClusterAnswers[int]]) -> None:
    source = Source()
    assert [await worker.get(("a", 1), source.find) for worker in workers * 3] == [1] * 6
    assert await workers[0].get(("a", 2), source.find) == 2, "it depends on something else"
    await asyncio.sleep(1.1)
    assert [await worker.get(("a", 1), source.find) for worker in workers] == [3, 3]


@pytest.mark.long
async def test_of_workers_that_ask_at_once_one_computes(workers: list[ClusterAnswers[int]]) -> None:
    source = Source()
    source.may_answer.clear()
    answers = [asyncio.create_task(worker.get("a", source.find)) for worker in workers * 2]
    await asyncio.sleep(CLAIM_SECONDS + 0.5)  # a claim is renewed for as long as it takes
    source.may_answer.set()
    assert await asyncio.gather(*answers) == [1] * 4
    assert source.asked == 1


async def test_errors_are_those_of_all_workers_too(workers: list[ClusterAnswers[int]]) -> None:
    source = Source()
    for worker in workers * 2:
        with pytest.raises(ValueError, match="no 1"):
            await worker.get("a", source.fail)
    await asyncio.sleep(0.4)
    with pytest.raises(ValueError, match="no 2"):
        await workers[1].get("a", source.fail)


async def test_an_error_that_is_not_kept_lets_the_next_worker_try(workers: list[ClusterAnswers[int]]) -> None:
    async def away() -> int:
        raise OSError("away")

    with pytest.raises(OSError, match="away"):
        await workers[0].get("a", away)
    assert await workers[1].get("a", Source().find) == 1


async def test_a_worker_that_ends_while_it_computes_holds_up_nobody_for_long(
    workers: list[ClusterAnswers[int]],
) -> None:
    source = Source()
    source.may_answer.clear()
    first = asyncio.create_task(workers[0].get("a", source.find))
    await until(lambda: source.asked == 1)
    second = asyncio.create_task(workers[1].get("a", source.find))
    first.cancel()
    await until(lambda: source.asked == 2)
    source.may_answer.set()
    assert await second == 2


@pytest.mark.long
async def test_a_claim_of_a_process_that_was_killed_ends(
    workers: list[ClusterAnswers[int]], servers: list[LimitsServer]
) -> None:
    answers = workers[0]
    key = f"tallyroom:answer:{answers._cache_key('a')}"
    await servers[0].run_script("claim_answer", [key, f"{key}:claim"], ["killed", round(CLAIM_SECONDS * 1000)])
    assert await workers[1].get("a", Source().find) == 1


async def test_a_large_answer_is_not_kept(own_redis: RedisServer, servers: list[LimitsServer]) -> None:
    answers = ClusterAnswers[bytes](SharedCache(servers[0], Peer("one")), fresh_name(), bytes, 60.0)

    async def large() -> bytes:
        return bytes(MAX_ANSWER_BYTES)

    assert await answers.get("a", large) == bytes(MAX_ANSWER_BYTES)
    with own_redis.client() as client:
        assert client.keys("tallyroom:answer:*") == []


async def test_what_was_last_known_stays(workers: list[ClusterAnswers[int]]) -> None:
    assert await workers[1].get_last("a") is None
    await workers[0].remember("a", 7, 60.0)
    assert await workers[1].get_last("a") == 7


async def test_without_the_server_each_worker_computes_its_own(
    workers: list[ClusterAnswers[int]], own_redis: RedisServer
) -> None:
    own_redis.stop()
    source = Source()
    assert [await worker.get("a", source.find) for worker in workers] == [1, 2]
    assert workers[0].is_away
    await workers[0].remember("a", 7, 60.0)
    assert await workers[1].get_last("a") is None
