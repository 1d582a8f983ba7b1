"""The data directory is moved, deleted or replaced while the server runs (rules/safety#moved-directory)."""

import shutil

import httpx
import pytest

from harness.clients.load import BROKEN
from harness.servers.site import MakeSite, Site
from harness.suite.patience import PATIENCE
from tallyroom.core.data_directory import CONTROL_SOCKET, STORE_FOLDER


def astray(site: Site) -> httpx.Response:
    """The readiness once the server has noticed."""
    answer = httpx.get(f"{site.server.url}/readyz", timeout=10)
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable"), answer.text
    return answer


def refuses(site: Site) -> None:
    """Whatever needs the data is answered 503, and what does not is answered."""
    with site.workspace.client() as client:
        answers = [
            site.workspace.send({"name": "refused"}),
            site.workspace.get("/v1/actors"),
            client.post("/v1/keys", json={"name": "second", "environment": "production"}),
            client.get("/v1/dashboards"),
        ]
    assert [answer.status_code for answer in answers] == [503] * 4, [answer.text for answer in answers]
    assert all("data directory" in answer.json()["message"] for answer in answers)
    assert all(int(answer.headers["retry-after"]) > 0 for answer in answers)
    assert httpx.get(f"{site.server.url}/healthz").status_code == 200
    assert httpx.get(f"{site.server.url}/metrics").status_code == 200


@pytest.mark.parametrize("times", [1, pytest.param(3, marks=pytest.mark.long)])
def test_moved_under_load_and_moved_back_and_then_the_store_alone(make_site: MakeSite, times: int) -> None:
    site = make_site().begin()
    away = site.data.with_name("away")
    load = site.load(pause=0.01)
    load.wait_for(202, 20)
    for _ in range(times):
        site.data.rename(away)
        load.wait_for(503, 5)
        assert "the data directory" in astray(site).json()["checks"]["data"]
        refuses(site)
        assert not site.data.exists(), [str(path) for path in site.data.rglob("*")]
        away.rename(site.data)
        load.wait_for(202, 20)
    (site.data / STORE_FOLDER).rename(away)
    load.wait_for(503, 3)
    assert "events was moved or deleted" in astray(site).text
    assert site.workspace.get("/v1/actors").status_code == 503
    assert not (site.data / STORE_FOLDER).exists()
    away.rename(site.data / STORE_FOLDER)
    load.wait_for(202, 10)
    load.finish()
    assert set(load.statuses) <= {202, 503, BROKEN}, load.statuses
    assert site.server.ready_within(PATIENCE)
    site.account()


@pytest.mark.long
def test_deleted_for_good(make_site: MakeSite) -> None:
    site = make_site().begin()
    assert site.workspace.send({"name": "one"}).status_code == 202
    while site.data.exists():  # a store that writes meanwhile makes new files where others are gone
        shutil.rmtree(site.data, ignore_errors=True)
    assert site.workspace.send({"name": "two"}).status_code == 503
    astray(site)
    refuses(site)
    assert site.server.stop() == 0
    assert not site.data.exists(), [str(path) for path in site.data.rglob("*")]
    assert "Traceback" not in site.server.text(), site.server.text()


@pytest.mark.long
def test_another_in_its_place_is_left_alone(make_site: MakeSite) -> None:
    site = make_site().begin()
    site.workspace.send({"name": "one"})
    site.drained()
    away = site.data.with_name("away")
    site.data.rename(away)
    site.data.mkdir()
    names = [path.name for path in away.iterdir()]
    for name in names:
        (site.data / name).write_text(f"another's {name}")
    astray(site)
    refuses(site)
    assert site.server.stop() == 0
    assert {path.name: path.read_text() for path in site.data.iterdir()} == {n: f"another's {n}" for n in names}
    shutil.rmtree(site.data)
    (away / CONTROL_SOCKET).unlink(missing_ok=True)
    away.rename(site.data)
    site.start()
    assert site.metric("events_acked_total") == 1
    assert site.server.stop() == 0
