"""The reply is lost after the commit: the client asks again and is counted once (rules/safety#counted-once)."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from harness.servers.site import MakeSite, Site

_REQUESTS = 240
_CLIENTS = 8


class CuttingProxy:
    """Hands requests on and hangs up on the client, before or after the server has answered."""

    def __init__(self, upstream: int, chance: Random) -> None:
        self._upstream = upstream
        self._chance = chance
        self.cuts: Counter[str] = Counter()

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[int]:
        server = await asyncio.start_server(self._handle, "127.0.0.1", 0)
        async with server:
            yield server.sockets[0].getsockname()[1]

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head, body = await read_message(reader)
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._upstream)
        up_writer.write(head + body)
        await up_writer.drain()
        how = self._chance.choice(["passed", "cut before the answer", "cut after the answer"])
        self.cuts[how] += 1
        if how != "cut before the answer":
            head, body = await read_message(up_reader)
        if how == "passed":
            writer.write(head + body)
            await writer.drain()
        for closing in (up_writer, writer):
            closing.close()
            await closing.wait_closed()


async def read_message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """(head, body) of a request or an answer with a Content-Length."""
    head = await reader.readuntil(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if line)
    return head, await reader.readexactly(int(fields[b"content-length"]))


async def post(port: int, token: str, key: str, body: bytes) -> tuple[int, bool]:
    """(status or 0, whether it was a replay)."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        f"POST /v1/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\nidempotency-key: {key}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    try:
        answer, _ = await read_message(reader)
    except (asyncio.IncompleteReadError, ConnectionError):
        return 0, False
    finally:
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)
    return int(answer.split()[1]), b"idempotent-replayed: true" in answer.lower()


async def deliver(site: Site, port: int, number: int, seen: Counter[object]) -> None:
    """One request, until it is answered."""
    actor = f"{site.seed}-{number}"
    site.ledger.send([actor])
    body = json.dumps({"name": "n", "_actor": actor, "properties": {"same": "text"}}).encode()
    status = 0
    while status != 202:
        status, replayed = await post(port, site.workspace.key, f"key-{number}", body)
        seen[status] += 1
        seen["replayed"] += replayed
        assert status in {0, 202, 409}, status
    site.ledger.ack([actor])


@pytest.mark.long
async def test_each_lost_reply_counts_once(make_site: MakeSite) -> None:
    site = make_site().begin()
    proxy = CuttingProxy(site.server.port, Random(site.seed))
    seen: Counter[object] = Counter()
    numbers = iter(range(_REQUESTS))

    async def client(port: int) -> None:
        for number in numbers:
            await deliver(site, port, number, seen)

    async with proxy.serve() as port:
        await asyncio.gather(*[client(port) for _ in range(_CLIENTS)])
    assert min(proxy.cuts[how] for how in ("cut before the answer", "cut after the answer")) > _REQUESTS / 4, proxy.cuts
    assert seen["replayed"] > _REQUESTS / 4, seen
    site.ledger.check_actors(listed(site))
    assert site.account().keys == _REQUESTS


def listed(site: Site) -> Counter[str]:
    """Every actor's eventCount as the API answers, page by page."""
    found: Counter[str] = Counter()
    cursor: dict[str, str] = {}
    while True:
        page = site.workspace.get("/v1/actors", limit=200, **cursor).json()
        found.update({row["actorKey"]: row["eventCount"] for row in page["actors"]})
        if page["next"] is None:
            return found
        cursor = {"cursor": page["next"]}
