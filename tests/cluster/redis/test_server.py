"""An answer within a moment, or none; and a server that comes back is found."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest

from harness.servers.redis import RedisServer
from harness.suite.patience import until
from tallyroom.cluster.redis.server import LimitsServer, LimitsServerAway
from tallyroom.core.errors import TallyroomError

ADD: dict[str, Any] = {"script_name": "add_entries", "keys": ["list"], "arguments": [10, 60, 1, "entry"]}


async def test_a_script_runs_again_after_the_server_forgot_it(own_redis: RedisServer) -> None:
    server = LimitsServer(own_redis.dsn)
    await server.run_script(**ADD)
    own_redis.flush()
    await server.run_script(**ADD)
    with own_redis.client() as client:
        assert client.lrange("list", 0, -1) == ["entry"]
    await server.close()


async def test_it_is_away_until_it_is_found_again(own_redis: RedisServer, caplog: pytest.LogCaptureFixture) -> None:
    server = LimitsServer(own_redis.dsn)
    await asyncio.gather(*(server.run_script(**ADD) for _ in range(40)))
    own_redis.stop()
    for _ in range(3):
        with pytest.raises(LimitsServerAway):
            await server.run_script(**ADD)
    assert server.is_away
    own_redis.start()
    await until(lambda: not server.is_away)
    await asyncio.gather(*(server.run_script(**ADD) for _ in range(40)))
    assert [record.message for record in caplog.records] == [
        "the limits server is unreachable; each worker applies limits on its own",
        "the limits server is back",
    ]
    await server.close()


async def test_a_server_that_hangs_is_away(own_redis: RedisServer) -> None:
    server = LimitsServer(own_redis.dsn)
    await server.run_script(**ADD)
    own_redis.halt(halted=True)
    with pytest.raises(LimitsServerAway):
        await server.run_script(**ADD)
    own_redis.halt(halted=False)
    await until(lambda: not server.is_away)
    await server.run_script(**ADD)
    await server.close()


async def test_a_server_that_takes_no_writes_is_away(own_redis: RedisServer) -> None:
    server = LimitsServer(own_redis.dsn)
    with own_redis.client() as client:
        client.config_set("maxmemory", 1)
    with pytest.raises(LimitsServerAway):
        await server.run_script(**ADD)
    await server.close()


async def test_a_wrong_password_is_no_fault(own_redis: RedisServer) -> None:
    with own_redis.client() as client:
        client.config_set("requirepass", "right")
    for password, is_away in (("wrong", True), ("right", False)):
        server = LimitsServer(own_redis.dsn.replace("unix://", f"unix://:{password}@"))
        try:
            await server.run_script(**ADD)
        except LimitsServerAway:
            assert is_away
        assert server.is_away is is_away
        await server.close()


async def test_what_is_no_such_server_is_away(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for dsn in (f"redis://127.0.0.1:{silent.getsockname()[1]}", f"unix://{tmp_path}/none"):
            server = LimitsServer(dsn)
            with pytest.raises(LimitsServerAway):
                await server.read_list("key")
            await server.close()


@pytest.mark.parametrize("dsn", ["redis://h", "rediss://h:6380/1", "valkey://:secret@h", "valkeys://h", "unix:///s"])
def test_names_of_servers(dsn: str) -> None:
    LimitsServer(dsn)


@pytest.mark.parametrize("dsn", ["host:6379", "http://host", "redis://host?db=x"])
def test_names_of_no_server(dsn: str) -> None:
    with pytest.raises(TallyroomError, match="TALLYROOM_LIMITS_DSN is not the address of a Redis"):
        LimitsServer(dsn)
