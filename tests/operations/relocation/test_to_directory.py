"""Several workers become one again; nothing is lost or doubled, and only one place is usable."""

import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import asyncpg
import msgspec
import pytest

from harness.clients.migrate_store_command import WORKER, Relocating, contents, found_alone, keyed
from harness.servers.one_of_several import SCOPE, Several, send
from tallyroom.core.data_directory import SPOOL_FILE, DataDirectoryUnusable, hold_directory, mark_moving
from tallyroom.core.errors import TallyroomError
from tallyroom.core.ids import IdGenerator
from tallyroom.operations.backup.progress import NoProgress
from tallyroom.operations.relocation.move import RelocationResult
from tallyroom.operations.relocation.to_directory import MoveToDirectory
from tallyroom.server.opening import open_services
from tallyroom.storage.event_store.backend.opening import open_backend
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import MovedAway
from tallyroom.storage.spool.event_counts import SpoolCounts
from tallyroom.storage.spool.row import month_of


def back(several: Several, new: Path, data: str = "parent") -> RelocationResult:
    return MoveToDirectory(new, several.settings(data), NoProgress(), IdGenerator().random_bytes).run()


def refused(several: Several, new: Path, data: str = "parent") -> str:
    """What the move says; it leaves nothing in the directory to which it was to go."""
    with pytest.raises(TallyroomError) as error:
        back(several, new, data)
    assert error.value.message.endswith("Nothing was changed.")
    return error.value.message


def bury(folder: Path) -> None:
    """Put an event aside that the store cannot take."""
    with closing(sqlite3.connect(folder / SPOOL_FILE)) as spool, spool:
        letter = ("token", SCOPE.workspace_id, SCOPE.environment, "ann", "no reason", 5, b"[]")
        spool.execute("INSERT INTO dead_letter VALUES (?, ?, ?, ?, ?, ?, ?)", letter)
        spool.execute("UPDATE number SET value = value + 1 WHERE name IN ('acked', 'stored')")


@pytest.fixture
async def operator(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """Somebody who changes what the workers have written down."""
    connection = await asyncpg.connect(dsn)
    yield connection
    await connection.close()


@pytest.mark.long
async def test_two_workers_become_one(several: Several, tmp_path: Path) -> None:
    async with several.opened("a") as services:
        first = services.spool.identity
        assert await keyed(services) == 2
        time_ms = int(services.writer.command("SELECT toUnixTimestamp64Milli(timestamp) FROM events WHERE seq = 1"))
        services.hidden_events.hide(SCOPE, EventPosition(time_ms, first, 1))
    second, _ = await several.once("b")
    bury(several.folder / "b")
    with closing(Writer(open_backend(several.settings("a")))) as writer:
        had = contents(writer)
    relocating, new = Relocating(several, had), tmp_path / "last"
    assert relocating.back(new, "move.mark.after=kill").returncode == -signal.SIGKILL
    with pytest.raises(MovedAway, match=r"has moved to .*/last on .*. Start a server there"):
        open_services(several.settings("a"), accept_loss=True)
    with (
        pytest.raises(DataDirectoryUnusable, match=r"run `tallyroom migrate-store --to .*/last` again"),
        hold_directory(new),
    ):
        pass
    assert "Everything was already moved" in relocating.back(new).stdout
    found = found_alone(new)
    assert found["contents"] == had
    assert (found["damaged"], found["hidden"], found["numbers"]) == (False, True, [1, 1, 1, 1])
    assert found["spool"] not in {first, second}
    assert (found["used"], found["keyed"]) == (3, 2)
    assert dict(found["by_spool"]) == {first: 2, second: 1, found["spool"]: 1}
    assert "has moved to" in refused(several, tmp_path / "another")


@pytest.mark.long
async def test_workers_that_run_or_have_not_delivered_are_named(
    several: Several, operator: asyncpg.Connection, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    async with several.opened("a") as services:
        spool = services.spool.identity
        await send(services, "ann")
        assert f"is using the spool {spool}. Stop all workers on all hosts" in refused(several, new)
    for change, undo, why in (
        (
            f"INSERT INTO workers VALUES ({spool}, 'killed', 'far', 's', 0, now())",
            "DELETE FROM workers",
            "its worker was not shut down cleanly",
        ),
        (
            "UPDATE spools SET seen_at = NULL",
            "UPDATE spools SET seen_at = now()",
            "no worker has used it yet",
        ),
        ("UPDATE spools SET stored = 0", "UPDATE spools SET stored = acknowledged", "it has queued events"),
        (
            f"INSERT INTO erasure_parts VALUES ('one', {spool})",
            "DELETE FROM erasure_parts",
            "it has unfinished erasures",
        ),
        (
            f"INSERT INTO idempotency_keys VALUES ('w', 'production', 'k', 'f', {spool}, NULL, NULL, 5)",
            "DELETE FROM idempotency_keys",
            "it has unsettled requests",
        ),
    ):
        await operator.execute(change)
        said = refused(several, new)
        assert f"through the spool {spool} in {several.folder}/a on " in said
        assert f"({why}). Start the workers there" in said
        await operator.execute(undo)
    now_ms = services.clock.now_ms()
    await operator.execute("INSERT INTO idempotency_keys VALUES ('w', 'e', 'k', 'f', 1, NULL, NULL, $1)", now_ms)
    assert "1 requests with an Idempotency-Key ran when the spool of their worker was lost" in refused(several, new)
    assert await several.once("a") == (spool, 2)
    assert list(new.iterdir()) == [new / "server.lock"]


@pytest.mark.long
async def test_only_a_new_directory_takes_it(several: Several, operator: asyncpg.Connection, tmp_path: Path) -> None:
    await several.once("a")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes").touch()
    assert "full is not empty: it contains notes" in refused(several, tmp_path / "full")
    assert "a is not empty: it contains" in refused(several, several.folder / "a")
    assert "must not contain each other" in refused(several, tmp_path / "parent" / "new")
    assert "must not contain each other" in refused(several, tmp_path, data="parent")
    mark_moving(tmp_path / "full", "another")
    assert "has leftovers from another move" in refused(several, tmp_path / "full")
    await operator.execute("INSERT INTO mail_outbox VALUES ('m', 'of another key', 0, 5, 5, NULL)")
    assert "is not the key that encrypted the stored secrets" in refused(several, tmp_path / "new")


@pytest.mark.long
async def test_what_workers_of_other_hosts_have_put_aside_stays(
    several: Several, operator: asyncpg.Connection, tmp_path: Path
) -> None:
    await several.once("a")
    numbers = SpoolCounts(1, 4, 4, 0, 0, 3, 0, 0, 5)
    await operator.execute("UPDATE spools SET host = 'far', numbers = $1", msgspec.json.encode(numbers).decode())
    said = Relocating(several, {}).back(tmp_path / "last").stdout
    assert "Event store: 1 events are in " in said
    assert "Not included: 3 events that were put aside" in said


async def test_nothing_moves_from_where_nothing_is(several: Several, tmp_path: Path) -> None:
    assert "has no workers' data" in refused(several, tmp_path / "new")


KILLS = ["move.block.after=kill@1", "move.block.after=kill@9"]
KILLS += [f"move.{step}.after=kill" for step in ("store", "spool", "mark", "metadata")]


@pytest.mark.long
@pytest.mark.parametrize("failpoint", KILLS)
async def test_there_and_back_it_is_killed_and_goes_on(relocating: Relocating, failpoint: str) -> None:
    """Everything that the first directory had is in the last one, and one place at a time can be used."""
    several, new = relocating.several, relocating.several.folder / "last"
    assert relocating.move().returncode == 0
    waiting = relocating.back(new)
    assert "no worker has used it yet" in waiting.stderr
    async with several.opened(WORKER) as services:
        assert await services.drain.wait_settled(30)
        used = await services.cap.count_used(SCOPE.workspace_id, month_of(services.clock.now_ms()))
        kept = contents(services.writer)
    assert relocating.back(new, failpoint).returncode == -signal.SIGKILL
    is_marked = any(step in failpoint for step in ("mark", "metadata"))
    if is_marked:
        with pytest.raises(MovedAway):
            open_services(several.settings(WORKER), accept_loss=True)
    else:
        async with several.opened(WORKER) as services:
            await send(services, "dan")
            kept = contents(services.writer)
            used += 1
    if "metadata" not in failpoint:
        with pytest.raises(DataDirectoryUnusable, match="did not finish"), hold_directory(new):
            pass
    done = relocating.back(new)
    assert (done.returncode, done.stderr) == (0, "")
    assert ("was already moved" in done.stdout) == is_marked
    assert "must not contain" not in relocating.back(new).stdout
    found = found_alone(new)
    assert found["contents"] == kept
    assert (found["damaged"], found["hidden"], found["used"], found["secrets"]) == (False, True, used, ["hush"])
    assert found["numbers"][2] == 2, "events that were put aside"
