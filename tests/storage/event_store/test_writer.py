"""A block counts once, a refused one leaves nothing behind, and a closed writer stays closed."""

import sys
import textwrap
from pathlib import Path

import pytest

from harness.servers.child import run_child
from harness.stores.event_store import EventStore, event, fresh_scope, lines
from tallyroom.storage.event_store.errors import StoreError

LABEL = "SELECT tupleElement(max(newest), 'label') FROM actor_labels WHERE {scope} GROUP BY actor"


def test_the_same_token_inserts_once_and_another_token_again(event_store: EventStore) -> None:
    scope = fresh_scope()
    body = lines([event(scope), event(scope), event(scope)])
    for token in ("same", "same", "other", "same"):
        event_store.writer.insert_events(body, f"{scope.workspace_id}-{token}")
    assert event_store.count(scope) == 6


def test_another_month_under_a_token_of_its_own_is_kept(event_store: EventStore) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope), event(scope, timestamp_ms=0)])
    assert event_store.count(scope) == 2


INSERT_AND_COUNT = """
    import sys
    from pathlib import Path
    from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
    from tallyroom.storage.event_store.writer import Writer
    from tallyroom.storage.event_store.migrate import migrate
    path, body, token = Path(sys.argv[1]), sys.argv[2].encode(), sys.argv[3]
    writer = Writer(EmbeddedBackend(path))
    migrate(writer)
    writer.insert_events(body, token)
    print(writer.command("SELECT count() FROM events").strip(), writer.command("SELECT count() FROM actor_labels").strip())
    writer.close()
"""


@pytest.mark.long
def test_a_token_is_remembered_when_the_store_is_opened_again(tmp_path: Path) -> None:
    body = lines([event(fresh_scope(), actor="a", label="A"), event(fresh_scope())]).decode()
    answers = [run_child(INSERT_AND_COUNT, tmp_path / "e", body, token).stdout.split() for token in ("t", "t", "u")]
    assert [events for events, _ in answers] == ["2", "2", "4"]


def test_a_resent_block_reaches_the_label_view_that_missed_it(event_store: EventStore) -> None:
    scope = fresh_scope()
    body, token = lines([event(scope, actor="a", label="Ann")]), scope.workspace_id
    event_store.writer.command("DETACH TABLE actor_labels_of_events")
    try:
        event_store.writer.insert_events(body, token)
    finally:
        event_store.writer.command("ATTACH TABLE actor_labels_of_events")
    assert event_store.select(LABEL, scope) == []
    event_store.writer.insert_events(body, token)
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
        event_store.writer.insert_events(good + broken, scope.workspace_id)
    assert refused.value.blames_rows
    assert event_store.count(scope) == 0
    event_store.writer.insert_events(good, scope.workspace_id)
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
            event_store.writer.insert_events(body[:end], f"{scope.workspace_id}-{end}")
        assert (refused.value.blames_rows, refused.value.is_transient) == (False, True), (
            body[start:end],
            refused.value,
        )
        codes.add(refused.value.code)
    assert len(codes) > 2
    assert event_store.count(scope) == 0


def test_a_part_that_could_not_be_written_is_an_error(event_store: EventStore) -> None:
    """A stream of bytes into chDB reports success here, so a block goes in from a file."""
    scope = fresh_scope()
    event_store.writer.command(f"ALTER TABLE events ADD CONSTRAINT refused CHECK name != '{scope.workspace_id}'")
    try:
        with pytest.raises(StoreError):
            event_store.writer.insert_events(lines([event(scope, scope.workspace_id)]), "constraint")
    finally:
        event_store.writer.command("ALTER TABLE events DROP CONSTRAINT refused")
    every_month = [event(scope, timestamp_ms=month * 31 * 86_400_000) for month in range(150)]
    with pytest.raises(StoreError) as refused:
        event_store.writer.insert_events(lines(every_month), "months")
    assert refused.value.code == 252
    assert event_store.count(scope) == 0


@pytest.mark.long
def test_a_directory_that_another_process_holds_is_refused(tmp_path: Path) -> None:
    """The engine forgets this once its last connection in a process was closed and opened again: hence server.lock."""
    code = """
        import subprocess, sys
        from pathlib import Path
        from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
        from tallyroom.storage.event_store.writer import Writer
        from tallyroom.storage.event_store.errors import StoreError
        try:
            writer = Writer(EmbeddedBackend(Path(sys.argv[1])))
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


@pytest.mark.long
def test_a_writer_that_is_closed_stays_closed(tmp_path: Path) -> None:
    """A deletion may still run when the server stops; the directory is somebody else's then."""
    code = """
    import sys
    from pathlib import Path
    from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
    from tallyroom.storage.event_store.writer import Writer
    from tallyroom.storage.event_store.errors import StoreError
    writer = Writer(EmbeddedBackend(Path(sys.argv[1])))
    writer.close()
    try:
        writer.command("SELECT 1")
    except StoreError as error:
        print(error)
    """
    assert run_child(code, tmp_path / "events").stdout == "the event store is closed\n"


COUNT_FILES = """
    import os, sys
    from pathlib import Path
    from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
    from tallyroom.storage.event_store.errors import StoreError
    from tallyroom.storage.event_store.writer import Writer
    from tallyroom.storage.event_store.migrate import migrate
    writer = Writer(EmbeddedBackend(Path(sys.argv[1])))
    migrate(writer)

    def files_after(failures):
        for number in range(failures):
            try:
                writer.command("SELECT nothing")
            except StoreError:
                writer.insert_events(sys.argv[2].encode(), f"{failures}-{number}")
        return len(os.listdir("/proc/self/fd"))

    before, after = files_after(5), files_after(20)
    print(after - before)
    writer.close()
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, nobody counts a process's files")
def test_statements_that_fail_leave_no_files_open(tmp_path: Path) -> None:
    """The engine of this process does, a dozen each time, when its last connection is closed."""
    body = lines([event(fresh_scope())]).decode()
    assert int(run_child(COUNT_FILES, tmp_path / "events", body).stdout) < 60
