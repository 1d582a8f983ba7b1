"""One cookie for each installation, also where several share a host (rules/people#cookies)."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from harness.clients.workspace import PASSWORD, Workspace, sign_up
from harness.servers.server import Server
from tallyroom.core.ids import IdGenerator
from tallyroom.operations.installation.renew import renew_installation

EARLIER = "tallyroom_session"


@pytest.fixture
def jar() -> Iterator[httpx.Client]:
    """A browser: as in one, cookies belong to a host and go to all of its ports."""
    with httpx.Client(timeout=30) as client:
        yield client


@contextmanager
def running(data: Path) -> Iterator[Server]:
    server = Server(data, open_signup="true", trusted_proxies="127.0.0.0/8").start()
    yield server
    server.stop()


def cookie(workspace: Workspace, token: str | None = None, name: str = EARLIER) -> dict[str, str]:
    return {"cookie": f"{name}={token or workspace.session_token}", "x-forwarded-for": workspace.ip}


def set_by(answer: httpx.Response) -> dict[str, str]:
    """The cookies that an answer sets."""
    pairs = [each.partition(";")[0].partition("=") for each in answer.headers.get_list("set-cookie")]
    return {name: value.strip('"') for name, _, value in pairs}


def test_two_servers_on_one_host_do_not_sign_each_other_out(
    jar: httpx.Client, server: Server, tight_server: Server
) -> None:
    people = [sign_up(each.url) for each in (server, tight_server)]
    for person in people:
        body = {"email": person.email, "password": PASSWORD}
        assert jar.post(f"{person.url}/v1/auth/login", json=body).status_code == 200
    for person in people:
        assert jar.get(f"{person.url}/v1/auth/me").json()["user"]["email"] == person.email
    assert jar.post(f"{people[0].url}/v1/auth/logout").status_code == 204
    assert [jar.get(f"{person.url}/v1/auth/me").status_code for person in people] == [401, 200]


def test_its_name_is_the_installations_and_the_api_describes_it(workspace: Workspace) -> None:
    assert re.fullmatch(r"tallyroom_[A-Za-z0-9_-]{8}", workspace.cookie)
    assert sign_up(workspace.url).cookie == workspace.cookie
    described = workspace.get("/openapi.json").json()["components"]["securitySchemes"]["session"]
    assert described == {"type": "apiKey", "in": "cookie", "name": workspace.cookie}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/auth/me", 200),
        ("HEAD", "/v1/dashboards", 200),
        ("GET", "/v1/keys?surprise=1", 400),
        ("DELETE", "/v1/keys/none", 404),
        ("POST", "/v1/query", 415),
    ],
)
def test_any_answer_to_the_earlier_cookie_sets_the_new_one_beside_it(
    workspace: Workspace, method: str, path: str, status: int
) -> None:
    answer = httpx.request(method, workspace.url + path, headers=cookie(workspace))
    assert answer.status_code == status
    assert set_by(answer) == {workspace.cookie: workspace.session_token}
    both = cookie(workspace) | {
        "cookie": f"{EARLIER}={workspace.session_token}; {workspace.cookie}={workspace.session_token}"
    }
    assert set_by(httpx.request(method, workspace.url + path, headers=both)) == {}


def test_an_event_stream_sets_it_too(workspace: Workspace) -> None:
    with httpx.stream("GET", f"{workspace.url}/v1/events/stream", headers=cookie(workspace), timeout=30) as stream:
        assert (stream.status_code, set_by(stream)) == (200, {workspace.cookie: workspace.session_token})


def test_a_token_of_another_server_in_the_earlier_cookie_is_nothing(workspace: Workspace, tight_server: Server) -> None:
    stranger = sign_up(tight_server.url).session_token
    answer = httpx.get(f"{workspace.url}/v1/auth/me", headers=cookie(workspace, stranger))
    assert (answer.status_code, set_by(answer)) == (401, {})
    both = {"cookie": f"{EARLIER}={stranger}; {workspace.cookie}={workspace.session_token}"}
    assert httpx.get(f"{workspace.url}/v1/auth/me", headers=both).status_code == 200


def test_signing_out_ends_every_session_that_the_browser_sends(workspace: Workspace) -> None:
    body = {"email": workspace.email, "password": PASSWORD}
    newer = httpx.post(f"{workspace.url}/v1/auth/login", json=body, headers={"x-forwarded-for": workspace.ip})
    token = newer.headers["x-session-token"]
    both = {"cookie": f"{EARLIER}={workspace.session_token}; {workspace.cookie}={token}"}
    answer = httpx.post(f"{workspace.url}/v1/auth/logout", headers=both)
    assert (answer.status_code, set_by(answer)) == (204, {workspace.cookie: "", EARLIER: ""})
    for ended in (workspace.session_token, token):
        assert workspace.get("/v1/auth/me", token=ended).status_code == 401


def test_signing_out_leaves_the_cookie_of_another_server(workspace: Workspace, tight_server: Server) -> None:
    stranger = sign_up(tight_server.url)
    both = {"cookie": f"{EARLIER}={stranger.session_token}; {workspace.cookie}={workspace.session_token}"}
    answer = httpx.post(f"{workspace.url}/v1/auth/logout", headers=both)
    assert set_by(answer) == {workspace.cookie: ""}
    assert stranger.get("/v1/auth/me").status_code == 200


def test_signing_out_everywhere_and_a_new_password_set_their_own_cookie(workspace: Workspace) -> None:
    body = {"current": PASSWORD, "new": "another long password"}
    changed = httpx.post(f"{workspace.url}/v1/auth/password", json=body, headers=cookie(workspace))
    token = changed.headers["x-session-token"]
    assert set_by(changed) == {workspace.cookie: token}
    ended = httpx.delete(f"{workspace.url}/v1/auth/sessions", headers=cookie(workspace, token))
    assert (ended.status_code, set_by(ended)) == (204, {workspace.cookie: "", EARLIER: ""})


def test_signing_out_everywhere_leaves_nobody_else_signed_in(workspace: Workspace) -> None:
    other = sign_up(workspace.url)
    both = {"cookie": f"{EARLIER}={other.session_token}; {workspace.cookie}={workspace.session_token}"}
    answer = httpx.delete(f"{workspace.url}/v1/auth/sessions", headers=both)
    assert (answer.status_code, set_by(answer)) == (204, {workspace.cookie: "", EARLIER: ""})
    assert other.get("/v1/auth/me").status_code == 401


def test_another_sites_page_gets_nothing_by_the_earlier_cookie(workspace: Workspace) -> None:
    headers = cookie(workspace) | {"origin": "https://evil.example"}
    body = {"name": "k", "environment": "production"}
    assert httpx.post(f"{workspace.url}/v1/keys", json=body, headers=headers).status_code == 403


@pytest.mark.long
def test_a_copy_that_became_its_own_installation_knows_who_was_signed_in(tmp_path: Path) -> None:
    data, restored = tmp_path / "data", tmp_path / "restored"
    with running(data) as original:
        person = sign_up(original.url)
    with running(data) as original:
        assert sign_up(original.url).cookie == person.cookie
    shutil.copytree(data, restored, symlinks=True)
    renew_installation(restored, IdGenerator().random_bytes)
    headers = cookie(person, name=person.cookie)
    with running(restored) as copy:
        answer = httpx.get(f"{copy.url}/v1/auth/me", headers=headers)
        [(name, token)] = set_by(answer).items()
        assert (answer.status_code, token) == (200, person.session_token)
        assert name != person.cookie
        assert set_by(httpx.post(f"{copy.url}/v1/auth/logout", headers=headers)) == {name: ""}
        assert httpx.get(f"{copy.url}/v1/auth/me", headers=headers).status_code == 401
