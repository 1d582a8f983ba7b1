"""External sources, and the widgets that fetch from them, on a server that may reach the loopback address.

The rules: rules/boards#external-source, rules/boards#token-of-a-source, rules/boards#external-widget and
rules/boards#external-value.
"""

import json
import ssl
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
import trustme

from harness.clients.dashboards import make_dashboard, make_external_source, make_widget
from harness.clients.member import add_member
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.outside import OutsideServer, Send, answer, saying
from harness.servers.server import Server
from harness.stores.metadata_edits import at_rest, run_beside
from harness.suite.few import few

FIELDS = ["id", "name", "host", "headerName", "tokenPreview"]
BODY = {"name": "Shop", "host": "api.example.com"}
TOKEN = "a-very-secret-token-abcd"


def listed(workspace: Workspace) -> Any:
    found = workspace.get("/v1/external-sources")
    assert found.status_code == 200, found.text
    assert list(found.json()) == ["externalSources"]
    return found.json()["externalSources"]


def patch(workspace: Workspace, source_id: str, body: Any) -> Any:
    with workspace.client() as client:
        found = client.patch(f"/v1/external-sources/{source_id}", json=body)
    assert found.status_code == 200, found.text
    return found.json()


def test_a_source_is_made_listed_changed_and_deleted(workspace: Workspace) -> None:
    assert listed(workspace) == []
    made = make_external_source(workspace, **BODY)
    assert list(made) == FIELDS
    assert made == BODY | {"id": made["id"], "headerName": None, "tokenPreview": None}
    second = make_external_source(workspace, host="BÜCHER.example", headerName="X-Api-Key", token=TOKEN)
    assert (second["host"], second["headerName"]) == ("xn--bcher-kva.example", "X-Api-Key")
    assert second["tokenPreview"] == "••••abcd"
    assert listed(workspace) == [made, second]
    assert patch(workspace, second["id"], {"name": "Books", "headerName": None}) == second | {
        "name": "Books",
        "headerName": None,
    }
    assert patch(workspace, second["id"], {"host": "other.example"})["tokenPreview"] is None
    with workspace.client() as client:
        for source in (made, second):
            assert client.delete(f"/v1/external-sources/{source['id']}").status_code == 204
            check_refusal(client.delete(f"/v1/external-sources/{source['id']}"), 404)
            check_refusal(client.patch(f"/v1/external-sources/{source['id']}", json={}), 404)
    assert listed(workspace) == []


def test_a_token_is_never_answered_and_never_stored_as_it_is(server: Server, workspace: Workspace) -> None:
    with workspace.client() as client:
        made = client.post("/v1/external-sources", json=BODY | {"token": TOKEN})
        changed = client.patch(f"/v1/external-sources/{made.json()['id']}", json={"token": TOKEN + "-2"})
    for found in (made, changed, workspace.get("/v1/external-sources")):
        assert TOKEN[:-4] not in found.text
    assert TOKEN[:-4].encode() not in at_rest(server.data)
    assert TOKEN[:-4] not in server.text()


WRONG: list[tuple[Any, list[Any]]] = [
    *[({"name": value}, ["name"]) for value in (None, "", " ", "x" * 121, 1, [], "a\n", "a\0")],
    *[({"host": value}, ["host"]) for value in (None, "", 1, [], " ", "a b", "a/b", "a?b", "a#b", "a@b", "a\\b", "a.")],
    *[({"host": f"https://{name}"}, ["host"]) for name in ("api.example.com", "127.0.0.1")],
    *[({"host": name}, ["host"]) for name in ("api.example.com:8443", "api.example.com:80", "api.example.com:x")],
    *[
        ({"host": name}, ["host"])
        for name in ("localhost", "LOCALHOST", "x.localhost", "localhost.", "127.1", "2130706433")
    ],
    *[({"host": name}, ["host"]) for name in ("127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:7f00:1]")],
    *[({"host": name}, ["host"]) for name in ("0x7f.1", "ｅxample.com", "example。com", "xn--a", "x" * 64, "a" * 5000)],
    *[({"headerName": value}, ["headerName"]) for value in ("", "a b", "a:", "a\n", "ü", "x" * 65, 1, [])],
    *[({"headerName": name}, ["headerName"]) for name in ("Host", "content-length", "Transfer-Encoding", "CONNECTION")],
    *[({"headerName": name}, ["headerName"]) for name in ("Cookie", "accept-encoding", "User-Agent", "Upgrade")],
    *[
        ({"token": value}, ["token"])
        for value in ("", " ", " x", "x ", "a\nb", "a\r\nX: y", "\0", "ü", "x" * 4001, 1, [])
    ],
    *[({name: "x"}, [name]) for name in ("id", "workspaceId", "tokenPreview", "url", "scheme", "port", "createdAt")],
]


@pytest.fixture(scope="module")
def quiet(server: Server) -> Workspace:
    """A workspace with one source, in which everything is refused."""
    workspace = sign_up(server.url)
    make_external_source(workspace, **BODY)
    return workspace


@few(4, ("wrong", "path"), WRONG, ids=ascii)
def test_what_is_refused_makes_and_changes_nothing(quiet: Workspace, wrong: Any, path: list[Any]) -> None:
    before = listed(quiet)
    with quiet.client() as client:
        for found in (
            client.post("/v1/external-sources", json=BODY | wrong),
            client.patch(f"/v1/external-sources/{before[0]['id']}", json={"name": "New"} | wrong),
        ):
            assert [detail["path"] for detail in check_refusal(found, 400)["details"]] == [path]
    assert listed(quiet) == before


@pytest.mark.parametrize("missing", list(BODY))
def test_what_is_required(shared: Workspace, missing: str) -> None:
    with shared.client() as client:
        body = {name: value for name, value in BODY.items() if name != missing}
        refusal = check_refusal(client.post("/v1/external-sources", json=body), 400)
    assert [detail["path"] for detail in refusal["details"]] == [[missing]]


@pytest.mark.parametrize("token", ["x", "x y", "!~", "x" * 4000])
def test_tokens_that_are_taken(shared: Workspace, token: str) -> None:
    assert make_external_source(shared, token=token, headerName="Authorization")["tokenPreview"]


def test_a_source_of_another_workspace_is_not_there(workspace: Workspace) -> None:
    theirs = make_external_source(sign_up(workspace.url))
    with workspace.client() as client:
        for found in (
            client.patch(f"/v1/external-sources/{theirs['id']}", json={"name": "Mine"}),
            client.delete(f"/v1/external-sources/{theirs['id']}"),
        ):
            check_refusal(found, 404)
    assert listed(workspace) == []


# From here on: widgets that fetch.


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def certificate(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1", "localhost").configure_cert(context)
    return context


@pytest.fixture(scope="module")
def reaching(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that may reach the loopback address, and trusts the authority."""
    folder = tmp_path_factory.mktemp("reaching")
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SSL_CERT_FILE", str(folder / "ca.pem"))
        running = Server(
            folder / "data", open_signup="true", trusted_proxies="127.0.0.0/8", outbound_allow="127.0.0.0/8,::1"
        ).start()
    yield running
    running.stop()


@pytest.fixture
def owner(reaching: Server) -> Workspace:
    return sign_up(reaching.url)


@pytest.fixture
def outside(certificate: ssl.SSLContext) -> Iterator[OutsideServer]:
    with OutsideServer(saying(answer(b'{"results": [{"value": 7}], "name": "Ann"}')), certificate) as server:
        yield server


def external(source: Any, **fields: Any) -> dict[str, Any]:
    """The config of a widget that fetches from the source."""
    config = {"sourceId": source["id"], "url": f"https://{source['host']}/stats", "valuePath": "results.0.value"}
    return config | {"valueType": "number"} | fields


class Board:
    """A published dashboard with one widget that fetches."""

    def __init__(self, workspace: Workspace, config: Any) -> None:
        self.workspace = workspace
        self.dashboard = make_dashboard(workspace, isPublic=True)
        self.widget = make_widget(workspace, self.dashboard["id"], type="external", config=config, title="Orders")

    def data(self) -> Any:
        with self.workspace.client() as client:
            found = client.post(f"/v1/widgets/{self.widget['id']}/data")
        assert found.status_code == 200, found.text
        return found.json()

    def public(self) -> Any:
        slug = self.dashboard["slug"]
        url = f"{self.workspace.url}/v1/public/dashboards/{slug}/widgets/{self.widget['id']}/data"
        found = httpx.post(url, timeout=30)
        assert found.status_code == 200, found.text
        return found.json()


def preview(workspace: Workspace, config: Any) -> httpx.Response:
    body = {"environment": "production", "timeRange": "7d", "type": "external", "config": config}
    with workspace.client() as client:
        return client.post("/v1/query", json=body)


@pytest.mark.long
def test_a_viewer_cannot_choose_what_a_token_reads(owner: Workspace, outside: OutsideServer) -> None:
    source = source_of(owner, outside, token=TOKEN)
    viewer = add_member(owner, "viewer")
    body = {"environment": "production", "timeRange": "7d", "type": "external", "config": external(source)}
    with viewer.client() as client:
        check_refusal(client.post("/v1/query", json=body), 403)
    assert outside.connections == 0


def source_of(workspace: Workspace, outside: OutsideServer, **fields: Any) -> Any:
    return make_external_source(workspace, host=f"127.0.0.1:{outside.port}", **fields)


@pytest.mark.long
def test_a_value_is_fetched_once_for_members_and_public(owner: Workspace, outside: OutsideServer) -> None:
    board = Board(owner, external(source_of(owner, outside, token=TOKEN)))
    answers = [board.data(), board.public(), board.data()]
    assert list(answers[0]) == ["kind", "computedAt", "value", "fetchedAt", "error"]
    for found in answers:
        assert (found["kind"], found["value"], found["error"]) == ("external", 7, None)
        assert found["fetchedAt"] == answers[0]["fetchedAt"]
    assert len(outside.heads) == 1
    assert f"Authorization: Bearer {TOKEN}\r\n" in outside.heads[0]
    assert outside.heads[0].startswith("GET /stats HTTP/1.1\r\n")


def test_a_preview_fetches_as_a_widget_does(owner: Workspace, outside: OutsideServer) -> None:
    source = source_of(owner, outside, token=TOKEN, headerName="X-Key")
    assert preview(owner, external(source)).json()["value"] == 7
    assert preview(owner, external(source, valuePath="name", valueType="text")).json()["value"] == "Ann"
    assert preview(owner, external(source, valuePath="results[?value>`1`].value|[0]")).json()["value"] == 7
    assert (
        preview(owner, external(source, valuePath="name")).json()["error"] == "The value at valuePath is not a number."
    )
    assert f"X-Key: {TOKEN}\r\n" in outside.heads[0]
    assert "authorization" not in "".join(outside.heads).lower()


def test_a_name_is_looked_up_and_its_certificate_checked(owner: Workspace, outside: OutsideServer) -> None:
    source = make_external_source(owner, host=f"localhost:{outside.port}")
    assert preview(owner, external(source)).json()["value"] == 7
    assert f"Host: localhost:{outside.port}\r\n" in outside.heads[0]


def test_a_server_that_allows_nothing_reaches_nothing(workspace: Workspace, outside: OutsideServer) -> None:
    with workspace.client() as client:
        for host in (f"127.0.0.1:{outside.port}", f"localhost:{outside.port}", "127.0.0.1", "localhost"):
            check_refusal(client.post("/v1/external-sources", json=BODY | {"host": host}), 400)
    source = make_external_source(workspace, host="loopback.invalid")
    for url in (f"https://127.0.0.1:{outside.port}/", f"https://loopback.invalid:{outside.port}/"):
        refusal = check_refusal(preview(workspace, external(source, url=url)), 400)
        assert [detail["path"] for detail in refusal["details"]] == [["config", "url"]]
    assert outside.connections == 0


def test_a_widget_stays_on_the_host_of_a_source_of_its_workspace(owner: Workspace, outside: OutsideServer) -> None:
    source = source_of(owner, outside)
    theirs = source_of(sign_up(owner.url), outside)
    board = Board(owner, external(source))
    wrong = [
        (external(theirs), "sourceId"),
        (external(source, sourceId="none"), "sourceId"),
        (external(source, url=f"http://127.0.0.1:{outside.port}/stats"), "url"),
        (external(source, url=f"https://localhost:{outside.port}/stats"), "url"),
        (external(source, url="https://127.0.0.1/stats"), "url"),
        (external(source, url=f"https://user@127.0.0.1:{outside.port}/stats"), "url"),
        (external(source, url=f"https://127.0.0.1:{outside.port}\\@example.com/"), "url"),
        (external(source, url="x" * 2001), "url"),
        (external(source, valuePath="a["), "valuePath"),
        (external(source, valuePath="a" * 201), "valuePath"),
        (external(source, valueType="list"), "valueType"),
        (external(source, segmentId="x"), "segmentId"),
    ]
    with owner.client() as client:
        for config, field in wrong:
            for found in (
                client.post(
                    f"/v1/dashboards/{board.dashboard['id']}/widgets", json={"type": "external", "config": config}
                ),
                client.patch(f"/v1/widgets/{board.widget['id']}", json={"config": config}),
                preview(owner, config),
            ):
                assert [detail["path"] for detail in check_refusal(found, 400)["details"]] == [["config", field]]
    assert outside.connections == 0


def test_a_source_in_use_cannot_be_deleted(owner: Workspace, outside: OutsideServer) -> None:
    source = source_of(owner, outside)
    board = Board(owner, external(source))
    with owner.client() as client:
        message = check_refusal(client.delete(f"/v1/external-sources/{source['id']}"), 409)["message"]
        assert '"Orders"' in message
        assert client.delete(f"/v1/widgets/{board.widget['id']}").status_code == 204
        assert client.delete(f"/v1/external-sources/{source['id']}").status_code == 204


def test_a_change_of_the_source_shows_at_once(owner: Workspace, outside: OutsideServer, certificate: Any) -> None:
    source = source_of(owner, outside, token=TOKEN)
    board = Board(owner, external(source))
    assert (board.data()["value"], board.public()["value"]) == (7, 7)
    outside.say = saying(answer(b'{"results": [{"value": 8}]}'))
    patch(owner, source["id"], {"token": "another-token"})
    assert (board.data()["value"], board.public()["value"]) == (8, 8)
    assert "Bearer another-token" in outside.heads[-1]
    with OutsideServer(saying(answer()), certificate) as other:
        patch(owner, source["id"], {"host": f"127.0.0.1:{other.port}"})
        assert board.data()["error"] == "The URL is not on the host of the external source."
        assert board.public()["error"] == "unavailable"
        config = {"config": external(source, url=f"https://127.0.0.1:{other.port}/", valuePath="value")}
        with owner.client() as client:
            assert client.patch(f"/v1/widgets/{board.widget['id']}", json=config).status_code == 200
        assert (board.data()["value"], board.public()["value"]) == (7, 7)
        assert "authorization" not in other.heads[0].lower()  # the token stayed with its host
    assert len(outside.heads) == 2


def test_a_source_that_went_is_an_error_and_no_failure(
    reaching: Server, owner: Workspace, outside: OutsideServer
) -> None:
    """The API keeps a source that is in use; a row can still go by other ways."""
    source = source_of(owner, outside)
    board = Board(owner, external(source))
    assert (board.data()["value"], board.public()["value"]) == (7, 7)
    run_beside(reaching.data, "DELETE FROM external_sources WHERE id = :id", source)
    assert board.data() | {"computedAt": ""} == {
        "kind": "external",
        "computedAt": "",
        "value": None,
        "fetchedAt": None,
        "error": "The external source was deleted.",
    }
    assert (board.public()["value"], board.public()["error"]) == (None, "unavailable")


def redirecting(to: str) -> Any:
    return saying(answer(b"", "302 Found", location=to))


def test_what_fails_tells_members_why_and_the_public_nothing(
    owner: Workspace, outside: OutsideServer, certificate: ssl.SSLContext
) -> None:
    remote = "remote-words"

    def endless(send: Send, _: str) -> None:
        send(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
        while True:
            send(b'"' + remote.encode() * 5000)

    with OutsideServer(saying(answer()), certificate) as other:
        cases = [
            (saying(answer(remote.encode(), "500 Oops")), "The source responded with HTTP 500."),
            (redirecting(f"https://127.0.0.1:{other.port}/"), "redirects are not followed"),
            (saying(answer(remote.encode(), content_type=f"text/{remote}")), "The response is not JSON"),
            (saying(answer(remote.encode())), "The response is not valid JSON."),
            (saying(answer(json.dumps({"x": remote}).encode())), "The response has no value at valuePath."),
            (endless, "The response is larger than 1 MiB."),
            (saying(remote.encode() + b"\r\n\r\n"), "The response is not valid HTTP."),
            (saying(), "The connection closed before the response was complete."),
        ]
        source = source_of(owner, outside, token=TOKEN)
        for number, (say, why) in enumerate(cases):
            outside.say = say
            board = Board(owner, external(source, url=f"https://{source['host']}/{number}"))
            mine, seen = board.data(), board.public()
            assert why in mine["error"]
            assert (mine["value"], mine["fetchedAt"]) == (None, None)
            assert seen | {"computedAt": ""} == mine | {"computedAt": "", "error": "unavailable"}
            assert remote not in str(mine)
        assert other.connections == 0
    assert len(outside.heads) == len(cases)  # a failure is kept for a moment, too


def test_a_wrong_certificate_gets_no_token(owner: Workspace) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    with OutsideServer(saying(answer()), context) as outside:
        found = preview(owner, external(source_of(owner, outside, token=TOKEN))).json()
    assert found["error"] == "The host's certificate is not trusted: its authority is not trusted."
    assert (outside.connections, outside.heads) == (1, [])


def test_a_slow_source_holds_up_no_other_widget(owner: Workspace, outside: OutsideServer) -> None:
    """While one widget waits for its source, a note of the same dashboard answers."""
    begun, over = threading.Event(), threading.Event()

    def slow(send: Send, _: str) -> None:
        begun.set()
        over.wait(4)
        send(answer(b'{"results": [{"value": 1}]}'))

    outside.say = slow
    board = Board(owner, external(source_of(owner, outside)))
    note = make_widget(owner, board.dashboard["id"])
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(board.data)
        assert begun.wait(10)
        with owner.client() as client:
            assert client.post(f"/v1/widgets/{note['id']}/data").json()["text"] == "Hello"
        assert not waiting.done()
        over.set()
        assert waiting.result(10)["value"] == 1
