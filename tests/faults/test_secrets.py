"""No key, session token or password is written down: not in the log, not in any file (rules/safety#secrets-at-rest).

Every other test of this folder ends with the same search (conftest.py).
"""

from pathlib import Path

import httpx
import pytest

from harness.clients.workspace import PASSWORD
from harness.servers.site import MakeSite, Site, find_secrets


def leave_traces(site: Site, token: str) -> None:
    """Put the secrets where clients put them by mistake."""
    key, session, url = site.workspace.key, site.workspace.session_token, site.server.url
    login = {"email": site.workspace.email, "password": PASSWORD}
    with httpx.Client(base_url=url, timeout=10) as client:
        for secret in (key, session, token):
            client.get("/v1/actors", params={"token": secret, "timeRange": secret})
            client.get(f"/v1/actors/{secret}", headers={"authorization": f"Bearer {secret}"})
            client.get(f"/{secret}")
            client.get("/v1/actors", headers={"authorization": secret})
            client.post("/v1/events", content=b"{", headers={"authorization": f"Bearer {secret}", "x-key": secret})
            client.post(f"/v1/events?key={secret}", json={"name": "n"}, headers={"authorization": f"Basic {secret}"})
        assert client.post("/v1/auth/login", json=login).status_code == 200
        for wrong in (login | {"extra": 1}, login | {"email": PASSWORD}, [PASSWORD]):
            assert client.post("/v1/auth/login", json=wrong).status_code >= 400
        client.post("/v1/auth/signup", json=login | {"name": PASSWORD * 50})
        client.post("/v1/auth/login", content=f'{{"password": "{PASSWORD}"'.encode())


def begin_to_fail(make_site: MakeSite) -> Site:
    """A server that writes down as much as it can, and has reasons to."""
    return make_site(log_level="debug", stop_seconds="1").begin("spool.commit.after=error@3,store.insert.after=error")


def check_that_nothing_is_written_down(site: Site, token: str) -> None:
    output = site.server.text()
    assert "Traceback" in output or '"level": "ERROR"' in output, "nothing went wrong enough to be logged"
    assert find_secrets(site.data, output, [*site.secrets(), token.encode()]) == []


def test_nothing_secret_is_written_down(make_site: MakeSite) -> None:
    site = begin_to_fail(make_site)
    assert [site.workspace.send({"name": "n"}).status_code for _ in range(4)] == [202, 202, 503, 503]
    token, _ = site.workspace.make_token("read", "export")
    leave_traces(site, token)
    site.server.kill()
    check_that_nothing_is_written_down(site, token)


@pytest.mark.long
def test_nor_under_load_by_a_server_that_was_killed(make_site: MakeSite) -> None:
    site = begin_to_fail(make_site)
    load = site.load()
    load.wait_for(503, 3)
    token, _ = site.workspace.make_token("read", "export")
    leave_traces(site, token)
    site.server.kill()
    site.start()
    leave_traces(site, token)
    load.finish()
    site.account()
    check_that_nothing_is_written_down(site, token)


def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(b"\0\xfftrs_secret\0")
    (tmp_path / "other").write_bytes(b"trs_secre")
    found = find_secrets(tmp_path, 'line {"x": "tr_live_secret"}', [b"trs_secret", b"tr_live_secret"])
    assert found == ["the output", str(tmp_path / "deep" / "file")]
