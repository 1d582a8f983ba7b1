"""Some of the data is gone, and a start refuses: nobody owns what is left (rules/safety#one-installation)."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from harness.clients.workspace import PASSWORD
from harness.servers.command import tallyroom
from harness.servers.site import MakeSite, Site

START = ("start.begin.after", "start.spool.after", "start.store.after")


@pytest.fixture
def site(make_site: MakeSite) -> Site:
    """A user, a key and two events, stored; the server is stopped."""
    site = make_site().begin()
    assert site.workspace.send({"events": [{"name": "n", "_actor": actor} for actor in "ab"]}).status_code == 202
    site.drained()
    assert site.server.stop() == 0
    return site


@contextmanager
def strangers(url: str) -> Iterator[list[int]]:
    """Somebody who tries to sign up again and again; hears which statuses they were answered."""
    answered: list[int] = []
    over = threading.Event()

    def try_to_sign_up() -> None:
        body = {"email": "x@example.com", "password": PASSWORD, "name": "X"}
        while not over.is_set():
            try:
                answered.append(httpx.post(f"{url}/v1/auth/signup", json=body, timeout=10).status_code)
            except httpx.HTTPError:
                over.wait(0.01)

    stranger = threading.Thread(target=try_to_sign_up)
    stranger.start()
    try:
        yield answered
    finally:
        over.set()
        stranger.join()


def refused(site: Site) -> str:
    """The one sentence of a start that is refused, during which nobody could sign up."""
    with strangers(site.server.url) as answered:
        site.server.output.clear()
        assert site.server.launch().wait() == 1
    assert answered == []
    [line] = site.server.output
    return line.removeprefix("tallyroom: ").strip()


def actors(site: Site) -> set[str]:
    return {actor["actorKey"] for actor in site.workspace.get("/v1/actors").json()["actors"]}


@pytest.mark.long
def test_an_emptied_metadata_file_makes_nobody_the_owner(site: Site, tmp_path: Path) -> None:
    metadata = site.data / "metadata.sqlite"
    shutil.copy2(metadata, tmp_path / "kept")
    metadata.write_bytes(b"")
    sentence = refused(site)
    assert "the metadata (metadata.sqlite) is empty" in sentence
    assert metadata.read_bytes() == b""
    shutil.copy2(tmp_path / "kept", metadata)
    site.start()
    assert actors(site) == {"a", "b"}


@pytest.mark.long
def test_going_on_without_the_event_store(site: Site) -> None:
    """What is lost stays known, and adds up."""
    shutil.rmtree(site.data / "events")
    assert "--accept-loss" in refused(site)
    site.server.flags = ("--accept-loss",)
    site.start()
    assert actors(site) == set()
    assert site.workspace.send({"name": "n", "_actor": "c"}).status_code == 202
    assert actors(site) == {"c"}
    site.drained()
    site.server.stop()
    examined = tallyroom("doctor", "--data", site.data)
    assert examined.returncode == 0, examined.stdout
    assert "3 acknowledged = 1 in the store + 0 queued + 0 put aside + 0 erased + 2 lost" in examined.stdout
    assert "the event store (events) is missing: 2 events are lost" in examined.stdout


@pytest.mark.long
@pytest.mark.parametrize("first", [False, True])
def test_killed_while_the_epoch_moves(make_site: MakeSite, *, first: bool) -> None:
    site = make_site()
    if not first:
        site.begin().server.kill()
    for failpoint in START:
        site.run_into(f"{failpoint}=kill")
    site.start()
    assert site.server.ready_within(5)
