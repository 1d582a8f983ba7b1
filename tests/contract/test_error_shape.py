"""Every refusal of every family has one shape (rules/safety#error-format): no HTML, no trace, always with its id."""

from typing import Any

import httpx
import pytest

from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.suite.few import few
from tallyroom.core.settings import Settings
from tallyroom.rest.hosts import SERVER_SEGMENTS

KEY = {"name": "k", "environment": "production"}
JSON = {"content-type": "application/json"}
SESSION, API_KEY, NOBODY = "session", "key", "nobody"

# Who asks, method, path, what else httpx sends, and the status.
REFUSALS: list[tuple[str, str, str, dict[str, Any], int]] = [
    (NOBODY, "GET", "/nope", {}, 404),
    (SESSION, "GET", "/v1", {}, 404),
    (SESSION, "GET", "/v1/", {}, 404),
    (SESSION, "GET", "/v1/nope", {}, 404),
    (SESSION, "GET", "/v1/keys/x/y", {}, 404),
    (SESSION, "GET", "/v1/actors/nobody", {}, 404),
    (SESSION, "DELETE", "/v1/keys/nope", {}, 404),
    (SESSION, "GET", "/docs/nope.js", {}, 404),
    (SESSION, "GET", "/docs/..%2f..%2fapp.py", {}, 404),
    (SESSION, "GET", "/%00", {}, 404),
    (SESSION, "GET", "/%ff%fe", {}, 404),
    (SESSION, "GET", "/" + "x" * 8000, {}, 404),
    (SESSION, "DELETE", "/v1/keys", {}, 405),
    (SESSION, "GET", "/v1/keys/x", {}, 405),
    (SESSION, "PUT", "/v1/actors", {}, 405),
    (SESSION, "PATCH", "/v1/actors/a", {}, 405),
    (NOBODY, "POST", "/", {}, 405),
    (NOBODY, "POST", "/healthz", {}, 405),
    (NOBODY, "GET", "/v1/auth/login", {}, 405),
    (NOBODY, "TRACE", "/v1/keys", {}, 405),
    (API_KEY, "PUT", "/v1/events", {"json": {"name": "x"}}, 405),
    (API_KEY, "DELETE", "/v1/events", {}, 405),
    (SESSION, "GET", "/v1/actors?limit=x", {}, 400),
    (SESSION, "GET", "/v1/actors?timeRange=x", {}, 400),
    (SESSION, "GET", "/v1/actors?environment=x", {}, 400),
    (SESSION, "GET", "/v1/actors?cursor=x", {}, 400),
    (SESSION, "GET", "/v1/actors/%ff", {}, 400),
    (SESSION, "GET", "/v1/actor", {}, 400),
    (SESSION, "POST", "/v1/keys", {"json": {}}, 400),
    (SESSION, "POST", "/v1/keys", {"json": []}, 400),
    (SESSION, "POST", "/v1/keys", {"content": b"null", "headers": JSON}, 400),
    (SESSION, "POST", "/v1/keys", {"content": b"", "headers": JSON}, 400),
    (SESSION, "POST", "/v1/keys", {"content": b"{", "headers": JSON}, 400),
    (SESSION, "POST", "/v1/keys", {"content": b"\xff", "headers": JSON}, 400),
    (SESSION, "POST", "/v1/keys", {"content": b"[" * 15_000, "headers": JSON}, 400),
    (SESSION, "POST", "/v1/keys", {"json": KEY | {"name": 5}}, 400),
    (SESSION, "POST", "/v1/keys", {"json": KEY | {"extra": 5}}, 400),
    (SESSION, "POST", "/v1/keys", {"content": b'{"name":"\\ud800","environment":"production"}', "headers": JSON}, 400),
    (NOBODY, "POST", "/v1/auth/signup", {"json": {"email": "x"}}, 400),
    (NOBODY, "POST", "/v1/auth/login", {"json": {"email": "x", "password": 1}}, 400),
    (NOBODY, "POST", "/v1/auth/login", {"json": {"email": "x@example.com", "password": "nonsense"}}, 401),
    (NOBODY, "GET", "/v1/keys", {}, 401),
    (NOBODY, "GET", "/v1/actors", {}, 401),
    (NOBODY, "DELETE", "/v1/actors/a", {}, 401),
    (NOBODY, "POST", "/v1/keys", {"content": b"{", "headers": {"content-type": "text/plain"}}, 401),
    (API_KEY, "GET", "/v1/keys", {}, 401),
    (API_KEY, "GET", "/v1/auth/me", {}, 401),
    (API_KEY, "GET", "/v1/actors?environment=development", {}, 403),
    (SESSION, "POST", "/v1/auth/signup", {"json": {}, "headers": {"sec-fetch-site": "cross-site"}}, 400),
    (SESSION, "POST", "/v1/keys", {"content": b" " * 1_100_000, "headers": JSON}, 413),
    (SESSION, "POST", "/v1/keys", {"content": iter([b" " * 600_000] * 2), "headers": JSON}, 413),
    (SESSION, "POST", "/v1/keys", {"content": b'{"name":"k","environment":"production"}'}, 415),
    (SESSION, "POST", "/v1/keys", {"data": {"name": "k"}}, 415),
    (SESSION, "POST", "/v1/keys", {"content": b"{}", "headers": {"content-type": "text/plain"}}, 415),
    (SESSION, "POST", "/v1/keys", {"json": KEY, "headers": {"content-encoding": "gzip"}}, 415),
    (NOBODY, "POST", "/v1/auth/login", {"files": {"f": b"x"}}, 415),
]


def ask(workspace: Workspace, who: str, method: str, path: str, **options: Any) -> httpx.Response:
    with workspace.client(workspace.key if who == API_KEY else None) as client:
        if who == NOBODY:
            del client.headers["authorization"]
        # What a browser says: on its own paths, nothing makes the server answer in HTML. All others are the web app's.
        is_own = path.split("/")[1] in SERVER_SEGMENTS | set(Settings().platforms)
        client.headers["accept"] = "text/html,application/xhtml+xml" if is_own else "*/*"
        return client.request(method, path, **options)


@few(
    12,
    ("who", "method", "path", "options", "status"),
    [pytest.param(*case, id=f"{index}-{case[4]} {case[1]} {case[2][:30]}") for index, case in enumerate(REFUSALS)],
)
def test_one_shape(shared: Workspace, who: str, method: str, path: str, options: dict[str, Any], status: int) -> None:
    answer = ask(shared, who, method, path, **options)
    body = check_refusal(answer, status)
    assert answer.headers["x-request-id"] == body["requestId"]
    assert "Traceback" not in answer.text
    assert "tallyroom." not in answer.text
    if status == 405:
        assert answer.headers["allow"]


def test_403_a_write_by_cookie_from_another_site(shared: Workspace) -> None:
    with shared.client() as client:
        del client.headers["authorization"]
        client.headers.update({"cookie": f"{shared.cookie}={shared.session_token}", "sec-fetch-site": "cross-site"})
        check_refusal(client.post("/v1/keys", json=KEY), 403)


def test_409_an_account_that_exists(shared: Workspace) -> None:
    body = {"email": shared.email, "password": "a long enough password", "name": "Owner"}
    check_refusal(ask(shared, NOBODY, "POST", "/v1/auth/signup", json=body), 409)


@pytest.mark.parametrize(("body", "status"), [({}, 400), ({"events": [{"name": "x"}] * 501}, 413)])
def test_a_refused_ingest_names_its_request_in_the_header_too(shared: Workspace, body: Any, status: int) -> None:
    answer = shared.send(body)
    assert answer.headers.get("x-request-id") == check_refusal(answer, status)["requestId"]


def test_request_ids_differ(shared: Workspace) -> None:
    ids = [shared.get("/v1/nope").json()["requestId"] for _ in range(5)]
    ids += [shared.send({}).json()["requestId"] for _ in range(5)]
    ids += [shared.send({"name": "x"}).headers["x-request-id"] for _ in range(5)]
    assert len(set(ids)) == 15


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/v1/keys", "/v1/actors"])
def test_an_answer_names_its_request(shared: Workspace, path: str) -> None:
    answer = shared.get(path)
    assert answer.status_code == 200
    assert answer.headers["x-request-id"]
