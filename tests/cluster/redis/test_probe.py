"""What a real server says of itself, and that one that is away is named."""

import pytest
from redis import Redis

from harness.servers.redis import RedisServer
from tallyroom.cluster.open_limits import probe_limits
from tallyroom.core.errors import TallyroomError


def test_a_server_says_what_it_is_and_what_it_drops(own_redis: RedisServer) -> None:
    found = probe_limits(own_redis.dsn)
    assert found.version.split()[0] in {"Redis", "Valkey"}
    assert found.eviction_policy == ""
    with Redis.from_url(own_redis.dsn) as client:
        client.config_set("maxmemory", "100mb")
        client.config_set("maxmemory-policy", "allkeys-lru")
    assert probe_limits(own_redis.dsn).eviction_policy == "allkeys-lru"


@pytest.mark.parametrize("dsn", ["valkey://127.0.0.1:1/0", "nonsense"])
def test_no_server_is_an_error_with_a_sentence(dsn: str) -> None:
    with pytest.raises(TallyroomError, match=r"does not respond|is not the address of a Redis"):
        probe_limits(dsn)
