"""A start that would do harm is refused, and leaves everything as it was (rules/safety#one-installation)."""

import hashlib
import shutil
import sqlite3
import time
from pathlib import Path

import pytest

from harness.servers.command import call, refusal
from harness.servers.server import Server
from harness.servers.site import MakeSite
from harness.stores.directory_counts import run_python
from harness.suite.patience import PATIENCE


def refused(server: Server) -> str:
    """Launch a server that refuses to start and return its one sentence."""
    server.launch()
    deadline = time.monotonic() + PATIENCE
    while server.process.poll() is None and " listens on " not in server.text() and time.monotonic() < deadline:
        time.sleep(0.02)
    if server.process.poll() is None:
        server.kill()
        pytest.fail(f"the start was not refused:\n{server.text()}")
    code = server.wait()
    assert code == 1, server.text()
    text = server.text()
    assert "Traceback" not in text, text
    assert text.startswith("tallyroom: "), text
    assert len(text.strip().splitlines()) == 1, text
    return text


def fingerprints(data: Path) -> dict[str, str]:
    """A hash of every file of a directory whose server does not run, SQLite's passing files left out."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in data.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm")) and path.name != "server.lock"
    }


@pytest.mark.long  # the refusal itself: test_server.py
def test_a_second_server_is_refused_and_harms_nothing(make_site: MakeSite) -> None:
    site = make_site().begin()
    load = site.load(pause=0.02)
    load.wait_for(202)
    sentence = refused(Server(site.data))
    assert str(site.data) in sentence
    assert str(site.server.process.pid) in sentence
    load.wait_for(202, 5)
    site.server.kill()
    site.start()  # the lock of the killed one is gone; that of a stopped one: test_server.py
    load.wait_for(202, 5)
    load.finish()
    assert set(load.statuses) <= {202, 0}, load.statuses
    site.account()


def test_failpoints_are_refused_outside_a_test(tmp_path: Path) -> None:
    done = call("serve", "--data", tmp_path / "data", testing="false", failpoints="store.insert=error")
    assert "TALLYROOM_FAILPOINTS" in refusal(done)
    assert not (tmp_path / "data").exists()


@pytest.mark.long
def test_unknown_failpoints_are_refused(tmp_path: Path) -> None:
    assert "store.insrt=error" in refused(Server(tmp_path / "data", failpoints="store.insrt=error"))


_NEWER_STORE = """
import sys
from pathlib import Path
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.writer import Writer
writer = Writer(EmbeddedBackend(Path(sys.argv[1]) / "events"))
writer.command("INSERT INTO schema_migrations (version) VALUES (999)")
writer.close()
"""


def newer(data: Path, part: str) -> None:
    """Make one part of the directory look as if a later version had written it."""
    if part == "store":
        run_python(_NEWER_STORE, str(data))
        return
    name, change = {
        "spool": ("spool.sqlite", "PRAGMA user_version = 999"),
        "metadata": ("metadata.sqlite", "UPDATE alembic_version SET version_num = '9999'"),
    }[part]
    with sqlite3.connect(data / name) as connection:
        connection.execute(change)
    connection.close()


@pytest.mark.long  # each part by itself: store/test_migrate.py, db/test_migrate.py and installation/test_refusal.py
def test_a_directory_of_a_newer_version_is_refused(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site()
    site.start()
    site.server.stop()
    for part in ("store", "metadata", "spool"):
        data = Path(shutil.copytree(site.data, tmp_path / part, symlinks=True))
        newer(data, part)
        before = fingerprints(data)
        sentence = refused(Server(data))
        assert "schema" in sentence
        assert "999" in sentence
        if part != "store":  # ClickHouse rewrites files of its own at each start
            assert {name: before[name] for name in before if "/events/" not in name} == {
                name: found for name, found in fingerprints(data).items() if "/events/" not in name
            }
