"""The servers, the spools of this host, and those of others, whether or not workers run."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import asyncpg
import msgspec
import pytest

from harness.servers.one_of_several import Several, send
from tallyroom.core.clock import SystemClock
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.local_store_access import LocalStoreAccess
from tallyroom.operations.backup.progress import NoProgress
from tallyroom.operations.control_socket.listener import ControlSocket
from tallyroom.operations.control_socket.reach import connect_to_server
from tallyroom.operations.doctor.findings import Finding
from tallyroom.operations.doctor.workers import examine_workers
from tallyroom.server.services import Services
from tallyroom.storage.event_store.backend.opening import open_backend
from tallyroom.storage.event_store.clones import Clones, drop_all_clones, list_clones
from tallyroom.storage.event_store.writer import Writer

SUM = "{0} acknowledged = {1} in the store + {2} queued + 0 put aside + 0 erased"


def look(settings: Settings, *, quick: bool = True) -> dict[str, list[Finding]]:
    """The findings by subject."""
    found: dict[str, list[Finding]] = {}
    for finding in examine_workers(connect_to_server, settings, SystemClock(), NoProgress(), quick=quick):
        found.setdefault(finding.subject, []).append(finding)
    return found


async def look_while_workers_run(settings: Settings) -> dict[str, list[Finding]]:
    return await asyncio.to_thread(look, settings)


def broken(found: dict[str, list[Finding]]) -> list[str]:
    return [finding.text for findings in found.values() for finding in findings if finding.state == "broken"]


def delete(several: Several, where: str) -> None:
    with closing(Writer(open_backend(several.settings("a")))) as writer:
        writer.command(f"ALTER TABLE events DELETE WHERE {where} SETTINGS mutations_sync = 2")


@contextmanager
def listening(services: Services) -> Iterator[None]:
    """The worker answers commands, as one that serves."""
    parts = services.spool, services.writer, services.drain, services.listing_outbox, services.completeness_check
    socket = ControlSocket(services.settings.data_dir, LocalStoreAccess(services.settings.data_dir, *parts), str)
    socket.open()
    try:
        yield
    finally:
        socket.close()


@pytest.mark.long
async def test_workers_that_do_not_run(several: Several) -> None:
    await several.once("a")
    await several.once("b")
    found = look(several.settings("a"), quick=False)
    assert broken(found) == []
    assert {subject for subject, findings in found.items() if {each.state for each in findings} != {"ok"}} == {
        *("limits", "disk", "mail", "backup")
    } - ({"disk"} if found["disk"][0].state == "ok" else set())
    [events] = found["events"]
    assert events.text == f"{SUM.format(2, 2, 0)}, of 2 spools"
    assert found["workers"][0].text == "none is running"
    assert [each.text for each in found["worker"]] == [
        f"{several.folder / name} is not running; 0 events are queued in its spool" for name in ("a", "b")
    ]
    assert found["store"][0].text.endswith("read, all undamaged")
    assert [each.text for each in found["spool"]] == [
        f"{several.folder / name}: spool.sqlite is undamaged" for name in "ab"
    ]


async def test_workers_that_run(several: Several, operator: asyncpg.Connection) -> None:
    async with several.opened("a") as one, several.opened("b") as other:
        await send(one, "ann", "bob")
        await send(other, "ann")
        with listening(one), listening(other):
            found = await look_while_workers_run(several.settings("a"))
        await operator.execute("UPDATE workers SET settings = 'others' WHERE spool = $1", one.spool.identity)
        different = await look_while_workers_run(several.settings("none"))
    assert broken(found) == []
    assert "do not all have the same settings" in different["settings"][0].text
    assert found["events"][0].text == f"{SUM.format(3, 3, 0)}, of 2 spools"
    assert found["workers"][0].text.startswith("2 on ")
    assert all("runs as process" in each.text for each in found["worker"])


@pytest.mark.long
async def test_a_loss_is_told_of_its_spool(several: Several) -> None:
    spool, _ = await several.once("a")
    await several.once("b")
    delete(several, f"spool = {spool}")
    [text] = broken(look(several.settings("b")))
    assert text == f"{several.folder / 'a'}: {SUM.format(1, 0, 0)}: 1 are missing from the store."


@pytest.mark.long
async def test_a_directory_that_is_gone_a_copy_and_one_of_others(several: Several) -> None:
    await several.once("a")
    await several.once("b")
    shutil.copytree(several.folder / "b", several.folder / "host" / "workers" / "0")
    await several.once("b")
    shutil.rmtree(several.folder / "a")
    texts = broken(look(several.settings("host")))
    assert len(texts) == 2
    assert f"{several.folder / 'a'} is incomplete: the spool (spool.sqlite) is missing" in texts[0]
    assert "workers/0 is incomplete: the spool (spool.sqlite) is an older copy" in texts[1]


@pytest.mark.long
async def test_spools_of_other_hosts_are_taken_at_their_word(several: Several, operator: asyncpg.Connection) -> None:
    spool, _ = await several.once("a")
    async with several.opened("b") as other:
        await send(other, "bob", "cyd")
        await operator.execute("UPDATE spools SET host = 'elsewhere'")
        await operator.execute("UPDATE workers SET host = 'elsewhere'")
        found = await look_while_workers_run(several.settings("none"))
        assert broken(found) == []
        assert found["events"][0].text == f"{SUM.format(3, 3, 0)}, of 2 spools"
        assert [each.text for each in found["workers"] if each.state == "warning"] == [
            f"No worker is using the spool {spool}, last in use on elsewhere in {several.folder / 'a'}."
        ]
        delete(several, "actor = 'bob'")
        assert broken(await look_while_workers_run(several.settings("none"))) == [
            f"{other.spool.identity} on elsewhere: {SUM.format(2, 1, 0)}: 1 are missing from the store."
        ]


@pytest.mark.long
async def test_a_spool_that_was_adopted(several: Several, operator: asyncpg.Connection) -> None:
    spool, _ = await several.once("a")
    await several.once("b")
    await operator.execute("UPDATE spools SET state = 'adopted' WHERE identity = $1", spool)
    found = look(several.settings("a"))
    assert broken(found) == []
    assert found["data"][0].text == f"The spool in {several.folder / 'a'} was adopted."
    assert [each.text for each in found["events"]] == [
        f"{SUM.format(1, 1, 0)}; 1 more came through another spool, of 1 spools",
        f"No worker is responsible for 1 events that came through the spool {spool}.",
    ]


@pytest.mark.long
async def test_what_waits_what_is_lost_and_what_a_backup_has_left(
    several: Several, operator: asyncpg.Connection
) -> None:
    spool, _ = await several.once("a")
    before = look(several.settings("a"))["store"]
    await operator.execute("INSERT INTO shared_erasures VALUES ('e', 'w', 'production', 'ann', 0, 5)")
    await operator.execute("INSERT INTO erasure_parts VALUES ('e', $1)", spool)
    await operator.execute("INSERT INTO losses (at_ms, what) VALUES (5, 'the spool is missing')")
    with closing(Writer(open_backend(several.settings("a")))) as writer:
        Clones(writer, "x").create(["events"])
    found = look(several.settings("a"))
    assert found["erasure"][0].text == (
        f"The erasure requested at 1970-01-01 00:00 UTC is waiting for the workers of these spools: {spool}."
    )
    assert found["lost"][0].text == "When the server started at 1970-01-01 00:00 UTC, the spool is missing."
    assert found["backup"][0].text == "The event store has tables of a backup that is running or was killed: 1."
    assert found["store"] == before, "a part of a clone was read"
    with closing(Writer(open_backend(several.settings("a")))) as writer:
        drop_all_clones(writer)
        assert list_clones(writer) == []


@pytest.mark.long
async def test_a_server_that_is_away_does_not_hide_the_rest(several: Several) -> None:
    await several.once("a")
    for servers, subject in (
        ({"db_dsn": "postgresql://nobody@127.0.0.1:1/none"}, "metadata"),
        ({"events_dsn": "clickhouse://w:x@127.0.0.1:1/none"}, "store"),
        ({"limits_dsn": "redis://127.0.0.1:1/0"}, "limits"),
    ):
        found = look(msgspec.structs.replace(several.settings("a"), **servers))
        assert "does not respond" in found[subject][0].text
        assert found["spool"][0].state == "ok"
        assert ("events" in found) == (subject == "limits")


@pytest.mark.long
def test_nothing_has_started_on_the_servers_yet(several: Several, tmp_path: Path) -> None:
    found = look(several.settings("none"))
    assert "events" not in found
    assert list((tmp_path).glob("none")) == []
