"""The admission to ingest: the rate limit of the client comes before its key."""

from ipaddress import ip_network
from typing import Any

import pytest

from tallyroom.core.errors import RateLimited
from tallyroom.core.settings import Network
from tallyroom.ingest.admission import AdmissionControl
from tallyroom.ingest.request import IngestRequest
from tallyroom.storage.limits.sliding_window import SlidingWindow


class Keys:
    def __init__(self) -> None:
        self.asked: list[bytes | None] = []

    async def authenticate(self, authorization: bytes | None) -> str:
        self.asked.append(authorization)
        return "principal"

    def get_cached(self, authorization: bytes) -> str | None:
        return "principal" if authorization == b"Bearer known" else None


def build_request(client: str, headers: list[tuple[bytes, bytes]]) -> IngestRequest:
    return IngestRequest(client, headers, dict(headers), "id-1")


class Scene:
    def __init__(self, clock: Any, trusted: list[Network]) -> None:
        self.keys = Keys()
        self.admission = AdmissionControl(SlidingWindow("ingest", 2, clock), self.keys, trusted)  # type: ignore[arg-type] # all that it asks of them

    async def admit(self, peer: str | None, *forwarded: bytes, key: bytes | None = b"Bearer k") -> Any:
        headers = [(b"x-forwarded-for", value) for value in forwarded] + ([(b"authorization", key)] if key else [])
        request = build_request(peer or "", headers)
        await self.admission.limit_rate(request)
        return await self.admission.authenticate(request)

    def admit_known(self, peer: str, *headers: tuple[bytes, bytes]) -> Any:
        request = build_request(peer, list(headers))
        if principal := self.admission.recognize_key(request):
            assert self.admission.limit_rate_at_once(request)
        return principal


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


async def test_both_ways_count_the_same_client(fake_clock: Any) -> None:
    scene = Scene(fake_clock, [ip_network("10.0.0.0/8")])
    forwarded = (b"x-forwarded-for", b"6.6.6.6, 8.8.8.8")
    assert scene.admit_known("10.0.0.1", (b"authorization", b"Bearer known"), forwarded) == "principal"
    await scene.admit("10.0.0.1", b"8.8.8.8")
    with pytest.raises(RateLimited):
        scene.admit_known("10.0.0.1", (b"authorization", b"Bearer known"), forwarded)


def test_what_takes_a_look_is_not_counted(fake_clock: Any) -> None:
    scene = Scene(fake_clock, [])
    known = (b"authorization", b"Bearer known")
    for headers in ([], [(b"authorization", b"Bearer new")], [known, known], [known, (b"a", b"1"), (b"a", b"2")]):
        for _ in range(3):
            assert scene.admit_known("1.1.1.1", *headers) is None
    assert [scene.admit_known("1.1.1.1", known) for _ in range(2)] == ["principal"] * 2
