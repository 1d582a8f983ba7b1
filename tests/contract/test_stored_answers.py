"""No answer to somebody who proved who they are is stored, and no type is guessed (rules/safety#cache-headers)."""

import socket
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest

from harness.builders.published_dashboard import Page
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.rights import BOT, BY_TOKEN, TABLE, RouteCase
from harness.oracles.route_requests import ask, make_named, path_of
from harness.servers.server import Server
from harness.suite.few import few
from harness.suite.patience import PATIENCE

GUARDED = [row for row in TABLE if row.guard != "public"]
OPEN_HERE = "require_scraper"
"""The guard that, on this server, lets everybody in."""
STORED = {"/", "/docs/:asset", "/openapi.json", "/p/:slug"}
"""Public answers that may be stored, beside pictures."""


@pytest.fixture(scope="module")
def credentials(shared: Workspace) -> dict[str, str]:
    """What lets in at each guard."""
    token, key = shared.make_stats_token("bot", BOT)[0], shared.key
    assert shared.send({"name": "x", "_actor": "alice"}).status_code == 202
    return {
        row.guard: token if row.guard in BY_TOKEN else key if row.guard == "require_key" else shared.session_token
        for row in GUARDED
    }


def check(answer: httpx.Response) -> None:
    told = answer.headers.get_list("cache-control"), answer.headers.get_list("x-content-type-options")
    assert told == (["no-store"], ["nosniff"]), (answer.request, answer.status_code, answer.headers)


@few(4, "row", GUARDED, ids=str)
def test_no_answer_behind_a_guard_is_stored(
    server: Server, shared: Workspace, credentials: dict[str, str], row: RouteCase
) -> None:
    """The answer of the table, 401, 404, 405, 400, and those to HEAD and OPTIONS."""
    credential = credentials[row.guard]
    if row.path == "/v1/auth/sessions":
        credential = sign_up(server.url).session_token
    made = make_named(shared, row)
    path = path_of(row, made)
    with shared.client(credential) as client:
        answers = [
            client.options(path),
            client.request("PUT" if row.method != "PUT" else "PATCH", path),
            client.request(row.method, path.partition("?")[0] + "/none/none/none"),
            ask(client, row, made, query=f"{'&' if '?' in path else '?'}nonsense=1"),
        ]
        if row.method == "GET":
            answers.append(client.head(path))
        answers.append(ask(client, row, made))
        del client.headers["authorization"]
        client.cookies.clear()
        answers.append(ask(client, row, made))
    assert answers[-1].status_code == (200 if row.guard == OPEN_HERE else 401)
    for answer in answers:
        check(answer)


@few(6, "row", [row for row in TABLE if row.guard == "public"], ids=str)
def test_neither_are_public_answers_that_do_not_say_for_how_long(shared: Workspace, row: RouteCase) -> None:
    with shared.client() as client:
        del client.headers["authorization"]
        answer = ask(client, row, make_named(shared, row))
    assert answer.headers.get_list("x-content-type-options") == ["nosniff"]
    is_picture = row.path.startswith("/custom/") and answer.status_code == 200
    if is_picture or row.path in STORED:
        assert len(answer.headers.get_list("cache-control")) == 1
    else:
        check(answer)


@pytest.mark.parametrize("path", ["/nope", "/v1/nope", "/v1//keys", "/v1/keys/x/y", "/%ff%fe", "/custom/nope"])
def test_what_is_not_there_is_not_stored(shared: Workspace, path: str) -> None:
    answer = shared.get(path)
    assert answer.status_code == 404
    check(answer)


def test_a_stream_an_export_and_a_file_are_not_stored(shared: Workspace) -> None:
    with shared.client() as client:
        with client.stream("GET", "/v1/events/stream", params={"environment": "production"}) as stream:
            assert stream.status_code == 200
            check(stream)
        for format_ in ("ndjson", "csv", "parquet"):
            check(client.get("/v1/export", params={"format": format_}))
        body = {
            "environment": "production",
            "timeRange": "7d",
            "type": "metric",
            "config": {"event": "x", "measure": "count"},
        }
        answer = client.post("/v1/query/actors", json=body, headers={"accept": "text/csv"})
        assert (answer.status_code, answer.headers["content-type"][:8]) == (200, "text/csv")
        check(answer)


@pytest.mark.long
def test_a_public_dashboard_that_is_not_there_is_neither_stored_nor_listed(shared: Workspace) -> None:
    page = Page(shared)
    table = next(widget for widget in page.widgets if widget["type"] == "table")
    nowhere = f"{shared.url}/v1/public/dashboards/AAAAAAAAAAAAAAAAAAAAAA"
    answers = [
        httpx.get(page.url),
        page.data(table["id"]),
        page.data("none"),
        httpx.get(nowhere),
        httpx.post(f"{nowhere}/widgets/{table['id']}/data"),
        httpx.get(f"{shared.url}/v1/public/nope"),
        httpx.put(page.url),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 404, 404, 404, 404, 405]
    for answer in answers:
        check(answer)
        assert answer.headers.get_list("x-robots-tag") == ["noindex"]


INGEST = b"POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
EVENT = b'{"name":"x"}'


def sent(server: Server, request: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The headers of the answer to a request that comes whole, and therefore goes the short way where there is one."""
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)) as line:
        line.sendall(request)
        with line.makefile("rb") as reader:
            reader.readline()
            while header := reader.readline().rstrip(b"\r\n"):
                name, _, value = header.partition(b": ")
                yield name.lower(), value


@pytest.mark.parametrize("body", [EVENT, b"{", b'{"name":1}'])
@pytest.mark.parametrize("has_key", [True, False])
def test_neither_is_an_answer_of_the_short_way(
    server: Server, shared: Workspace, body: bytes, *, has_key: bool
) -> None:
    key = b"Authorization: Bearer " + shared.key.encode() + b"\r\n" if has_key else b""
    headers = list(sent(server, INGEST + key + b"Content-Length: %d\r\n\r\n" % len(body) + body))
    assert headers.count((b"cache-control", b"no-store")) == headers.count((b"x-content-type-options", b"nosniff")) == 1
    assert [name for name, _ in headers].count(b"cache-control") == 1


def test_neither_is_the_refusal_of_what_is_no_request(server: Server) -> None:
    headers = list(sent(server, b"no request\r\n\r\n"))
    assert {(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")} <= set(headers)
