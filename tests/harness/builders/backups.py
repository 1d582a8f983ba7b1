"""A backup made by hand, and a store access that says what a test wants."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tallyroom.operations.backup.balance import EventBalance
from tallyroom.operations.backup.manifest import (
    MANIFEST_FORMAT,
    FileEntry,
    Manifest,
    SchemaVersions,
    TableEntry,
    write_manifest,
)
from tallyroom.operations.backup.store_access import FrozenStore, StoreCondition
from tallyroom.storage.event_store.migrate import newest_version
from tallyroom.storage.event_store.part_check import CheckedPart
from tallyroom.storage.metadata.migrate import newest_revision
from tallyroom.storage.spool.event_counts import SpoolCounts
from tallyroom.storage.spool.file import SCHEMA_VERSION

COUNTS = SpoolCounts(
    spool=7, acknowledged=5, left_spool=3, queued=2, claimed=0, dead_letters=0, erased=0, erasing=0, next_seq=6
)
BALANCE = EventBalance(COUNTS, 3, 0)
CONDITION = StoreCondition(
    program="0.1.0",
    engine="26.9",
    process=1,
    store_schema=newest_version(),
    spool_schema=SCHEMA_VERSION,
    failing="",
    parts=2,
    damage=[],
    unfinished_deletions=0,
    reasons=[],
    balance=BALANCE,
)
FILES = {
    "metadata.sqlite": b"metadata",
    "spool.sqlite": b"spool" * 1000,
    "store/events/202611_1_1_0/data.bin": b"\x00" * 3_000_000,
    "store/events/202611_1_1_0/count.txt": b"3",
    "store/actor_labels/all_1_1_0/count.txt": b"",
}


def make_by_hand(folder: Path) -> Manifest:
    """A backup in `folder` whose files hold `FILES`; no store and no database could read them."""
    entries = []
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        entries.append(FileEntry(name, len(content), hashlib.sha256(content).hexdigest()))
    manifest = Manifest(
        format=MANIFEST_FORMAT,
        program="0.1.0",
        engine="26.9",
        created="2026-11-20T12:00:00.000Z",
        schemas=SchemaVersions(newest_revision(), SCHEMA_VERSION, newest_version()),
        balance=BALANCE,
        tables={"events": TableEntry(3, {"202611": 3}), "actor_labels": TableEntry(0, {})},
        files=entries,
    )
    write_manifest(folder, manifest)
    return manifest


class FakeStoreAccess:
    """Answers what it was given, and writes down what it was asked."""

    def __init__(self, *, condition: StoreCondition = CONDITION, parts: list[CheckedPart] | None = None) -> None:
        self.asked: list[str] = []
        self.answer = condition
        self.parts = parts or []
        self.frozen = FrozenStore(folders={}, balance=BALANCE, schema=newest_version(), engine="26.9")

    def freeze(self) -> FrozenStore:
        self.asked.append("freeze")
        return self.frozen

    def release_drain(self) -> None:
        self.asked.append("release")

    def thaw(self) -> None:
        self.asked.append("thaw")

    def read_condition(self) -> StoreCondition:
        self.asked.append("condition")
        return self.answer

    def check_parts(self) -> Iterator[CheckedPart]:
        self.asked.append("check")
        yield from self.parts

    def with_condition(self, **fields: object) -> "FakeStoreAccess":
        """The same, in another condition."""
        self.answer = msgspec.structs.replace(self.answer, **fields)
        return self
