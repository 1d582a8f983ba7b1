"""installation.start for several workers, whose metadata and event store are on servers and whose spools are not."""

import asyncio
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import insert, select

from harness.events_server import FrontServer
from harness.metadata import Places
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.db.models import User
from tallyroom.db.postgresql import start_record
from tallyroom.ingest.event import Event
from tallyroom.installation.refusal import NotWhole
from tallyroom.services import Services, open_services
from tallyroom.store.check import events_by_spool
from tallyroom.store.scope import Scope

SCOPE = Scope("019aa0b0-0000-7000-8000-000000000000", "production")
EVENTS = 3
SECRET_KEY = urlsafe_b64encode(bytes(32)).decode()

Of = Callable[[str], Settings]


@pytest.fixture
def settings(postgresql_places: Places, events_server: FrontServer, tmp_path: Path) -> Of:
    """The settings of the worker in a directory of that name."""
    events, metadata = events_server.settings(), postgresql_places.dsn(tmp_path / "metadata.sqlite")

    def settings(name: str) -> Settings:
        return Settings(
            data=str(tmp_path / name),
            disk_reserve_bytes=0,
            stop_seconds=5,
            secret_key=SECRET_KEY,
            db_dsn=metadata,
            events_dsn=events["events_dsn"],
            events_reader=events["events_reader"],
        )

    return settings


async def add_owner(services: Services) -> None:
    """Where events are, somebody owns them, or a start takes the metadata for lost."""
    owner = {"id": "ann", "email": "ann@example.com", "name": "Ann", "password_hash": "", "created_at_ms": 5}
    async with services.database.session(write=True) as db:
        if not (await db.execute(select(User))).first():
            await db.execute(insert(User).values(owner))


async def once(settings: Settings, *, accept_loss: bool = False) -> tuple[int, int]:
    """A start, some events and a stop: the identity of the spool, and how many of its events the store holds."""
    services = open_services(settings, accept_loss=accept_loss)
    try:
        await services.database.join()
        await add_owner(services)
        now = services.clock.now_ms()
        events = [Event(f"e{n}", "ann", "", "", now, b"{}") for n in range(EVENTS)]
        await services.accept.accept(SCOPE, "paid", events, now, None)
        assert await services.drain.caught_up(30)
        return services.spool.identity, events_by_spool(services.writer)[services.spool.identity]
    finally:
        await services.close()


async def test_each_worker_starts_with_a_spool_of_its_own(settings: Of) -> None:
    first, _ = await once(settings("a"))
    second, _ = await once(settings("b"))
    assert first != second
    assert await once(settings("a")) == (first, 2 * EVENTS)
    assert await once(settings("a")) == (first, 3 * EVENTS)
    assert await once(settings("b")) == (second, 2 * EVENTS)


def test_workers_that_start_at_once_take_turns(settings: Of) -> None:
    asyncio.run(once(settings("first")))
    with ThreadPoolExecutor(3) as starts:
        found = list(starts.map(lambda name: asyncio.run(once(settings(name))), "abc"))
    assert len({spool for spool, _ in found}) == 3
    assert [events for _, events in found] == [EVENTS] * 3


async def test_a_copy_that_another_start_has_overtaken_is_refused(settings: Of, tmp_path: Path) -> None:
    await once(settings("a"))
    shutil.copytree(tmp_path / "a", tmp_path / "copy")
    await once(settings("a"))
    with pytest.raises(NotWhole, match=r"is an older copy: another was last in use on .* in .*/a"):
        await once(settings("copy"))
    assert await once(settings("a"))


async def test_the_original_is_refused_once_a_copy_was_in_use(settings: Of, tmp_path: Path) -> None:
    spool, _ = await once(settings("a"))
    shutil.copytree(tmp_path / "a", tmp_path / "copy")
    assert await once(settings("copy")) == (spool, 2 * EVENTS)
    with pytest.raises(NotWhole, match=r"is an older copy: another was last in use on .* in .*/copy"):
        await once(settings("a"))


async def test_a_copy_does_not_start_while_the_original_runs(
    settings: Of, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start_record, "_PATIENCE_SECONDS", 0.2)
    services = open_services(settings("a"))
    await services.database.join()
    shutil.copytree(tmp_path / "a", tmp_path / "copy")
    with pytest.raises(TallyroomError, match=r"A server on .* uses the spool"):
        await once(settings("copy"))
    assert not services.database.peers.standing()
    await services.close()


async def test_a_worker_that_lost_its_lease_is_fenced_by_the_start_on_a_copy(
    settings: Of, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = open_services(settings("a"))
    await services.database.join()
    shutil.copytree(tmp_path / "a", tmp_path / "copy")
    await services.database.close()  # as if it hung: it has no lease, and does not know it
    assert await once(settings("copy"))
    monkeypatch.undo()
    assert services.database.peers.standing()
    now = services.clock.now_ms()
    with pytest.raises(TallyroomError):
        await services.accept.accept(SCOPE, "paid", [Event("e", "ann", "", "", now, b"{}")], now, None)
    await services.close()


async def test_a_directory_that_has_lost_its_spool_is_refused(settings: Of, tmp_path: Path) -> None:
    spool, _ = await once(settings("a"))
    shutil.copytree(tmp_path / "a", tmp_path / "kept")
    for file in (tmp_path / "a").glob("spool.sqlite*"):
        file.unlink()
    with pytest.raises(NotWhole, match=r"the spool \(spool.sqlite\) is missing"):
        await once(settings("a"))
    shutil.rmtree(tmp_path / "a")
    with pytest.raises(NotWhole, match=r"the spool \(spool.sqlite\) is missing"):
        await once(settings("a"))
    new, events = await once(settings("a"), accept_loss=True)
    assert (new != spool, events) == (True, EVENTS)
    with pytest.raises(NotWhole, match="was lost: others have gone on without it"):
        await once(settings("kept"))


async def test_metadata_that_knows_nothing_of_the_spool_is_older(
    settings: Of,
) -> None:
    await once(settings("a"))
    await once(settings("b"))
    operator = await asyncpg.connect(settings("a").db_dsn)
    await operator.execute("DELETE FROM spools WHERE path LIKE '%/b'")
    with pytest.raises(NotWhole, match=r"the metadata .* knows nothing of the spool"):
        await once(settings("b"))
    await operator.execute("UPDATE spools SET epoch = 0")
    with pytest.raises(NotWhole, match=r"the metadata .* is an older copy"):
        await once(settings("a"))
    await operator.close()
