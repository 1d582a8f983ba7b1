"""A full disk refuses with 503, loses nothing, and is forgotten when space is free again (rules/safety#full-disk)."""

import os
import resource
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from harness.clients.load import BROKEN, Load
from harness.servers.site import MakeSite, Site
from harness.servers.small_disk import NoNamespaces, SmallDisk, small_disk
from harness.suite.patience import PATIENCE

_ALMOST_NOTHING = 600_000
_STORE_NEEDS = 3_000_000  # ClickHouse refuses an insert before the last byte is used


def mount(stack: ExitStack, mounts: Mapping[Path, int]) -> SmallDisk:
    try:
        return stack.enter_context(small_disk(mounts))
    except NoNamespaces as error:
        pytest.skip(f"{error}; test_files_that_may_not_grow stands in")


def fill(site: Site) -> Load:
    return site.load(pause=0, padding=3000)


def recovers(site: Site, load: Load, free: Callable[[], object]) -> None:
    """Without a restart, once `free` has made room. The load ends first: it would fill that, too."""
    load.begin_no_more()
    free()
    freed = time.monotonic()
    load.finish()
    actors = [f"{site.seed}-after-{number}" for number in range(3)]
    site.ledger.send(actors)
    while site.workspace.send({"events": [{"name": "n", "_actor": actor} for actor in actors]}).status_code != 202:
        assert time.monotonic() - freed < PATIENCE, site.server.text()[-2000:]
    site.ledger.ack(actors)
    site.drained()
    assert time.monotonic() - freed < PATIENCE
    assert set(load.statuses) <= {202, 503, BROKEN}, load.statuses
    assert not load.statuses[BROKEN], "a connection broke although the server ran"


@pytest.mark.long
def test_spool_and_store_on_a_full_disk(make_site: MakeSite, mounted: ExitStack, tmp_path: Path) -> None:
    data = tmp_path / "data"
    disk = mount(mounted, {data: 64})
    site = make_site(disk=disk, disk_reserve_bytes="0").begin()
    ballast = disk.add_ballast(data, 40)
    load = fill(site)
    load.wait_for(503, 20)
    assert disk.free(data) < _ALMOST_NOTHING, "the disk is not full"
    assert "disk is full" in site.server.text()
    assert site.workspace.get("/v1/actors", limit=1).status_code in {200, 503}
    assert httpx.get(f"{site.server.url}/healthz").status_code == 200
    recovers(site, load, ballast.unlink)
    site.account()


@pytest.mark.long
@pytest.mark.parametrize("frees", [[0], [0, 56 * 1024]])
def test_what_people_change_and_a_start_on_a_full_disk(
    make_site: MakeSite, mounted: ExitStack, tmp_path: Path, frees: list[int]
) -> None:
    """A start where nothing is free, and where the event store still opens and the spool does not."""
    data = tmp_path / "data"
    disk = mount(mounted, {data: 48})
    site = make_site(disk=disk, disk_reserve_bytes="0").begin()
    assert site.workspace.send({"name": "n", "_actor": "before"}).status_code == 202
    key = {"name": "k", "environment": "production"}
    with site.workspace.client() as client:
        ballast = disk.fill(data)
        refused = client.post("/v1/keys", json=key)
        assert (refused.status_code, refused.json()["error"]) == (503, "unavailable")
        assert int(refused.headers["retry-after"]) > 0
        assert len(client.get("/v1/keys").json()["keys"]) == 1
        ballast.unlink()
        assert client.post("/v1/keys", json=key).status_code == 201
    assert site.server.stop() == 0
    ballast = disk.fill(data)
    for free in frees:
        os.truncate(ballast, ballast.stat().st_size - free)
        site.server.output.clear()
        assert site.server.launch().wait() == 1
        [line] = site.server.output
        assert line.startswith(f"tallyroom: The disk of the data directory {data} is full, with ")
        assert line.endswith("free some space and start again. Nothing is lost.\n")
    ballast.unlink()
    site.start()
    assert site.workspace.get("/v1/actors").json()["actors"][0]["actorKey"] == "before"


@pytest.mark.long
def test_a_first_start_on_a_full_disk(make_site: MakeSite, mounted: ExitStack, tmp_path: Path) -> None:
    """It is no obstacle to the next."""
    data = tmp_path / "data"
    disk = mount(mounted, {data: 40})
    ballast = disk.fill(data)
    os.truncate(ballast, ballast.stat().st_size - 1_000_000)
    site = make_site(disk=disk, disk_reserve_bytes="0")
    assert site.server.launch().wait() == 1
    [line] = site.server.output
    assert line.startswith(f"tallyroom: The disk of the data directory {data} is full, with ")
    ballast.unlink()
    site.start()


@pytest.mark.long
def test_only_the_spool_is_full(make_site: MakeSite, mounted: ExitStack, tmp_path: Path) -> None:
    data = tmp_path / "data"
    disk = mount(mounted, {data: 32, data / "events": 100})
    site = make_site(disk=disk, disk_reserve_bytes="0").begin("store.insert=block:3")
    ballast = disk.add_ballast(data, 16)
    load = fill(site)
    load.wait_for(503, 20)
    assert disk.free(data) < _ALMOST_NOTHING, "the disk is not full"
    recovers(site, load, ballast.unlink)
    site.account()


@pytest.mark.long
def test_only_the_store_is_full(make_site: MakeSite, mounted: ExitStack, tmp_path: Path) -> None:
    """The spool has room: ingest goes on and the backlog waits."""
    events = tmp_path / "data" / "events"
    disk = mount(mounted, {events: 48})
    site = make_site(disk=disk, disk_reserve_bytes="0").begin()
    ballast = disk.add_ballast(events, 45)
    load = site.load(pause=0.01, padding=3000)
    load.wait_for(202, 250)
    load.finish()
    assert set(load.statuses) == {202}, load.statuses
    assert disk.free(events) < _STORE_NEEDS, "the store's disk is not full"
    ballast.unlink()
    site.drained()
    site.account()


@pytest.mark.long
def test_killed_on_a_full_disk(make_site: MakeSite, mounted: ExitStack, tmp_path: Path) -> None:
    data = tmp_path / "data"
    disk = mount(mounted, {data: 64})
    site = make_site(disk=disk, disk_reserve_bytes="0").begin()
    ballast = disk.add_ballast(data, 40)
    load = fill(site)
    load.wait_for(503, 20)
    for _ in range(3):
        site.server.kill()
        try:
            site.start()
        except AssertionError:  # it may refuse to start on a full disk, in a sentence
            assert "Traceback" not in site.server.text(), site.server.text()[-2000:]
    load.begin_no_more()
    ballast.unlink()
    site.server.kill()
    site.start()
    load.finish()
    assert set(load.statuses) <= {202, 503, BROKEN}, load.statuses
    site.account()


@pytest.mark.long
def test_files_that_may_not_grow(make_site: MakeSite) -> None:
    """Each write beyond three MB fails as on a broken disk (EFBIG), until the limit is lifted."""
    site = make_site(limits="-S -f 3000").begin()
    load = fill(site)
    load.wait_for(503, 20)
    assert "spool commit failed" in site.server.text()
    pid = site.server.process.pid
    endless = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    recovers(site, load, lambda: resource.prlimit(pid, resource.RLIMIT_FSIZE, endless))
    site.account()


@pytest.mark.long
def test_below_the_low_water_mark(make_site: MakeSite) -> None:
    site = make_site().begin()
    assert site.workspace.send({"name": "n", "_actor": "before"}).status_code == 202
    site.ledger.send(["before"])
    site.ledger.ack(["before"])
    site.server.stop()
    site.start(disk_reserve_bytes=str(10**15))
    refused = site.workspace.send({"name": "n", "_actor": "refused"})
    assert (refused.status_code, refused.json()["error"]) == (503, "unavailable")
    assert int(refused.headers["retry-after"]) > 0
    ready = httpx.get(f"{site.server.url}/readyz")
    assert (ready.status_code, ready.json()["status"]) == (503, "unavailable")
    assert "disk" in ready.json()["checks"]["disk"]
    assert site.workspace.get("/v1/actors").json()["actors"][0]["actorKey"] == "before"
    site.account()
