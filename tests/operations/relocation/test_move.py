"""Nothing is lost or doubled, wherever it is interrupted, and only one place can be used."""

import os
import signal
from base64 import urlsafe_b64encode
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select

from harness.clients.migrate_store_command import WORKER, Relocating
from harness.servers.events_server import FrontServer
from harness.servers.http_front import Fault
from harness.servers.one_of_several import SCOPE, send
from tallyroom.core.data_directory import SPOOL_FILE, DataDirectoryUnusable, hold_directory
from tallyroom.core.errors import TallyroomError
from tallyroom.operations.backup.progress import NoProgress
from tallyroom.operations.installation.inspection import inspect_installation
from tallyroom.operations.installation.refusal import IncompleteInstallation
from tallyroom.operations.relocation.to_servers import MoveToServers
from tallyroom.server.opening import open_services
from tallyroom.storage.event_store.backend.opening import open_backend
from tallyroom.storage.event_store.migrate import migrate
from tallyroom.storage.event_store.part_check import count_events_by_spool
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.models import Bot, EventGrant, IdempotencyKey
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.stamp import Stamp


async def assert_all_is_there(relocating: Relocating) -> None:
    """The store has what it had; worker 0 starts on the spool, and delivers the queue."""
    assert relocating.found() == relocating.kept
    with pytest.raises(DataDirectoryUnusable, match="has moved to servers"), hold_directory(relocating.old):
        pass
    async with relocating.several.opened(WORKER) as services:
        assert await services.drain.wait_settled(30)
        numbers = services.completeness_check.count_events(is_settled=True).spool_counts
        assert (numbers.acknowledged, numbers.queued, numbers.dead_letters) == (247, 0, 2)
        assert count_events_by_spool(services.writer) == {services.spool.identity: 245}
        await send(services, "zoe")
        assert services.hidden_events.has_hidden_events(SCOPE)
        async with services.database.session(write=False) as db:
            (bot,) = await db.scalars(select(Bot))
            assert services.vault.decrypt(bot.webhook_secret or "") == "hush"
            (key,) = await db.scalars(select(IdempotencyKey))
            assert (key.key, key.spool, key.accepted) == ("k1", services.spool.identity, 200)
            grants = {row.workspace_id: row.used for row in await db.scalars(select(EventGrant))}
            assert grants[SCOPE.workspace_id] >= 245


@pytest.mark.long
async def test_all_of_it_moves(relocating: Relocating) -> None:
    done = relocating.move()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].startswith("Event store: 240 events are on the server")
    again = relocating.move()
    assert (again.returncode, again.stderr) == (0, "")
    assert "was already moved" in again.stdout
    await assert_all_is_there(relocating)


KILLS = ["move.block.after=kill@1", "move.block.after=kill@9"]
KILLS += [f"move.{step}.after=kill" for step in ("store", "spool", "mark", "metadata")]


@pytest.mark.long
@pytest.mark.parametrize("failpoint", KILLS)
async def test_it_is_killed_and_goes_on(relocating: Relocating, failpoint: str) -> None:
    assert relocating.move(failpoint).returncode == -signal.SIGKILL
    if "metadata" not in failpoint:
        with pytest.raises(IncompleteInstallation, match="has no users"):
            open_services(relocating.several.settings(WORKER), accept_loss=True)
    done = relocating.move()
    assert (done.returncode, done.stderr) == (0, "")
    assert ("was already moved" in done.stdout) == ("metadata" in failpoint)
    again = relocating.move()
    assert (again.returncode, again.stderr) == (0, "")
    assert "was already moved" in again.stdout
    await assert_all_is_there(relocating)


@pytest.mark.long
async def test_a_block_that_the_server_lost_is_noticed(relocating: Relocating, events_server: FrontServer) -> None:
    events_server.let(Fault(kind="said", on="INSERT INTO events", skipped=3))
    done = relocating.move()
    assert done.returncode == 1
    assert "The copy of the table events differs" in done.stderr
    with hold_directory(relocating.old):
        assert not (relocating.new / "workers" / "0" / SPOOL_FILE).exists()


@pytest.mark.long
async def test_what_somebody_changed_meanwhile_is_copied_again(relocating: Relocating) -> None:
    assert relocating.move("move.store.after=kill").returncode == -signal.SIGKILL
    with closing(Writer(open_backend(relocating.several.settings(WORKER)))) as writer:
        writer.command("ALTER TABLE events DELETE WHERE seq = 7")
        writer.command("INSERT INTO hidden_events SELECT * FROM hidden_events")
        writer.command("INSERT INTO actor_labels SELECT workspace_id, 'other', actor, newest FROM actor_labels")
        writer.command("ALTER TABLE bot_counters_daily DELETE WHERE true")
    assert relocating.move().returncode == 0
    await assert_all_is_there(relocating)


@pytest.mark.long
async def test_a_server_that_is_away_or_hangs_up_loses_and_doubles_nothing(
    relocating: Relocating, events_server: FrontServer
) -> None:
    events_server.let(Fault(kind="failed", on="INSERT INTO events", skipped=5, text="Code: 242. It is read-only."))
    done = relocating.move()
    assert done.returncode == 1
    assert "It is read-only." in done.stderr
    assert done.stderr.endswith("Nothing is lost. Run the command again to continue.\n")
    assert done.stderr.count("\n") == 1
    events_server.let(Fault(kind="lost", on="INSERT INTO events", skipped=5))
    assert relocating.move().returncode == 0
    await assert_all_is_there(relocating)


def installation_of(data: Path) -> str:
    stamp = inspect_installation(data, must_check_damage=False).metadata.stamp
    assert stamp is not None
    return stamp.installation


def refused(relocating: Relocating, old: Path | None = None, **changes: str) -> str:
    """What the move says against what is there; everything that it refuses, it refuses before it opens the store."""
    settings = msgspec.structs.replace(relocating.several.settings("new"), **changes)
    with pytest.raises(TallyroomError) as error:
        MoveToServers(old or relocating.old, settings, NoProgress()).run()
    assert error.value.message.count("Nothing was changed.") == 1
    with hold_directory(relocating.old):
        return error.value.message


@pytest.mark.long
async def test_what_cannot_move_or_not_there_is_refused(relocating: Relocating, tmp_path: Path) -> None:
    assert "has no server data" in refused(relocating, tmp_path / "none")
    assert "must not be in" in refused(relocating, data=str(relocating.old))
    assert "must not be in" in refused(relocating, data=str(relocating.old / "new"))
    other_key = urlsafe_b64encode(b"1" * 32).decode()
    assert "is not the key that encrypted the stored secrets" in refused(relocating, secret_key=other_key)


@pytest.mark.long
async def test_a_place_that_others_use_is_refused(relocating: Relocating) -> None:
    settings = relocating.several.settings("new")
    target = open_backend(settings)
    with closing(Writer(target)) as writer:
        migrate(writer)
        writer.command("INSERT INTO hidden_events (seq) VALUES (1)")
        assert "has other events" in refused(relocating)
        writer.command("ALTER TABLE hidden_events DELETE WHERE true")
    target.write_stamp(Stamp("another", 1))
    assert "belongs to another installation" in refused(relocating)
    target.write_stamp(Stamp(installation_of(relocating.old), 9))
    assert "has been in use since the move" in refused(relocating)
    Spool(relocating.new / "workers" / "0" / SPOOL_FILE, os.urandom).close()
    assert "has the spool of another server" in refused(relocating)


async def test_metadata_of_others_is_refused(relocating: Relocating) -> None:
    async with relocating.several.opened("a"):
        assert "belongs to another installation" in refused(relocating)
