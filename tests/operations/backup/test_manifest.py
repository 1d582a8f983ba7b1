"""What was written is read back, and nothing that was changed or made for another purpose."""

import stat
from pathlib import Path

import msgspec
import pytest

from tallyroom.core.data_directory import MANIFEST_FILE
from tallyroom.operations.backup.balance import EventBalance
from tallyroom.operations.backup.manifest import (
    MANIFEST_FORMAT,
    BackupDamaged,
    BackupTooNew,
    FileEntry,
    Manifest,
    SchemaVersions,
    TableEntry,
    read_manifest,
    write_manifest,
)
from tallyroom.storage.event_store.migrate import newest_version
from tallyroom.storage.metadata.migrate import newest_revision
from tallyroom.storage.spool.event_counts import SpoolCounts
from tallyroom.storage.spool.file import SCHEMA_VERSION

MANIFEST = Manifest(
    format=MANIFEST_FORMAT,
    program="9.9.9",
    engine="26.9",
    created="2026-11-20T12:00:00.000Z",
    schemas=SchemaVersions(newest_revision(), SCHEMA_VERSION, newest_version()),
    balance=EventBalance(SpoolCounts(7, 5, 3, 2, 0, 0, 0, 0, 6), 3, 0),
    tables={"events": TableEntry(3, {"202611": 3})},
    files=[FileEntry("spool.sqlite", 5, "ab"), FileEntry("store/events/202611_1_1_0/a%2Eb.bin", 7, "cd")],
)


def changed(folder: Path, **fields: object) -> None:
    (folder / MANIFEST_FILE).unlink(missing_ok=True)
    write_manifest(folder, msgspec.structs.replace(MANIFEST, **fields))


def test_it_comes_back_as_it_was_and_is_its_owners_alone(tmp_path: Path) -> None:
    write_manifest(tmp_path, MANIFEST)
    found = read_manifest(tmp_path)
    assert msgspec.structs.replace(found, seal="") == MANIFEST
    assert len(found.seal) == 64
    assert found.total_bytes == 12
    assert stat.S_IMODE((tmp_path / MANIFEST_FILE).stat().st_mode) == 0o600


def test_it_is_never_written_over(tmp_path: Path) -> None:
    write_manifest(tmp_path, MANIFEST)
    with pytest.raises(FileExistsError):
        write_manifest(tmp_path, MANIFEST)


@pytest.mark.parametrize("bits", [1, pytest.param(8, marks=pytest.mark.long)])
def test_a_flip_of_any_bit_is_found(tmp_path: Path, bits: int) -> None:
    """Of so many bits of each byte: with one it is another bit from byte to byte."""
    write_manifest(tmp_path, MANIFEST)
    path = tmp_path / MANIFEST_FILE
    content = path.read_bytes()
    for index in range(len(content)):
        for bit in range(bits):
            flipped = content[index] ^ 1 << (index + bit) % 8
            path.write_bytes(content[:index] + bytes([flipped]) + content[index + 1 :])
            with pytest.raises((BackupDamaged, BackupTooNew), match=r"manifest\.json is damaged|knows form 2"):
                read_manifest(tmp_path)


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"\xff", b'{"format":1,"program":"1"}', b'{"x":' + b"[" * 100_000]
)
def test_what_is_no_manifest_is_damaged(tmp_path: Path, content: bytes) -> None:
    (tmp_path / MANIFEST_FILE).write_bytes(content)
    with pytest.raises(BackupDamaged, match=r"manifest\.json is damaged"):
        read_manifest(tmp_path)


def test_a_folder_without_one_is_no_backup(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(BackupDamaged, match="is not a complete backup"):
            read_manifest(folder)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"format": MANIFEST_FORMAT + 1}, "format 3, but this version supports format 2"),
        ({"schemas": SchemaVersions("9999_later", 1, 1)}, "metadata schema 9999_later"),
        ({"schemas": SchemaVersions(newest_revision(), 99, 1)}, "spool schema 99"),
        ({"schemas": SchemaVersions(newest_revision(), 1, 99)}, "event store schema 99"),
    ],
)
def test_a_newer_one_is_refused_in_one_sentence(tmp_path: Path, fields: dict[str, object], words: str) -> None:
    changed(tmp_path, **fields)
    with pytest.raises(BackupTooNew) as refused:
        read_manifest(tmp_path)
    assert words in refused.value.message
    assert "Use Tallyroom 9.9.9" in refused.value.message
    assert "\n" not in refused.value.message


def test_an_older_schema_is_taken(tmp_path: Path) -> None:
    changed(tmp_path, schemas=SchemaVersions("0001_identity", 1, 0))
    assert read_manifest(tmp_path).schemas.store == 0


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../outside",
        "store/../../outside",
        "store/events/../../spool.sqlite",
        "store/events/part/..",
        "store/events/part/./x",
        "store/events/part",
        "server.lock",
        "spool.sqlite-wal",
        "store//events/part/file",
        "store/events/part/a\nb",
        "",
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(tmp_path: Path, path: str) -> None:
    changed(tmp_path, files=[FileEntry(path, 1, "ab")])
    with pytest.raises(BackupDamaged):
        read_manifest(tmp_path)
