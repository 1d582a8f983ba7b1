"""What is gone is named, and nothing else is; with real stores, one after the other, in a child."""

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.servers.child import Interpreter

PRELUDE = """
import asyncio, os, shutil
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from random import Random
from harness.stores.spool_batches import batch, claim_all, put
from harness.stores.event_store import NOW_MS, event, fresh_scope
from tallyroom.core import failpoints
from tallyroom.core.clock import SystemClock
from tallyroom.core.failpoints import InjectedFault
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.ingest.drain.retention import RetentionEraser
from tallyroom.ingest.drain.completeness import CompletenessCheck
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.event_store.backend.backend import ReadLimits
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.event_store.erase import erase_environment
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.event_id import EventPosition, position_of
from tallyroom.storage.event_store.hidden_events import HiddenEvents
from tallyroom.storage.event_store.migrate import migrate

MONTH_MS = 2_678_400_000

class November(SystemClock):
    def now_ms(self):
        return NOW_MS

class Server:
    def __init__(self, identity):
        self.writer = Writer(EmbeddedBackend(data / "events"))
        migrate(self.writer)
        self.spool = Spool(data / "spool.sqlite", lambda count: identity.to_bytes(count, "big"))
        self.drain = Drain(self.spool, self.writer, November())
        self.completeness_check = CompletenessCheck(self.spool, self.writer, self.drain)

    async def send(self, *back, scope=None, **fields):
        times = [NOW_MS - months * MONTH_MS for months in back]
        rows = [event(scope or SCOPE, timestamp_ms=at, spool=self.spool.identity, **fields) for at in times]
        await put(self.spool, batch(self.spool, *rows))
        assert await self.drain.wait_settled(20)

    def close(self):
        self.completeness_check.close()
        self.drain.stop(0)
        self.spool.close()
        self.writer.close()

    def damage(self):
        self.completeness_check.compare_counts()
        return [str(each) for each in self.completeness_check.damages.entries]

    def sql(self, text):
        return self.writer.command(text).strip()

@asynccontextmanager
async def server(started=True, identity=1):
    running = Server(identity)
    running.completeness_check.compare_counts(0)
    if started:
        running.drain.start()
    try:
        yield running
    finally:
        await asyncio.to_thread(running.close)

def parts(table="events", pattern="2026*"):
    folder = os.path.realpath(data / "events" / "data" / "default" / table)
    return sorted(path for path in Path(folder).glob(pattern))

def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x55
    path.write_bytes(bytes(content))
"""

CASE = """
data, SCOPE = Path(folder), fresh_scope()
failpoints.configure("")
"""

Run = Callable[[str], list[str]]


@pytest.fixture
def run(child: Interpreter, tmp_path: Path) -> Run:
    """What a case prints whose `data` is the directory of the test."""
    return lambda code: child.run(CASE + code + "\nasyncio.run(main())\n", folder=str(tmp_path))


SEPTEMBER = "from 2026-09-01T00:00:00.000Z to 2026-09-30T23:59:59.999Z"
OCTOBER = "from 2026-10-01T00:00:00.000Z to 2026-10-31T23:59:59.999Z"

DAMAGES = {
    "the folder is gone": ("shutil.rmtree(part)", f"events: missing, 2 rows {OCTOBER}"),
    "a file is empty": (
        "(part / 'data.bin').write_bytes(b'')",
        f"events/202610_2_2_0: set aside (broken-on-start), 2 rows {OCTOBER}",
    ),
    "a file is missing": (
        "(part / 'columns.txt').unlink()",
        f"events/202610_2_2_0: set aside (broken-on-start), 2 rows {OCTOBER}",
    ),
    "no file is left": (
        "[file.unlink() for file in part.iterdir()]",
        f"events/202610_2_2_0: set aside (broken-on-start), 2 rows {OCTOBER}",
    ),
    "a bit is flipped in what a count reads": (
        "flip(next(part.glob('data.cmrk*')))",
        f"events/202610_2_2_0: set aside (broken-on-start), 2 rows {OCTOBER}",
    ),
    "somebody has detached it": (
        "part.rename(part.parent / 'detached' / part.name)",
        f"events/202610_2_2_0: set aside (detached), 2 rows {OCTOBER}",
    ),
}


QUICK = {"the folder is gone", "a file is empty"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("harm", "found"),
    [pytest.param(*case, id=name, marks=() if name in QUICK else pytest.mark.long) for name, case in DAMAGES.items()],
)
def test_a_part_is_harmed_between_stop_and_start(run: Run, harm: str, found: str) -> None:
    code = f"""
async def main():
    async with server() as running:
        for back in (2, 1, 0):
            await running.send(back, back)
        print(running.damage())
    part = parts()[1]
    {harm}
    async with server() as running:
        print("|".join(str(each) for each in running.completeness_check.damages.entries))
        print(running.damage() == [str(each) for each in running.completeness_check.damages.entries])
        await running.send(1, 0)
        print(len(running.damage()))
        window = NOW_MS - 24 * 3_600_000
        print(len(running.completeness_check.damages.notices(window, NOW_MS)))
        print(len(running.completeness_check.damages.notices(NOW_MS - 2 * MONTH_MS, NOW_MS)))
"""
    assert run(code) == ["[]", found, "True", str(len(found.split("|"))), "0", "1"]


@pytest.mark.long
def test_a_flipped_bit_is_found_when_it_is_read(run: Run) -> None:
    code = """
async def main():
    async with server() as running:
        for back in (2, 1, 0):
            await running.send(back, back)
        reader = running.writer.backend.open_reader(ReadLimits(seconds=5, memory_bytes=10**9, max_rows=1000))
        flip(parts()[1] / "data.bin")
        print(running.damage())
        try:
            reader.query("SELECT sum(cityHash64(*, strings, texts, numbers, lists)) FROM events", {})
        except StoreError as error:
            print(error.suspect_part.part)
            running.completeness_check.examine_suspect(error)
            running.completeness_check.examine_suspect(error)
        running.completeness_check._executor.submit(int).result()
        print([str(each) for each in running.completeness_check.damages.entries])
        print(running.sql("SELECT count(), max(length(properties)) FROM events"))
        reader.close()
    async with server() as running:
        print(running.damage())
"""
    lost = f"['events/202610_2_2_0: set aside (detached), 2 rows {OCTOBER}']"
    assert run(code) == ["[]", "202610_2_2_0", lost, "4\t2", lost]


@pytest.mark.long
def test_a_check_of_everything_sets_damage_aside(run: Run) -> None:
    code = """
async def main():
    async with server() as running:
        await running.send(1, 0, label="Ann", actor="ann")
        flip(parts()[0] / "primary.cidx")
        print(len(list(running.completeness_check.check_parts())) > 2)
        print([str(each) for each in running.completeness_check.damages.entries])
        print(sum(1 for found in running.completeness_check.check_parts() if found.problem))
"""
    assert run(code) == ["True", f"['events/202610_1_1_0: set aside (detached), 1 rows {OCTOBER}']", "0"]


@pytest.mark.long
def test_parts_of_other_tables_are_named(run: Run) -> None:
    code = """
async def main():
    async with server() as running:
        await running.send(0, actor="ann", label="Ann")
        print(running.damage())
    (parts("actor_labels", "all_*")[0] / "columns.txt").write_bytes(b"rubbish")
    async with server() as running:
        [found] = running.damage()
        print(found.split(":")[0].split("/")[0], "broken-on-start" in found)
        print(len(running.completeness_check.damages.notices(0, NOW_MS)))
"""
    assert run(code) == ["[]", "actor_labels True", "1"]


def test_a_part_that_another_covers_is_not_lost(run: Run) -> None:
    code = """
async def main():
    async with server() as running:
        await running.send(0, actor="ann", label="Ann")
        await running.send(0, actor="ann", label="Ann")
        running.sql("ALTER TABLE actor_labels FREEZE WITH NAME 'x'")
        running.sql("OPTIMIZE TABLE actor_labels FINAL")
        running.sql("OPTIMIZE TABLE events FINAL")
        for part in (data / "events" / "shadow").rglob("all_*"):
            if part.is_dir():
                shutil.copytree(part, parts("actor_labels", "detached")[0] / f"broken_{part.name}")
        [whole] = parts("events", "2026*_1_2_*")
        shutil.copytree(whole, whole.parent / "detached" / f"broken-on-start_{whole.name}")
        print(running.sql("SELECT count() FROM system.detached_parts"), running.damage())
"""
    assert run(code) == ["3 []"]


def test_a_part_that_is_attached_again_is_no_damage_any_more(run: Run) -> None:
    code = """
async def main():
    async with server() as running:
        await running.send(1, 1, 0)
        running.sql("ALTER TABLE events DETACH PARTITION 202610")
        print(running.damage())
        running.sql("ALTER TABLE events ATTACH PARTITION 202610")
        print(running.damage(), running.completeness_check.damages.change_count)
"""
    assert run(code) == [f"['events/202610_1_1_0: set aside (detached), 2 rows {OCTOBER}']", "[] 2"]


def test_a_directory_of_before_there_was_a_stock(run: Run) -> None:
    code = """
async def main():
    async with server() as running:
        await running.send(2, 1, 0, 0)
    with closing(Spool(data / "spool.sqlite", bytes)) as spool:
        spool.change(lambda c: c.execute("DELETE FROM stock")).result()
        spool.change(lambda c: c.execute("DELETE FROM number WHERE name = 'stocked'")).result()
    async with server() as running:
        print(running.damage())
        await running.send(1, 0)
        print(len(running.damage()))
    shutil.rmtree(parts()[-1])
    async with server() as running:
        print(len(running.damage()), len(running.completeness_check.damages.notices(NOW_MS - 1, NOW_MS)))
"""
    assert run(code) == ["[]", "0", "1 1"]


@pytest.mark.long
def test_events_that_were_missing_before_there_was_a_stock_are_of_any_time(run: Run) -> None:
    code = """
async def main():
    async with server() as running:
        await running.send(2, 1, 0, 0)
    with closing(Spool(data / "spool.sqlite", bytes)) as spool:
        spool.change(lambda c: c.execute("DELETE FROM stock")).result()
        spool.change(lambda c: c.execute("DELETE FROM number WHERE name = 'stocked'")).result()
    away = data / "away"
    september = parts()[0]
    shutil.move(september, away)
    async with server() as running:
        print(running.damage(), len(running.completeness_check.damages.notices(NOW_MS - 1, NOW_MS)))
    shutil.move(away, september)
    async with server() as running:
        print(running.damage())
"""
    assert run(code) == ["['events: missing, 1 rows'] 1", "[]"]


def test_events_of_another_spool_are_counted_from_when_they_are_there(run: Run) -> None:
    code = """
async def main():
    async with server() as running:
        await running.send(1, 1)
    (data / "spool.sqlite").unlink()
    async with server(identity=2) as running:
        print(running.damage())
        await running.send(0)
        await Erasure(running.spool, running.drain, running.writer).erase_actor(SCOPE, "")
        await running.send(0)
        print(running.damage(), running.sql("SELECT count() FROM events"))
        await running.send(1, scope=fresh_scope())
    with closing(Writer(EmbeddedBackend(data / "events"))) as writer:
        writer.command("ALTER TABLE events DROP PARTITION 202610")
    async with server(identity=2) as running:
        print(running.damage())
"""
    assert run(code) == ["[]", "[] 1", f"['events: missing, 1 rows {OCTOBER}']"]


def test_a_range_that_a_crash_left_open(run: Run) -> None:
    """It may be in the store already, whole or in part: events that hide behind it are missed when it is through."""
    code = """
async def main():
    async with server() as running:
        await running.send(1, 1, 1, 0)
    async with server(started=False) as running:
        await put(running.spool, batch(running.spool, *[event(SCOPE, timestamp_ms=NOW_MS - MONTH_MS) for _ in range(2)]))
        claim = running.spool.change(claim_all).result()
        running.drain._insert_range(claim)  # and no mark
    async with server(started=False) as running:
        print(running.completeness_check.damages.entries, running.sql("SELECT count() FROM events"))
    (part,) = [part for part in parts() if part.name.startswith("202610_1_1")]
    shutil.rmtree(part)
    async with server(started=False) as running:
        before = [str(each) for each in running.completeness_check.damages.entries]
        running.drain.start()
        assert await running.drain.wait_settled(20)
        print(before, running.damage())
"""
    missing = "'events: missing, {} rows " + OCTOBER + "'"
    before, after = missing.format(1), missing.format(3)
    assert run(code) == ["() 6", f"[{before}] [{after}]"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("seed", "starts", "acts"),
    [
        (1, 2, 3),
        (1, 2, 8),
        *[(seed, 3, 10) for seed in range(2, 12)],
    ],
)
def test_whatever_the_server_does_by_itself_is_no_damage(run: Run, seed: int, starts: int, acts: int) -> None:
    code = f"""
async def some(running, chance, scope, act):
    erasure = Erasure(running.spool, running.drain, running.writer)
    retention = RetentionEraser(running.spool, running.drain, running.writer)
    if act < 4:
        months = [chance.randrange(5) for _ in range(chance.randrange(1, 20))]
        await running.send(*months, scope=scope, actor=chance.choice("abc"), label="L")
    elif act == 4:
        await erasure.erase_actor(scope, chance.choice("abc"))
    elif act == 5:
        await erasure.erase_environment(scope)
    elif act == 6:
        before = NOW_MS - chance.randrange(5) * MONTH_MS
        await retention.expire(scope, before, await retention.wait_for_drained_seq())
    elif act == 7:
        running.sql("OPTIMIZE TABLE events FINAL")
    else:
        poison = batch(running.spool, event(scope), event(scope))
        [bad] = poison.chunks
        poison.chunks = [type(bad)(bad.month, bad.event_count, bad.body.replace(b'"opened"', b"[]", 1), bad.byte_count)]
        await put(running.spool, poison)
        assert await running.drain.wait_settled(20)

async def main():
    chance = Random({seed})
    scopes = [fresh_scope() for _ in range(2)]
    for start in range({starts}):
        async with server() as running:
            for _ in range({acts}):
                act = chance.randrange(9)
                await some(running, chance, chance.choice(scopes), act)
                found = running.damage()
                assert not found, (act, found)
            failpoints.configure(chance.choice(["", "store.insert.after=error", "drain.mark.after=error"]))
            await put(running.spool, batch(running.spool, event(scopes[0])))
            await asyncio.sleep(0.05)
        failpoints.configure("")
    print("sound")
"""
    assert run(code) == ["sound"]


@pytest.mark.long
def test_parts_of_the_list_of_hidden_events_that_are_gone(run: Run) -> None:
    """What was hidden would be seen again; whatever the list itself is asked for is no damage."""
    code = """
async def main():
    away = data / "away"
    async with server() as running:
        await running.send(1, 0, 0, 0, actor="ann")
        await running.send(0, actor="bob")
        hidden = HiddenEvents(running.writer)
        positions = [line.split() for line in running.sql(
            "SELECT toUnixTimestamp64Milli(timestamp), spool, seq FROM events ORDER BY seq").splitlines()]
        for position in positions:
            assert hidden.hide(SCOPE, EventPosition(*map(int, position)))
        assert hidden.show(SCOPE, EventPosition(*map(int, positions[0])))
        await Erasure(running.spool, running.drain, running.writer).erase_actor(SCOPE, "bob")
        print(running.sql("SELECT count() FROM hidden_events"), running.damage())
    gone = [part for part in parts("hidden_events", "all_*")]
    away.mkdir()
    for part in gone:
        shutil.move(part, away / part.name)
    async with server() as running:
        [notice] = running.completeness_check.damages.notices(NOW_MS, NOW_MS)
        print(running.damage(), notice.message)
    for part in gone:
        shutil.move(away / part.name, part)
    async with server() as running:
        print(running.damage())
        running.sql("TRUNCATE TABLE hidden_events")
        print(running.damage())
        running.completeness_check.accept_loss()
        print(running.damage())
    (data / "events" / "hidden-events").write_bytes(b"")
    async with server() as running:
        print(running.damage(), (data / "events" / "hidden-events").read_text())
"""
    lost = "['hidden_events: missing, 3 rows']"
    assert run(code) == [
        "3 []",
        f"{lost} This answer may include hidden events: their list is damaged.",
        "[]",
        lost,
        "[]",
        "[] 0",
    ]
