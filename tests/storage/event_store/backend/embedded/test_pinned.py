"""A store that is moved is written where it went, and one that is deleted is not begun anew."""

from pathlib import Path

import pytest

from harness.servers.child import run_child
from tallyroom.storage.event_store.backend.embedded.pinned import pin, pinned_path

PRELUDE = """
import shutil, sys
from pathlib import Path
from tallyroom.storage.event_store.backend.backend import ReadLimits
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.migrate import migrate

ROW = b'["019aa0b0-0000-7000-8000-000000000000","production",1795176000000,1795176000000,1,1,"e","ann","","","{}",""]'
data = Path(sys.argv[1])
away = data.with_name("away")
store = data / "events"
writer = Writer(EmbeddedBackend(store))
migrate(writer)
reader = writer.backend.open_reader(ReadLimits(seconds=5, memory_bytes=10**9, max_rows=1000))

def insert(token):
    try:
        writer.insert_events(ROW, token)
        return "inserted"
    except StoreError as error:
        return "moved" if "moved" in str(error) else str(error)

def count():
    return int(reader.query("SELECT count() AS n FROM events", {}).split(b":")[1].rstrip(b"}\\n"))
"""


def test_the_name_leads_to_the_folder_wherever_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    name = pin(folder)
    folder.rename(tmp_path / "away")
    (name / "file").touch()
    assert (tmp_path / "away" / "file").exists()
    folder.mkdir()
    assert pinned_path(folder) == name
    assert pin(folder) != name, "whoever opens a store means the folder that is there"
    with pytest.raises(FileNotFoundError):
        pin(tmp_path / "none")


@pytest.mark.long
def test_a_store_that_is_moved_while_it_is_open(tmp_path: Path) -> None:
    code = """
print(insert("a"), count())
data.rename(away)
print(insert("b"), data.exists())
away.rename(data)
print(insert("b"), count())
with writer._use_connection() as connection:
    data.rename(away)
    try:
        connection.query("INSERT INTO hidden_events SELECT workspace_id, environment, timestamp, spool, seq, actor, true FROM events", {}, "TabSeparated")
        connection.query("OPTIMIZE TABLE events FINAL", {}, "TabSeparated")
    finally:
        print(data.exists())
        away.rename(data)
print(writer.command("SELECT count() FROM hidden_events").strip(), count())
"""
    answer = run_child(PRELUDE + code, tmp_path / "data").stdout.splitlines()
    assert answer == ["inserted 1", "moved False", "inserted 2", "False", "2 2"]


def test_a_store_that_is_deleted_while_it_is_open(tmp_path: Path) -> None:
    code = """
print(insert("a"))
try:
    with writer._use_connection() as connection:
        shutil.rmtree(data)
        connection.query("INSERT INTO hidden_events SELECT workspace_id, environment, timestamp, spool, seq, actor, true FROM events", {}, "TabSeparated")
except StoreError:
    print(data.exists())
print(insert("b"), data.exists())
reader.close()
writer.close()
print(data.exists())
"""
    answer = run_child(PRELUDE + code, tmp_path / "data").stdout.splitlines()
    assert answer == ["inserted", "False", "moved False", "False"]
