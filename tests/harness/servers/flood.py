"""Requests that are still arriving, of many connections that share an allowance."""

import asyncio

from harness.servers.connection import Scene
from tallyroom.server.protocol.memory_quota import Allowance

PIECE = 60_000
WANTED = 960_000
MOST = 20_000_000

EVENTS, TELEMETRY, STATISTICS, APP = b"/v1/events", b"/v1/traces", b"/chat/import", b"/v1/widgets"
GUARDED = [EVENTS, TELEMETRY, STATISTICS, APP]
STRANGERS = [b"/custom/render", b"/v1/auth/login", b"/chat/bots/1/votes", b"/nothing"]


def post(length: int, target: bytes = b"/v1/query") -> bytes:
    return b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (target, length)


def get(target: bytes, size: int = 0) -> bytes:
    """A request without a body whose head has at least this size."""
    return b"GET %b HTTP/1.1\r\nHost: x\r\nX-Long: %b\r\n\r\n" % (target, b"y" * size)


async def unfinished(allowance: Allowance, target: bytes, count: int = 40) -> list[Scene]:
    """Connections that have sent half of a large body, and send no more."""
    scenes = [Scene(allowance) for _ in range(count)]
    for scene in scenes:
        scene.connection.data_received(post(2 * WANTED, target))
        for _ in range(WANTED // PIECE):
            if not scene.transport.closed:
                scene.connection.data_received(bytes(PIECE))
        await asyncio.sleep(0)
    return scenes


async def begun(allowance: Allowance, count: int, *pieces: bytes) -> list[Scene]:
    """Connections that have sent these pieces, as far as they were listened to, and send no more."""
    scenes = [Scene(allowance) for _ in range(count)]
    for scene in scenes:
        for piece in pieces:
            if not scene.transport.over:
                scene.connection.data_received(piece)
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    return scenes


async def send_whole(allowance: Allowance, target: bytes, size: int = 1_800_000) -> Scene:
    """A connection that sends a whole body."""
    scene = Scene(allowance)
    await scene.receive(post(size, target) + bytes(PIECE), *[bytes(PIECE)] * (size // PIECE - 1))
    return scene


async def end(allowance: Allowance, *scenes: Scene) -> None:
    """Check that nothing is held when all connections are over."""
    for scene in scenes:
        scene.connection.connection_lost(None)
    await asyncio.sleep(0.01)
    assert allowance.held_bytes == 0
    assert set(allowance.held_bytes_by_family.values()) <= {0}
    assert not any(allowance.shares_by_family.values())
