"""store.connection: a block counts once, a reader only reads, and a failed connection is never used again."""

import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import clickhouse_connect
import msgspec
import pytest
from clickhouse_connect.driver.exceptions import Error as DriverError

from harness.child import run_child
from harness.store import EventStore, event, fresh_scope, lines
from tallyroom.store.connection import SealedReader, engine_path
from tallyroom.store.errors import StoreError
from tallyroom.store.scope import Scope, UnscopedQuery, scoped

# Fails midway, after the first half of its rows was written.
TOO_MANY = " UNION ALL ".join(["SELECT arrayJoin(range(9000)) AS n FROM events WHERE {scope}"] * 2)

LABEL = "SELECT tupleElement(max(newest), 'label') FROM actor_labels WHERE {scope} GROUP BY actor"


@pytest.fixture
def sealed(event_store: EventStore) -> Iterator[SealedReader]:
    with closing(event_store.sealed()) as reader:
        yield reader


def test_the_same_token_inserts_once_and_another_token_again(event_store: EventStore) -> None:
    scope = fresh_scope()
    body = lines([event(scope), event(scope), event(scope)])
    for token in ("same", "same", "other", "same"):
        event_store.writer.insert(body, f"{scope.workspace_id}-{token}")
    assert event_store.count(scope) == 6


def test_another_month_under_a_token_of_its_own_is_kept(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope), event(scope, timestamp_ms=0)])
    assert event_store.count(scope) == 2


INSERT_AND_COUNT = """
    import sys
    from pathlib import Path
    from tallyroom.store.connection import Writer
    from tallyroom.store.migrate import migrate
    path, body, token = Path(sys.argv[1]), sys.argv[2].encode(), sys.argv[3]
    writer = Writer(path)
    migrate(writer)
    writer.insert(body, token)
    print(writer.command("SELECT count() FROM events").strip(), writer.command("SELECT count() FROM actor_labels").strip())
    writer.close()
"""


def test_a_token_is_remembered_when_the_store_is_opened_again(tmp_path: Path) -> None:
    body = lines([event(fresh_scope(), actor="a", label="A"), event(fresh_scope())]).decode()
    answers = [run_child(INSERT_AND_COUNT, tmp_path / "e", body, token).stdout.split() for token in ("t", "t", "u")]
    assert [events for events, _ in answers] == ["2", "2", "4"]


def test_a_resent_block_reaches_the_label_view_that_missed_it(event_store: EventStore) -> None:
    scope = fresh_scope()
    body, token = lines([event(scope, actor="a", label="Ann")]), scope.workspace_id
    event_store.writer.command("DETACH TABLE actor_labels_of_events")
    try:
        event_store.writer.insert(body, token)
    finally:
        event_store.writer.command("ATTACH TABLE actor_labels_of_events")
    assert event_store.select(LABEL, scope) == []
    event_store.writer.insert(body, token)
    assert event_store.select(LABEL, scope) == [["Ann"]]
    assert event_store.count(scope) == 1


@pytest.mark.parametrize(
    "broken", [b"not json\n", b'["no-uuid", "a line that does not end with it"]\n', b"[]\n", b'["\xff"]\n' + b" " * 40]
)
def test_a_refused_block_blames_its_rows_and_burns_neither_token_nor_connection(
    event_store: EventStore, broken: bytes
) -> None:
    scope = fresh_scope()
    good = lines([event(scope)])
    with pytest.raises(StoreError) as refused:
        event_store.writer.insert(good + broken, scope.workspace_id)
    assert refused.value.blames_rows
    assert event_store.count(scope) == 0
    event_store.writer.insert(good, scope.workspace_id)
    assert event_store.count(scope) == 1


@pytest.mark.parametrize("step", [31, pytest.param(1, marks=pytest.mark.long)])
def test_a_block_that_is_cut_anywhere_never_blames_its_rows(event_store: EventStore, step: int) -> None:
    """As on a connection that breaks; where it is cut decides which of its errors the engine has for it."""
    scope = fresh_scope()
    body = lines([event(scope, properties=b'{"total": 1.5, "text": "\\u00e9", "list": ["a"]}') for _ in range(2)])
    start = body.index(b"\n") + 1
    codes = set()
    for end in range(start + 1, len(body) - 2, step):
        with pytest.raises(StoreError) as refused:
            event_store.writer.insert(body[:end], f"{scope.workspace_id}-{end}")
        assert (refused.value.blames_rows, refused.value.passes) == (False, True), (body[start:end], refused.value)
        codes.add(refused.value.code)
    assert len(codes) > 2
    assert event_store.count(scope) == 0


@pytest.mark.parametrize("broken", [ConnectionResetError(104, "Connection reset by peer"), TimeoutError("timed out")])
def test_a_broken_connection_is_an_error_of_the_store(
    sealed: SealedReader, monkeypatch: pytest.MonkeyPatch, broken: OSError
) -> None:
    monkeypatch.setattr(sealed._client, "raw_query", Mock(side_effect=broken))
    with pytest.raises(StoreError) as failed:
        sealed.query("SELECT 1", {})
    assert not failed.value.blames_rows


def test_a_part_that_could_not_be_written_is_an_error(event_store: EventStore) -> None:
    """A stream of bytes into chDB reports success here, so a block goes in from a file."""
    scope = fresh_scope()
    event_store.writer.command(f"ALTER TABLE events ADD CONSTRAINT refused CHECK name != '{scope.workspace_id}'")
    try:
        with pytest.raises(StoreError):
            event_store.writer.insert(lines([event(scope, scope.workspace_id)]), "constraint")
    finally:
        event_store.writer.command("ALTER TABLE events DROP CONSTRAINT refused")
    every_month = [event(scope, timestamp_ms=month * 31 * 86_400_000) for month in range(150)]
    with pytest.raises(StoreError) as refused:
        event_store.writer.insert(lines(every_month), "months")
    assert refused.value.code == 252
    assert event_store.count(scope) == 0


def test_a_directory_that_another_process_holds_is_refused(tmp_path: Path) -> None:
    """The engine forgets this once its last connection in a process was closed and opened again: hence server.lock."""
    code = """
        import subprocess, sys
        from pathlib import Path
        from tallyroom.store.connection import Writer
        from tallyroom.store.errors import StoreError
        try:
            writer = Writer(Path(sys.argv[1]))
        except StoreError as error:
            print("refused", error.code)
        else:
            if len(sys.argv) == 2:
                subprocess.run([sys.executable, "-c", sys.argv[0] or CODE, sys.argv[1], "second"], check=True)
            writer.close()
    """
    code = code.replace("sys.argv[0] or CODE", "Path(sys.argv[1] + '.py').read_text()")
    (tmp_path / "events.py").write_text(textwrap.dedent(code))
    assert run_child(code, tmp_path / "events").stdout.startswith("refused")


@pytest.mark.parametrize(
    "sql",
    [
        "SET readonly = 0",
        "SET max_result_rows = 0",
        "SET max_execution_time = 0",
        "INSERT INTO schema_migrations (version) VALUES (99)",
        "CREATE TABLE made (n UInt8) ENGINE = Memory",
        "CREATE TEMPORARY TABLE made (n UInt8)",
        "DROP TABLE events",
        "TRUNCATE TABLE events",
        "ALTER TABLE events DELETE WHERE true",
        "OPTIMIZE TABLE events",
        "SELECT * FROM file('/etc/passwd', 'LineAsString')",
        "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
        "SELECT * FROM remote('127.0.0.1:1', 'default', 'events')",
        "SELECT 1 SETTINGS max_result_rows = 0",
        "SELECT 1 SETTINGS readonly = 0",
        "SYSTEM FLUSH LOGS",
    ],
)
def test_a_sealed_reader_refuses_everything_but_reading(sealed: SealedReader, sql: str) -> None:
    with pytest.raises(StoreError):
        sealed.query(sql, {})


def test_what_was_refused_changed_nothing(event_store: EventStore) -> None:
    writer = event_store.writer
    assert writer.command("SELECT count() FROM system.tables WHERE name = 'made'").strip() == "0"
    assert writer.command("SELECT max(version) FROM schema_migrations").strip() != "99"


def test_the_function_file_is_not_sealed_off_so_the_text_must_be_refused() -> None:
    """`readonly` stops the table function `file()`, not the function of that name; store/scope.py stops both."""
    with pytest.raises(UnscopedQuery):
        scoped("SELECT file('/etc/hostname') AS n FROM events WHERE {scope}")


def test_the_limit_of_rows_holds_to_the_row(event_store: EventStore) -> None:
    with closing(event_store.sealed(rows=10)) as reader:
        assert len(reader.query("SELECT number AS n FROM numbers(10)", {}).splitlines()) == 10
        with pytest.raises(StoreError) as refused:
            reader.query("SELECT number AS n FROM numbers(11)", {})
    assert refused.value.code == 396


def test_the_limit_of_time_holds(event_store: EventStore) -> None:
    with closing(event_store.sealed(seconds=1)) as reader, pytest.raises(StoreError) as refused:
        reader.query("SELECT sum(cityHash64(number)) FROM numbers(1000000000000)", {})
    assert refused.value.code == 159
    assert refused.value.passes


def test_the_limit_of_memory_holds(event_store: EventStore) -> None:
    with closing(event_store.sealed(memory_bytes=20_000_000)) as reader, pytest.raises(StoreError) as refused:
        reader.query("SELECT length(groupArray(number)) FROM numbers(100000000)", {})
    assert refused.value.code == 241
    assert refused.value.passes


def test_why_a_failed_client_is_thrown_away(event_store: EventStore) -> None:
    """The driver's trap: what a failed query had written comes out of the next one. Red when the driver is mended."""
    assert any(leaks(event_store.path) for _ in range(300))


def leaks(path: Path) -> bool:
    with closing(clickhouse_connect.get_client(interface="chdb", path=engine_path(path))) as client:
        for setting in ("max_result_rows = 10000", "result_overflow_mode = 'throw'", "max_threads = 1"):
            client.command(f"SET {setting}")
        with pytest.raises(DriverError):
            client.raw_query(
                "SELECT number FROM numbers(9000) UNION ALL SELECT 1 FROM numbers(9000)", fmt="JSONEachRow"
            )
        return bool(client.raw_query("SELECT 'own' AS n", fmt="JSONEachRow") != b'{"n":"own"}\n')


class Number(msgspec.Struct):
    n: int


async def test_the_pool_never_uses_a_failed_reader_again(
    event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs, mine = fresh_scope(), fresh_scope()
    event_store.insert([event(theirs), event(mine), event(mine)])
    closed: list[SealedReader] = []
    close = SealedReader.close
    monkeypatch.setattr(SealedReader, "close", lambda reader: (closed.append(reader), close(reader))[1])
    pool = event_store.reader
    for _ in range(30):
        assert await count(event_store, mine) == 2
        used = pool._idle._readers[-1]
        with pytest.raises(Exception, match=r"could not be answered|more time or memory"):
            await pool.rows(TOO_MANY, theirs, {}, Number)
        assert closed[-1] is used
        assert used not in pool._idle._readers
        assert await count(event_store, mine) == 2
        assert pool._idle._readers[-1] is not used
    assert len({id(reader) for reader in closed}) == 30


async def count(event_store: EventStore, scope: Scope) -> int:
    [row] = await event_store.reader.rows("SELECT count() AS n FROM events WHERE {scope}", scope, {}, Number)
    return row.n


def test_a_writer_that_is_closed_stays_closed(tmp_path: Path) -> None:
    """A deletion may still run when the server stops; the directory is somebody else's then."""
    code = """
    import sys
    from pathlib import Path
    from tallyroom.store.connection import Writer
    from tallyroom.store.errors import StoreError
    writer = Writer(Path(sys.argv[1]))
    writer.close()
    try:
        writer.command("SELECT 1")
    except StoreError as error:
        print(error)
    """
    assert run_child(code, tmp_path / "events").stdout == "the event store is closed\n"
