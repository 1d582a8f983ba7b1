"""What a server asks for is shared by its name, and closed with it."""

from typing import Any

from harness.servers.redis import RedisServer
from harness.stores.peers import FewPeers
from harness.stores.shared_limits import admitted, fresh_name
from tallyroom.cluster.redis.shared_limits import SharedLimits
from tallyroom.storage.limits.limits import Allotment, Attempt


async def test_limits_of_the_same_name_are_one_limit(shared_redis: RedisServer, fake_clock: Any) -> None:
    name = fresh_name()
    first, second = (SharedLimits(shared_redis.dsn, fake_clock, FewPeers(2)) for _ in range(2))
    windows = first.create_rate_limit(name, 5), second.create_rate_limit(name, 5)
    assert sum([await admitted(windows[number % 2]) for number in range(20)]) == 5
    attempt = Attempt(Allotment(name, 1, 60), b"k")
    assert await first.create_attempt_limits().count_attempts(attempt) is None
    assert await second.create_attempt_limits().count_attempts(attempt) is not None
    first.create_newest_entries(name, 3).add("w", b"1")
    await first.close()
    assert await second.create_newest_entries(name, 3).list_newest("w") == [b"1"]
    assert (second.is_away, second.fallback_count) == (False, 0)
    await second.close()


async def test_what_this_process_judges_alone_is_counted(own_redis: RedisServer, fake_clock: Any) -> None:
    limits = SharedLimits(own_redis.dsn, fake_clock, FewPeers(2))
    window, attempts = limits.create_rate_limit("w", 5), limits.create_attempt_limits()
    own_redis.stop()
    for _ in range(2):
        assert await admitted(window)
        await attempts.count_attempts(Attempt(Allotment("a", 5, 60), b"k"))
    assert (limits.is_away, limits.fallback_count) == (True, 4)
    await limits.close()
