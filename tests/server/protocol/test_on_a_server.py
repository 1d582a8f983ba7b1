"""What a connection may send, on a real server."""

import contextlib
import re
import resource
import select
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx
import msgspec
import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server
from harness.servers.vitals import forget_peak, memory
from harness.suite.patience import PATIENCE, wait_until
from tallyroom.core.errors import ErrorBody
from tallyroom.server.protocol.head import MAX_HEAD_BYTES

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


def test_many_offers_of_another_protocol_in_one_write_are_all_answered(server: Server) -> None:
    offer = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    before = len(server.output)
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=30)) as connection:
        connection.sendall(offer * 330 + offer.replace(b"Upgrade\r\n", b"Upgrade, close\r\n", 1))
        answers = connection.makefile("rb").read()
    assert answers.count(b"HTTP/1.1 200 OK\r\n") == 331
    assert server.output[before:] == []


def ask_and_end(server: Server, request: bytes) -> bytes:
    """All that comes back from a request whose client ends its side of the connection at once."""
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=10)) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return connection.makefile("rb").read()


@pytest.mark.parametrize("path", ["/healthz", "/v1/nothing", "/openapi.json", "/custom/graph.png?data=1,2"])
def test_who_ends_their_side_is_answered(server: Server, path: str) -> None:
    httpx.get(f"{server.url}{path}", timeout=60)  # the reference is made when it is first asked for
    answer = ask_and_end(server, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 ")
    assert len(body) == int(re.findall(rb"content-length: ([0-9]+)", head)[0])


def test_events_of_who_ends_their_side_are_acknowledged(server: Server, workspace: Workspace) -> None:
    batch = b'{"events":[%b]}' % b",".join([BODY] * 500)
    for body in (BODY, batch):
        answer = ask_and_end(server, post(workspace.key, f"Content-Length: {len(body)}") + body)
        assert answer.startswith(b"HTTP/1.1 202 ")


@pytest.mark.parametrize(
    ("path", "statuses"), [("/custom/render", {400}), ("/v1/auth/login", {400}), ("/v1/nothing", {404}), ("/", {405})]
)
def test_a_body_in_tiny_chunks_is_refused_and_the_connection_closed(
    server: Server, path: str, statuses: set[int]
) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=10)) as connection:
        connection.sendall(head.encode())
        with contextlib.suppress(ConnectionError):  # the server need not read all of it
            connection.sendall(b"1\r\na\r\n" * 1_000_000)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while received := connection.recv(65_536):
                answer += received
    assert int(answer.split(b" ", 2)[1]) in statuses
    assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(("events", "size"), [(1, 1), (30, 1), (500, 16), (500, 20), (500, 100), (500, 8_000)])
def test_a_client_may_send_its_events_in_chunks_of_its_own(
    workspace: Workspace, server: Server, events: int, size: int
) -> None:
    event = b'{"name":"sent.in.chunks","_actor":"a","properties":{"text":"%b"}}' % (b"x" * 40)
    body = b'{"events":[%b]}' % b",".join([event] * events)
    pieces = (body[start : start + size] for start in range(0, len(body), size))
    headers = {"authorization": f"Bearer {workspace.key}", "content-type": "application/json"}
    answer = httpx.post(f"{server.url}/v1/events", content=pieces, headers=headers, timeout=30)
    assert (answer.status_code, answer.json()) == (202, {"accepted": events})


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that tells what it does, and has little room for requests."""
    data = tmp_path_factory.mktemp("narrow") / "data"
    running = Server(data, log_level="info", requests_max_bytes="4000000", open_signup="true").start()
    yield running
    running.stop()


@pytest.mark.long
def test_a_flood_of_clients_that_reset_the_connection_leaves_one_short_line(narrow: Server) -> None:
    before = len(narrow.output)
    for sent in (b"GET /v1/public/dashboards/x HTTP/1.1\r\nHost: x\r\n\r\n" * 20, b"GET /v1", b""):
        for _ in range(10):
            connection = socket.create_connection(("127.0.0.1", narrow.port), timeout=10)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(sent)
            connection.close()
    wait_until(lambda: any('"clients disconnected"' in line for line in narrow.output[before:]))
    assert httpx.get(f"{narrow.url}/healthz", timeout=PATIENCE).status_code == 200
    lines = [line for line in narrow.output[before:] if '"clients disconnected"' in line]
    assert len(lines) == 1
    assert "Traceback" not in narrow.text()
    assert max(map(len, narrow.output[before:])) < 300


@pytest.mark.long
def test_a_connection_rests_as_long_as_the_operator_says(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", keep_alive_seconds="1").start()
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=30)) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        answers = connection.makefile("rb").read()
    assert answers.count(b"HTTP/1.1 200 OK\r\n") == 1
    server.stop()


PIECE = bytes(60_000)


@pytest.mark.long
def test_a_flood_of_bodies_leaves_room_for_small_requests(narrow: Server) -> None:
    check_flood(narrow, connections=60, most_bytes=60_000_000)


@pytest.mark.long
def test_strangers_with_unfinished_bodies_cost_no_batch(tmp_path: Path) -> None:
    own = Server(tmp_path / "data", open_signup="true").start()
    workspace = sign_up(own.url)
    event = {"name": "large", "properties": {f"p{number}": "x" * 900 for number in range(4)}}
    batch = {"events": [event] * 480}
    with contextlib.ExitStack() as stack:
        strangers = [stack.enter_context(begun(own)) for _ in range(120)]
        for stranger in strangers:
            with contextlib.suppress(OSError):  # it is not listened to any more
                stranger.sendall(bytes(960_000))
        with ThreadPoolExecutor(8) as senders:
            statuses = Counter(senders.map(lambda _: workspace.send(batch).status_code, range(65)))
        assert statuses == {202: 65}
    own.stop()


def test_idle_strangers_keep_no_member_out(narrow: Server) -> None:
    workspace = sign_up(narrow.url)
    with contextlib.ExitStack() as stack:
        for _ in range(80):
            idle = stack.enter_context(closing(socket.create_connection(("127.0.0.1", narrow.port), timeout=PATIENCE)))
            idle.sendall(b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 15900\r\n\r\n" + bytes(15_000))
        assert {workspace.get("/v1/auth/me").status_code for _ in range(5)} == {200}


@pytest.mark.long
def test_1500_bodies_take_bounded_memory_and_give_it_back(tmp_path: Path) -> None:
    own = Server(tmp_path / "data", limits="-n 8192", open_signup="true").start()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 4096), hard))
    try:
        check_flood(own, connections=1500, most_bytes=200_000_000)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        own.stop()


def check_flood(server: Server, connections: int, most_bytes: int) -> None:
    """Let each connection send 960 kB of a larger body to the one route that takes so much from everybody."""
    workspace = sign_up(server.url)
    assert workspace.send({"name": "first", "_actor": "ann"}).status_code == 202
    assert len(workspace.get("/v1/actors").json()["actors"]) == 1  # the engine's code is read into memory for it
    before, own = forget_peak(server), memory(server, "RssAnon")
    with contextlib.ExitStack() as stack:
        flood = [stack.enter_context(begun(server)) for _ in range(connections)]
        for _ in range(16):
            for connection in flood:
                with contextlib.suppress(OSError):  # it is not listened to any more
                    connection.sendall(PIECE)
        assert workspace.send({"name": "small"}).status_code == 202
        answers = Counter(connection.recv(12) for connection in flood if has_answer(connection))
        assert set(answers) == {b"HTTP/1.1 503"}
        assert answers.total() > connections // 2
    assert memory(server, "VmHWM") - before < most_bytes
    for _ in range(300):  # it is given back a moment later
        if memory(server, "RssAnon") - own < most_bytes // 4:
            break
        time.sleep(0.1)
    assert memory(server, "RssAnon") - own < most_bytes // 4


def begun(server: Server) -> socket.socket:
    """A connection that has sent the head of a request."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    connection.sendall(b"POST /custom/render HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
    connection.sendall(b"Content-Length: 1000000\r\n\r\n")
    return connection


def has_answer(connection: socket.socket) -> bool:
    """Whether something came."""
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(0))
