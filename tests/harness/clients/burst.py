"""Many requests at once, over raw sockets: thousands a second, which no comfortable client manages."""

import json
import re
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, NamedTuple

from harness.clients.workspace import JSON, Workspace

_AT_ONCE = 50  # requests that are on their way on one connection before its answers are read


class BurstAnswer(NamedTuple):
    """One response; header names in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


def post_request(workspace: Workspace, body: Any, *, key: str | None = None, ip: str | None = None) -> bytes:
    """The bytes of one POST /v1/events."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = (
        "POST /v1/events HTTP/1.1\r\nHost: test\r\n"
        f"Authorization: Bearer {workspace.key if key is None else key}\r\n"
        f"X-Forwarded-For: {ip or workspace.ip}\r\n"
        f"Content-Type: {JSON}\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def burst(port: int, requests: Sequence[bytes], connections: int) -> list[BurstAnswer]:
    """Send `requests`, dealt out to as many connections at the same time, and return all answers."""
    hands = [requests[first::connections] for first in range(connections)]
    with ThreadPoolExecutor(connections) as threads:
        return [answer for answers in threads.map(lambda hand: _talk(port, hand), hands) for answer in answers]


def _talk(port: int, requests: Sequence[bytes]) -> list[BurstAnswer]:
    answers = []
    with socket.create_connection(("127.0.0.1", port), 30) as connection, connection.makefile("rb") as stream:
        for start in range(0, len(requests), _AT_ONCE):
            some = requests[start : start + _AT_ONCE]
            connection.sendall(b"".join(some))
            answers += [_read(stream) for _ in some]
    return answers


def _read(stream: BinaryIO) -> BurstAnswer:
    status = int(stream.readline().split()[1])
    headers = {}
    while match := re.match(r"(.+?): *(.*)\r\n", stream.readline().decode("latin-1")):
        headers[match[1].lower()] = match[2]
    return BurstAnswer(status, headers, stream.read(int(headers["content-length"])))
