"""413: how many bytes a body may have, by route; the rest is not read, clients hear why (rules/safety#body-sizes)."""

import socket
from contextlib import closing

import httpx
import pytest

from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

SMALL, CONFIG, DATA, IMPORT, EVENTS, OTLP = 16_000, 262_144, 1_000_000, 8_000_000, 2_097_152, 67_108_864

SESSION = [
    ("POST", "/v1/auth/signup", SMALL),
    ("POST", "/v1/auth/login", SMALL),
    ("POST", "/v1/auth/logout", SMALL),
    ("GET", "/v1/auth/me", SMALL),
    ("POST", "/v1/auth/workspace", SMALL),
    ("POST", "/v1/auth/password", SMALL),
    ("POST", "/v1/auth/reset", SMALL),
    ("POST", "/v1/auth/reset/confirm", SMALL),
    ("PATCH", "/v1/members/x", SMALL),
    ("POST", "/v1/invites", SMALL),
    ("POST", "/v1/invites/accept", SMALL),
    ("POST", "/v1/keys", SMALL),
    ("DELETE", "/v1/keys/x", SMALL),
    ("POST", "/v1/stats-tokens", SMALL),
    ("POST", "/v1/environments", SMALL),
    ("PATCH", "/v1/workspace", SMALL),
    ("POST", "/v1/annotations", SMALL),
    ("POST", "/v1/external-sources", SMALL),
    ("PATCH", "/v1/external-sources/x", SMALL),
    ("POST", "/v1/groups/keys", SMALL),
    ("PATCH", "/v1/listing", SMALL),
    ("POST", "/v1/dashboards", SMALL),
    ("POST", "/v1/public/dashboards/x/widgets/x/data", SMALL),
    ("GET", "/healthz", SMALL),
    ("POST", "/v1/dashboards/x/widgets", CONFIG),
    ("PATCH", "/v1/widgets/x", CONFIG),
    ("POST", "/v1/widgets/x/data", CONFIG),
    ("POST", "/v1/widgets/x/actors", CONFIG),
    ("POST", "/v1/widgets/x/differences", CONFIG),
    ("POST", "/v1/query", CONFIG),
    ("POST", "/v1/query/actors", CONFIG),
    ("POST", "/v1/query/differences", CONFIG),
    ("POST", "/v1/segments", CONFIG),
    ("PATCH", "/v1/segments/x", CONFIG),
    ("POST", "/custom/render", DATA),
    ("POST", "/custom/render.png", DATA),
]
FEED = [
    ("PUT", "/chat/bots/264445053596991498", DATA),
    ("POST", "/chat/bots/264445053596991498/stats", DATA),
    ("POST", "/chat/bots/264445053596991498/votes", DATA),
    ("POST", "/api/bots/264445053596991498/stats", DATA),
    ("POST", "/chat/import", IMPORT),
]
KEY = [("POST", "/v1/events", EVENTS), ("POST", "/v1/traces", OTLP), ("POST", "/v1/logs", OTLP)]
ROUTES = [(*row, who) for who, rows in (("session", SESSION), ("token", FEED), ("key", KEY)) for row in rows]


@pytest.fixture(scope="module")
def credentials(shared: Workspace) -> dict[str, str]:
    return {"session": shared.session_token, "token": shared.make_stats_token("write")[0], "key": shared.key}


def ask(server: Server, head: str) -> tuple[int, bytes]:
    """Send a head and none of the body that it speaks of; the status and the body of the answer."""
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=10)) as connection:
        connection.sendall(head.encode())
        answer = connection.makefile("rb")
        status = int(answer.readline().split()[1])
        length = 0
        while line := answer.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return status, answer.read(length)


@few(9, ("method", "path", "most", "who"), ROUTES)
def test_one_byte_too_many_is_refused_unread(
    server: Server, credentials: dict[str, str], method: str, path: str, most: int, who: str
) -> None:
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {credentials[who]}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {most + 1}\r\n\r\n"
    status, body = ask(server, head)
    assert (status, f"{most} bytes".encode() in body) == (413, True)


@pytest.mark.parametrize(("path", "most"), [("/v1/auth/login", SMALL), ("/v1/query", CONFIG), ("/custom/render", DATA)])
@pytest.mark.parametrize("chunked", [False, True])
def test_the_last_byte_that_is_taken(shared: Workspace, path: str, most: int, chunked: bool) -> None:
    for size, statuses in ((most, {400}), (most + 1, {413})):
        body = b"{" + b" " * (size - 2) + b"}"
        pieces = (body[at : at + 50_000] for at in range(0, size, 50_000))
        with shared.client() as client:
            headers = {"content-type": "application/json"}
            answer = client.post(path, content=pieces if chunked else body, headers=headers)
        assert answer.status_code in statuses
        check_refusal(answer, answer.status_code)


def test_who_asks_first_hears_it_before_the_body(server: Server, shared: Workspace) -> None:
    for path in ("/v1/auth/login", "/v1/events"):
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {shared.key}\r\nExpect: 100-continue\r\n"
        head += "Content-Type: application/json\r\nContent-Length: 3000000\r\n\r\n"
        assert ask(server, head)[0] == 413


def test_a_client_in_the_middle_of_its_body_can_read_the_refusal(shared: Workspace) -> None:
    """Also one that sends far more than is thrown away for it."""
    for size in (1_000_000, 30_000_000):
        answer = httpx.post(
            f"{shared.url}/v1/auth/login", content=bytes(size), headers={"content-type": "application/json"}, timeout=30
        )
        check_refusal(answer, 413)
