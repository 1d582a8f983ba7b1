"""Data directories of servers that ran, made once by one process; each test works on a copy."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from harness.servers.child import WITH_HARNESS, run_child
from harness.suite.once import made_once

# Two starts of one server and one of another. `early` is the first as it was after its first stop.
_RUN = """
import asyncio, shutil, sys
from pathlib import Path
from harness.builders.owner import add_owner
from tallyroom.core.settings import Settings
from tallyroom.ingest.validation.event import Event
from tallyroom.server.opening import open_services
from tallyroom.storage.event_store.scope import Scope

home = Path(sys.argv[1])
scope = Scope("019aa0b0-0000-7000-8000-000000000000", "production")

async def run(name, count):
    services = open_services(Settings(data=str(home / name), disk_reserve_bytes=0, stop_seconds=5))
    now = services.clock.now_ms()
    events = [Event(f"e{n}", "ann", "", "", now, b"{}") for n in range(count)]
    await services.acceptor.accept(scope, "paid", events, now, None)
    await services.close()
    add_owner(home / name)

asyncio.run(run("late", 3))
shutil.copytree(home / "late", home / "early", symlinks=True)
asyncio.run(run("late", 2))
asyncio.run(run("other", 4))
"""


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directories `early`, `late` (both of one server) and `other`."""
    return made_once(tmp_path_factory, "ran", lambda home: run_child(_RUN, home, **WITH_HARNESS))


@pytest.fixture
def data(ran: Path, tmp_path: Path) -> Path:
    """`late`: a user, five acknowledged events, all of them stored, two starts."""
    return copied(ran / "late", tmp_path / "data")


@pytest.fixture
def old_data(data: Path) -> Path:
    """The same, as a version left it that knew neither installations nor epochs."""
    changes = {
        "metadata.sqlite": "DROP TABLE installation; DROP TABLE losses; DROP TABLE sign_in_links;"
        " ALTER TABLE environments DROP COLUMN display_name; DROP TABLE personal_tokens; DROP INDEX uq_annotations_key; ALTER TABLE annotations DROP COLUMN key;"
        " DROP TABLE digest_letters; DROP TABLE digest_sendings; DROP TABLE digest_recipients; DROP TABLE digests;"
        " DROP TABLE alert_activity; DROP TABLE incidents; DROP TABLE alert_recipients; DROP TABLE alerts;"
        " DROP TABLE deliveries; DROP TABLE alert_channels; DROP TABLE external_sources; DROP TABLE scheduled_jobs;"
        " ALTER TABLE dashboards DROP COLUMN filters; ALTER TABLE widgets DROP COLUMN ignores_dashboard_filters;"
        " DROP TABLE mail_outbox; DROP TABLE work_items; DROP TABLE idempotency_keys; DROP TABLE event_grants; DROP TABLE shared_erasures; DROP TABLE erasure_parts;"
        " ALTER TABLE bots DROP COLUMN counter_source; ALTER TABLE bots DROP COLUMN counter_source_ms;"
        " ALTER TABLE bots DROP COLUMN server_count_is_whole; ALTER TABLE bots DROP COLUMN shards_ms;"
        " ALTER TABLE widgets DROP COLUMN publish_rows; DROP TABLE familiar_places; DROP TABLE property_read_totals;"
        " UPDATE alembic_version SET version_num = '0005_public_listings'",
        "spool.sqlite": "DROP TABLE stamp; DROP TABLE stock; DROP TABLE erasure_stock;"
        " DELETE FROM number WHERE name IN ('lost', 'stocked'); PRAGMA user_version = 1",
    }
    for name, change in changes.items():
        with closing(sqlite3.connect(data / name)) as connection:
            connection.executescript(change)
    (data / "events" / "installation.json").unlink()
    return data


@pytest.fixture
def replace(ran: Path, data: Path) -> Callable[[str, str], None]:
    """Put a part of another directory in the place of that of `data`."""

    def replace(part: str, by: str) -> None:
        remove(data / part)
        copied(ran / by / part, data / part)

    return replace


def copied(source: Path, target: Path) -> Path:
    """A copy of a file or a folder."""
    if source.is_dir():
        return shutil.copytree(source, target, symlinks=True)
    return Path(shutil.copy2(source, target))


def remove(path: Path) -> None:
    """Delete a file or a folder."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
