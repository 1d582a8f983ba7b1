"""What a connection may send before it has said what it wants, on a real server."""

import contextlib
import socket
from contextlib import closing

import msgspec
import pytest

from harness.server import Server
from harness.workspace import Workspace
from tallyroom.core.errors import ErrorBody
from tallyroom.protocol.bounds import MAX_HEAD_BYTES

BODY = b'{"name":"sent.over.a.socket"}'


def say(server: Server, *pieces: bytes) -> tuple[int, bytes]:
    """Send `pieces` on a new connection; the status of the answer and its body."""
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=10)) as connection:
        for piece in pieces:
            connection.sendall(piece)
        answer = b""
        while b"\r\n\r\n" not in answer or not answer.rstrip().endswith(b"}"):
            received = connection.recv(65_536)
            if not received:
                break
            answer += received
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), body


def post(key: str, *headers: str) -> bytes:
    lines = ["POST /v1/events HTTP/1.1", "Host: x", f"Authorization: Bearer {key}", "Content-Type: application/json"]
    return "\r\n".join([*lines, *headers, "", ""]).encode()


def test_an_offer_of_another_protocol_is_ignored_and_the_body_read(server: Server, workspace: Workspace) -> None:
    offer = ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__")
    request = post(workspace.key, *offer, f"Content-Length: {len(BODY)}") + BODY
    assert say(server, request) == (202, b'{"accepted":1}')


def test_a_body_that_speaks_of_an_upgrade_stays_as_it_is(server: Server, workspace: Workspace) -> None:
    body = b'{"name":"n","_actor":"a","properties":{"text":"Upgrade: h2c"}}'
    assert say(server, post(workspace.key, f"Content-Length: {len(body)}") + body)[0] == 202
    assert workspace.get("/v1/actors/a").json()["timeline"][0]["properties"] == {"text": "Upgrade: h2c"}


def test_a_head_without_end_is_refused_and_the_connection_closed(server: Server) -> None:
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=10)) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ")
        with contextlib.suppress(ConnectionError):  # the server need not read all of it
            connection.sendall(b"x" * (16 * MAX_HEAD_BYTES))  # more than comes in one piece
            answer = connection.recv(65_536)
            assert b"larger than" in answer or answer == b""
            assert connection.recv(1) == b""


def test_what_is_no_http_is_refused_in_the_one_shape(server: Server) -> None:
    status, body = say(server, b"BREW /pot HTTP/1.1\r\n\r\n")
    assert (status, msgspec.json.decode(body, type=ErrorBody).code) == (400, 400)


def test_a_trailer_is_no_header(server: Server, workspace: Workspace) -> None:
    chunks = b"%x\r\n%s\r\n0\r\nAuthorization: Bearer evil\r\n\r\n" % (len(BODY), BODY)
    request = post(workspace.key, "Transfer-Encoding: chunked") + chunks
    assert say(server, request) == (202, b'{"accepted":1}')


def test_a_head_request_is_answered_like_get_without_the_body(server: Server, workspace: Workspace) -> None:
    with workspace.client() as client:
        answer = client.head("/healthz")
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Authorization: Bearer x", 401),
        ("Idempotency-Key: a\r\nIdempotency-Key: b", 400),
        ("Content-Type: application/json", 415),
        ("Content-Encoding: gzip\r\nContent-Encoding: gzip", 415),
    ],
)
def test_a_header_that_may_stand_once_is_refused_twice(
    server: Server, workspace: Workspace, header: str, status: int
) -> None:
    assert say(server, post(workspace.key, header, f"Content-Length: {len(BODY)}") + BODY)[0] == status
