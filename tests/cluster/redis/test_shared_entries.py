"""What came last anywhere is listed everywhere."""

from collections.abc import AsyncIterator

import pytest

from harness.servers.redis import RedisServer
from harness.stores.shared_limits import fresh_name
from tallyroom.cluster.redis.server import LimitsServer
from tallyroom.cluster.redis.shared_entries import LIST_TTL_SECONDS, SharedEntries


@pytest.fixture
async def server(own_redis: RedisServer) -> AsyncIterator[LimitsServer]:
    server = LimitsServer(own_redis.dsn)
    yield server
    await server.close()


async def test_each_worker_lists_what_all_have_added(server: LimitsServer) -> None:
    name = fresh_name()
    one, two = (SharedEntries(name, 3, server) for _ in range(2))
    for entry in (b"1", b"2"):
        one.add("w", entry)
    assert await one.list_newest("w") == [b"2", b"1"]
    for entry in (b"3", b"4"):
        two.add("w", entry)
    assert await two.list_newest("w") == await one.list_newest("w") == [b"4", b"3", b"2"]
    assert await one.list_newest("v") == []
    for each in (one, two):
        await each.close()


async def test_what_was_added_is_written_a_moment_later(server: LimitsServer, own_redis: RedisServer) -> None:
    entries = SharedEntries(fresh_name(), 3, server)
    for number in range(200):
        entries.add(f"topic {number}", b"%d" % number)
    assert entries._write_task is not None
    await entries._write_task
    with own_redis.client() as client:
        keys = client.keys()
        assert len(keys) == 200
        assert {client.ttl(key) for key in keys} <= {LIST_TTL_SECONDS - 1, LIST_TTL_SECONDS}
    assert await entries.list_newest("topic 199") == [b"199"]


async def test_what_waits_is_written_at_the_end(server: LimitsServer) -> None:
    name = fresh_name()
    one = SharedEntries(name, 3, server)
    one.add("w", b"1")
    await one.close()
    assert await SharedEntries(name, 3, server).list_newest("w") == [b"1"]


async def test_without_the_server_each_worker_lists_its_own(server: LimitsServer, own_redis: RedisServer) -> None:
    entries = SharedEntries(fresh_name(), 3, server)
    own_redis.stop()
    for entry in (b"1", b"2", b"3", b"4"):
        entries.add("w", entry)
    assert await entries.list_newest("w") == [b"4", b"3", b"2"]
    await entries.close()
