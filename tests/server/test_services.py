"""What is opened is closed, in an order that loses nothing (in a process of its own, which holds a store)."""

from pathlib import Path

import pytest

from harness.servers.child import WITH_HARNESS, run_child

PRELUDE = """
import asyncio, sys, threading, uuid
from pathlib import Path
from harness.builders.owner import add_owner
from tallyroom.core.settings import Settings
from tallyroom.ingest.validation.event import Event
from tallyroom.server.opening import open_services
from tallyroom.storage.event_store.scope import Scope

SCOPE = Scope("019aa0b0-0000-7000-8000-000000000000", "production")
settings = Settings(data=sys.argv[1], disk_reserve_bytes=0, stop_seconds=5)

async def send(services, count):
    add_owner(Path(sys.argv[1]))
    now = services.clock.now_ms()
    events = [Event(f"e{n}", "ann", "", "", now, b"{}") for n in range(count)]
    return await services.acceptor.accept(SCOPE, "paid", events, now, None)

def stored(services):
    return int(services.writer.command("SELECT count() FROM events"))
"""


def test_a_directory_is_made_opened_closed_and_opened_again(tmp_path: Path) -> None:
    code = """
async def once():
    services = open_services(settings)
    accepted = await send(services, 3)
    await services.close()
    return accepted, sorted(thread.name for thread in threading.enumerate() if thread.name in ("spool", "drain"))

print(asyncio.run(once()))
print(asyncio.run(once()))

async def last():
    services = open_services(settings)
    print(stored(services), services.spool.acked_count, services.spool.last_id == services.drain.drained_chunk_id)
    await services.close()

asyncio.run(last())
print(sorted(path.name for path in Path(sys.argv[1]).iterdir()))
"""
    answer = run_child(PRELUDE + code, tmp_path / "made" / "here", **WITH_HARNESS).stdout.splitlines()
    assert answer == [
        "(3, [])",
        "(3, [])",
        "6 6 True",
        "['events', 'installation.json', 'metadata.sqlite', 'secret.key', 'spool.sqlite']",
    ]


@pytest.mark.long
def test_a_stop_waits_no_longer_than_it_may_and_loses_nothing(tmp_path: Path) -> None:
    code = """
from tallyroom.core import failpoints
from tallyroom.storage.event_store.errors import StoreError

async def stuck():
    short = Settings(data=sys.argv[1], disk_reserve_bytes=0, stop_seconds=0)
    services = open_services(short)
    def away(*_):
        raise StoreError("Code: 252. too many parts")
    services.writer.insert_events = away
    await send(services, 4)
    await services.close()

async def later():
    services = open_services(settings)
    print(await services.drain.wait_caught_up(5), stored(services))
    await services.close()

asyncio.run(stuck())
asyncio.run(later())
"""
    assert run_child(PRELUDE + code, tmp_path, **WITH_HARNESS).stdout.splitlines() == ["True 4"]
