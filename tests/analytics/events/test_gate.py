"""The gate of ingest: the rate limit of the client comes before its key."""

from ipaddress import ip_network
from typing import Any

import pytest

from tallyroom.analytics.events.gate import IngestGate
from tallyroom.core.errors import RateLimited
from tallyroom.core.settings import Network
from tallyroom.ingest.rate import SlidingWindow


class Keys:
    def __init__(self) -> None:
        self.asked: list[bytes | None] = []

    async def authenticate(self, authorization: bytes | None) -> str:
        self.asked.append(authorization)
        return "principal"


class Scene:
    def __init__(self, clock: Any, trusted: list[Network]) -> None:
        self.keys = Keys()
        self.gate = IngestGate(SlidingWindow(2, clock), self.keys, trusted)  # type: ignore[arg-type]

    async def admit(self, peer: str | None, *forwarded: bytes, key: bytes | None = b"Bearer k") -> Any:
        headers = [(b"x-forwarded-for", value) for value in forwarded] + ([(b"authorization", key)] if key else [])
        scope: Any = {"client": (peer, 1) if peer else None, "headers": headers}
        return await self.gate.admit(scope, dict(headers))


async def test_the_key_is_asked_with_what_the_client_sent(fake_clock: Any) -> None:
    scene = Scene(fake_clock, [])
    assert await scene.admit("1.1.1.1") == "principal"
    await scene.admit("1.1.1.1", key=None)
    assert scene.keys.asked == [b"Bearer k", None]


async def test_a_client_beyond_the_limit_does_not_reach_the_keys(fake_clock: Any) -> None:
    scene = Scene(fake_clock, [])
    for _ in range(2):
        await scene.admit("1.1.1.1")
    with pytest.raises(RateLimited):
        await scene.admit("1.1.1.1")
    assert len(scene.keys.asked) == 2
    await scene.admit("2.2.2.2")


async def test_a_stranger_cannot_choose_whom_to_count(fake_clock: Any) -> None:
    scene = Scene(fake_clock, [])
    for number in range(2):
        await scene.admit("1.1.1.1", b"9.9.9.%d" % number)
    with pytest.raises(RateLimited):
        await scene.admit("1.1.1.1", b"9.9.9.9")


async def test_behind_a_trusted_proxy_the_client_is_counted(fake_clock: Any) -> None:
    scene = Scene(fake_clock, [ip_network("10.0.0.0/8")])
    for _ in range(2):
        await scene.admit("10.0.0.1", b"6.6.6.6, 8.8.8.8")
    with pytest.raises(RateLimited):
        await scene.admit("10.0.0.2", b"7.7.7.7", b"8.8.8.8")  # what stands left of it anybody can have written
    await scene.admit("10.0.0.1", b"8.8.4.4")


async def test_a_connection_without_an_address_is_counted_too(fake_clock: Any) -> None:
    scene = Scene(fake_clock, [])
    for _ in range(2):
        await scene.admit(None)
    with pytest.raises(RateLimited):
        await scene.admit(None)
