"""A directory whose parts do not belong together is refused, by name (rules/safety#one-installation)."""

import hashlib
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from harness.servers.command import call
from operations.installation.conftest import copied, remove
from tallyroom.operations.installation.last_backup import LastBackup, write_last_backup
from tallyroom.operations.installation.refusal import IncompleteInstallation, refuse_incomplete
from tallyroom.storage.spool.file import SpoolTooNew

METADATA, SPOOL, STORE = "metadata.sqlite", "spool.sqlite", "events"
WORDS = {
    METADATA: "the metadata (metadata.sqlite)",
    SPOOL: "the spool (spool.sqlite)",
    STORE: "the event store (events)",
}

Replace = Callable[[str, str], None]


def refused(data: Path, *, is_key_given: bool = False) -> IncompleteInstallation:
    """The refusal of a directory, which is then as it was."""
    before = fingerprint(data)
    with pytest.raises(IncompleteInstallation) as found:
        refuse_incomplete(data, is_key_given=is_key_given)
    assert fingerprint(data) == before
    assert "\n" not in found.value.message
    return found.value


def fingerprint(data: Path) -> dict[str, str]:
    """Every name below a directory, with the hash of what stands there, but for an index that SQLite makes anew."""
    found = {path for path in data.rglob("*") if not path.name.endswith("-shm")}
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "" for path in found}


def empty(path: Path) -> None:
    """As a disk check or a careless copy leaves it."""
    was_folder = path.is_dir()
    remove(path)
    path.mkdir() if was_folder else path.touch()


def damage(path: Path) -> None:
    """A page in the middle is no page any more."""
    content = bytearray(path.read_bytes())
    middle = len(content) // 4096 // 2 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(content)


@pytest.mark.long
def test_what_a_server_left_is_whole(data: Path) -> None:
    before = fingerprint(data)
    refuse_incomplete(data, is_key_given=False)
    assert fingerprint(data) == before


def test_an_empty_directory_and_none_are_a_new_beginning(tmp_path: Path) -> None:
    refuse_incomplete(tmp_path, is_key_given=False)
    refuse_incomplete(tmp_path / "none", is_key_given=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("part", [METADATA, SPOOL, STORE])
def test_a_part_that_is_missing(data: Path, part: str) -> None:
    remove(data / part)
    assert f"{WORDS[part]} is missing." in refused(data).text


@pytest.mark.parametrize(("part", "words"), [(METADATA, "is empty"), (SPOOL, "is empty"), (STORE, "is empty")])
def test_a_part_that_is_empty(data: Path, part: str, words: str) -> None:
    empty(data / part)
    assert f"{WORDS[part]} {words}" in refused(data).text


@pytest.mark.parametrize("part", [METADATA, SPOOL, STORE])
def test_a_part_of_another_installation(data: Path, replace: Replace, part: str) -> None:
    replace(part, "other")
    assert f"{WORDS[part]} belongs to a different installation than the" in refused(data).text


@pytest.mark.parametrize("part", [METADATA, SPOOL, STORE])
def test_an_older_copy_of_a_part(data: Path, replace: Replace, part: str) -> None:
    replace(part, "early")
    words = f"{WORDS[part]} is an older copy: it was last in use in epoch 1 and the rest in epoch 2."
    assert words in refused(data).text


@pytest.mark.parametrize("part", [METADATA, SPOOL])
def test_a_damaged_database(data: Path, part: str) -> None:
    damage(data / part)
    assert f"{WORDS[part]} is damaged: " in refused(data).text


@pytest.mark.parametrize("part", [METADATA, SPOOL])
def test_a_file_that_is_no_database(data: Path, part: str) -> None:
    (data / part).write_bytes(b"no database " * 1000)
    assert f"{WORDS[part]} is damaged: file is not a database." in refused(data).text


def test_a_damaged_stamp_of_the_store(data: Path) -> None:
    (data / STORE / "installation.json").write_bytes(b"{")
    assert "the event store (events) is damaged: installation.json is damaged" in refused(data).text


def test_an_event_store_without_its_tables(data: Path) -> None:
    remove(data / STORE / "store")
    assert "the event store (events) has no tables" in refused(data).text


@pytest.mark.parametrize("gone", ["metadata", "data"])
def test_an_event_store_without_one_of_its_folders(data: Path, gone: str) -> None:
    remove(data / STORE / gone)
    assert "the event store (events) has no tables" in refused(data).text


def test_an_event_store_that_was_copied_without_its_links(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data / STORE, tmp_path / "copy")
    remove(data / STORE)
    (tmp_path / "copy").rename(data / STORE)
    words = "the event store (events) is damaged: its links were replaced by copies (copy it with `cp -a`)."
    assert words in refused(data).text


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (METADATA, "it is a folder instead of a file"),
        (SPOOL, "it is a folder instead of a file"),
        (STORE, "it is a file instead of a folder"),
    ],
)
def test_a_part_of_the_wrong_kind(data: Path, part: str, words: str) -> None:
    was_folder = (data / part).is_dir()
    remove(data / part)
    (data / part).touch() if was_folder else (data / part).mkdir()
    assert f"{WORDS[part]} is damaged: {words}." in refused(data).text


def test_an_event_store_without_its_stamp(data: Path) -> None:
    (data / STORE / "installation.json").unlink()
    words = "the event store (events) is an older copy, made before this version was first used with the rest"
    assert words in refused(data).text


def test_several_parts_are_all_named(data: Path) -> None:
    remove(data / SPOOL)
    remove(data / STORE)
    text = refused(data).text
    assert f"{WORDS[SPOOL]} is missing; {WORDS[STORE]} is missing. The metadata has 1 user." in text


def test_all_three_missing_is_no_new_beginning(data: Path) -> None:
    for part in (METADATA, SPOOL, STORE):
        remove(data / part)
    assert (
        "metadata, spool and event store are missing, although secret.key and installation.json show that a server has "
        "run here" in refused(data).text
    )
    (data / "secret.key").unlink()
    assert "although installation.json shows that" in refused(data, is_key_given=True).text
    (data / "installation.json").rename(data / "spool.sqlite-wal")
    assert "although spool.sqlite-wal shows" in refused(data, is_key_given=True).text
    (data / "spool.sqlite-wal").unlink()
    refuse_incomplete(data, is_key_given=True)


def test_what_is_known_and_what_to_do(data: Path) -> None:
    remove(data / METADATA)
    nothing_known = refused(data)
    write_last_backup(data, LastBackup("2026-11-20T03:15:00.000Z", "/backups/one", 1))
    found = refused(data)
    assert found.text == (
        f"{data} is incomplete: the metadata (metadata.sqlite) is missing. The spool has acknowledged 5 events; 0 are "
        "queued; the event store holds 5 events."
    )
    assert "a backup (none is recorded here)" in nothing_known.advice
    assert "the last backup, of 2026-11-20 03:15 UTC," in found.advice
    assert "`tallyroom restore /backups/one --data DIR`" in found.advice
    assert "--start-over" in found.advice
    assert "--accept-loss" not in found.advice
    assert found.message == f"{found.text} {found.advice} Nothing was changed."


@pytest.mark.parametrize("part", [SPOOL, STORE])
def test_without_the_spool_or_the_store_a_server_could_go_on(data: Path, part: str) -> None:
    remove(data / part)
    assert "--accept-loss" in refused(data).advice


def test_doctor_and_backup_say_the_same(data: Path, tmp_path: Path) -> None:
    remove(data / STORE)
    found = refused(data)
    before = fingerprint(data)
    examined = call("doctor", "--data", data)
    lines = examined.stdout.splitlines()
    assert (examined.returncode, lines[0].split(maxsplit=2)) == (1, ["broken", "data", found.text])
    assert lines[1].strip() == f"→ {found.advice}"
    assert not any("server" in line.split()[1] for line in lines), examined.stdout
    saved = call("backup", tmp_path / "backup", "--data", data)
    assert (saved.returncode, saved.stderr) == (1, f"tallyroom: {found.message}\n")
    assert not (tmp_path / "backup").exists()
    after = fingerprint(data)
    del after[str(data / "server.lock")]
    assert after == before


def test_metadata_whose_users_are_gone(data: Path) -> None:
    """Such as a file that was killed and has lost the log beside it, in which the sign-up stood."""
    with closing(sqlite3.connect(data / METADATA)) as metadata, metadata:
        metadata.execute("DELETE FROM users")
    found = refused(data)
    assert f"{WORDS[METADATA]} has no users." in found.text
    assert "--accept-loss" not in found.advice


@pytest.mark.parametrize(
    ("table", "column"),
    [("bots", "webhook_secret"), ("external_sources", "token"), ("alert_channels", "secret")],
)
def test_a_key_is_missed_where_secrets_need_it(data: Path, table: str, column: str) -> None:
    (data / "secret.key").unlink()
    refuse_incomplete(data, is_key_given=False)
    with closing(sqlite3.connect(data / METADATA)) as metadata, metadata:
        metadata.execute("PRAGMA foreign_keys = OFF")
        names = [row[1] for row in metadata.execute(f"PRAGMA table_info({table})") if row[3]]
        values = ", ".join(["'x'"] * len(names))
        metadata.execute(
            f"INSERT INTO {table} ({', '.join(names)}, {column}) VALUES ({values}, 'encrypted')"
        )  # names of our own
        metadata.execute("INSERT INTO external_sources VALUES ('s', 'w', 'n', 'h', NULL, 'encrypted', 'abcd', 0, 0)")
        metadata.execute("INSERT INTO external_sources VALUES ('t', 'w', 'n', 'h', NULL, NULL, NULL, 0, 0)")
    refuse_incomplete(data, is_key_given=True)
    found = refused(data)
    assert "the key file (secret.key) is missing, so 2 stored secrets cannot be read" in found.text
    assert "TALLYROOM_SECRET_KEY" in found.advice
    assert "--accept-loss" in found.advice


def test_a_spool_of_a_later_version(data: Path) -> None:
    with closing(sqlite3.connect(data / SPOOL)) as spool:
        spool.execute("PRAGMA user_version = 999")
    with pytest.raises(SpoolTooNew, match="999"):
        refuse_incomplete(data, is_key_given=False)


def test_what_a_kill_left_is_read_and_not_touched(ran: Path, data: Path, tmp_path: Path) -> None:
    """The write-ahead log stands beside the file, and the newest stamp in it alone."""
    live = copied(ran / "late", tmp_path / "live")
    with closing(sqlite3.connect(live / SPOOL, isolation_level=None)) as spool:
        spool.execute("UPDATE stamp SET epoch = 9")
        for path in live.glob(f"{SPOOL}*"):
            copied(path, data / path.name)
    words = "the metadata (metadata.sqlite) is an older copy: it was last in use in epoch 2 and the rest in epoch 9"
    assert words in refused(data).text


class TestOfAnOlderVersion:
    """Directories that know neither installations nor epochs."""

    @pytest.mark.long
    def test_a_whole_one_is_taken(self, old_data: Path) -> None:
        refuse_incomplete(old_data, is_key_given=False)

    @pytest.mark.parametrize("part", [METADATA, SPOOL, STORE])
    def test_a_part_that_is_missing(self, old_data: Path, part: str) -> None:
        remove(old_data / part)
        assert f"{WORDS[part]} is missing" in refused(old_data).text

    @pytest.mark.parametrize("part", [METADATA, SPOOL, STORE])
    def test_a_part_that_is_empty(self, old_data: Path, part: str) -> None:
        empty(old_data / part)
        assert WORDS[part] in refused(old_data).text

    @pytest.mark.parametrize(
        ("name", "change", "words"),
        [
            (METADATA, "DELETE FROM users", f"{WORDS[METADATA]} has no users"),
            (SPOOL, "UPDATE number SET value = 0", f"{WORDS[SPOOL]} has never acknowledged an event"),
        ],
    )
    def test_a_part_that_was_made_anew(self, old_data: Path, name: str, change: str, words: str) -> None:
        """As an older version itself did when the file was gone."""
        with closing(sqlite3.connect(old_data / name)) as connection, connection:
            connection.execute(change)
        assert words in refused(old_data).text

    def test_a_store_that_was_made_anew(self, old_data: Path) -> None:
        for part in (old_data / STORE / "data" / "default" / "events").resolve().glob("2*"):
            remove(part)
        assert f"{WORDS[STORE]} has no events" in refused(old_data).text

    def test_one_without_any_data_is_a_new_beginning(self, old_data: Path) -> None:
        """As a first start leaves it that was cut short."""
        remove(old_data / STORE)
        remove(old_data / SPOOL)
        with closing(sqlite3.connect(old_data / METADATA)) as connection, connection:
            connection.execute("DELETE FROM users")
        refuse_incomplete(old_data, is_key_given=False)

    @pytest.mark.parametrize("part", [SPOOL, STORE])
    def test_its_parts_are_older_than_those_of_this_version(self, ran: Path, old_data: Path, part: str) -> None:
        remove(old_data / part)
        copied(ran / "late" / part, old_data / part)
        assert f"{WORDS[METADATA]} is older than" in refused(old_data).text
