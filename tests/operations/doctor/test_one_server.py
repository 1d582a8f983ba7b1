"""Each finding is one line, says how bad it is, and what to do."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.builders.backups import COUNTS, FakeStoreAccess
from harness.stores.event_store import NOW_MS
from harness.suite.few import few
from tallyroom.core.errors import Unavailable
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.progress import NoProgress
from tallyroom.operations.backup.store_access import StoreAccess, StoreCondition
from tallyroom.operations.doctor.findings import Finding
from tallyroom.operations.doctor.one_server import examine_server
from tallyroom.operations.installation.refusal import IncompleteInstallation
from tallyroom.storage.event_store.part_check import CheckedPart
from tallyroom.storage.metadata.migrate import migrate
from tallyroom.storage.metadata.stamp import begin_epoch, open_for_writing
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.stamp import Stamp

PARTS = [CheckedPart("events", "202611_1_1_0", 2), CheckedPart("actor_labels", "all_1_1_0", 1)]


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    migrate(data / "metadata.sqlite")
    with closing(Spool(data / "spool.sqlite", os.urandom)):
        yield data


def look(data: Path, clock: Any, access: StoreAccess | Exception, *, quick: bool = False) -> dict[str, list[Finding]]:
    """The findings by subject."""

    def reach() -> AbstractContextManager[StoreAccess]:
        if isinstance(access, Exception):
            raise access
        return nullcontext(access)

    settings = Settings(data=str(data), disk_reserve_bytes=0)
    found: dict[str, list[Finding]] = {}
    for finding in examine_server(reach, settings, clock, NoProgress(), quick=quick):
        found.setdefault(finding.subject, []).append(finding)
    return found


def counted(access: FakeStoreAccess, **fields: int) -> FakeStoreAccess:
    """The spool's counts changed."""
    counts = msgspec.structs.replace(COUNTS, **fields)
    return access.with_condition(balance=msgspec.structs.replace(access.answer.balance, counts=counts))


@pytest.mark.parametrize(("minutes", "is_reported"), [(9, False), (10, True)])
def test_alerts_that_wait_for_ten_minutes_are_reported(
    data: Path, fake_clock: Any, minutes: int, is_reported: bool
) -> None:
    with closing(sqlite3.connect(data / "metadata.sqlite")) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        for name, enabled, evaluated_minute in (("waits", 1, -1), ("paused", 0, -1), ("evaluated", 1, 0)):
            connection.execute(
                "INSERT INTO alerts (id, workspace_id, environment, name, filters, condition, window_minutes, severity,"
                " cooldown_minutes, enabled, status, evaluated_at_ms, delayed_since_ms, created_at_ms, updated_at_ms)"
                " VALUES (?, 'w', 'production', '', '[]', 'nodata', 1, 'warning', 1, ?, 'ok', ?, ?, 0, 0)",
                (name, enabled, NOW_MS + evaluated_minute * 60_000, NOW_MS),
            )
        connection.commit()
    fake_clock.advance(minutes * 60)
    found = look(data, fake_clock, FakeStoreAccess(parts=PARTS)).get("alerts", [])
    assert [finding.state for finding in found] == ["warning"] * is_reported
    if is_reported:
        assert found[0].text.startswith("1 alert has kept its status since 2026-11-20 12:00 UTC: the newest events")


def test_a_healthy_server(data: Path, fake_clock: Any) -> None:
    fake_clock.advance(10**9)  # after whatever the clock of this machine says
    found = look(data, fake_clock, FakeStoreAccess(parts=PARTS))
    assert {subject: [finding.state for finding in findings] for subject, findings in found.items()} == {
        "server": ["ok"],
        "versions": ["ok"],
        "events": ["ok"],
        "store": ["ok"],
        "metadata": ["ok"],
        "spool": ["ok"],
        "disk": ["ok"],
        "files": ["ok"],
        "clock": ["ok"],
        "mail": ["warning"],
        "backup": ["warning"],
    }
    assert found["server"][0].text == "runs as process 1"
    assert found["events"][0].text == "5 acknowledged = 3 in the store + 2 queued + 0 put aside + 0 erased"
    assert found["store"][0].text == "2 parts with 3 rows read, all undamaged"


@pytest.mark.long
def test_a_stopped_server(data: Path, fake_clock: Any) -> None:
    found = look(data, fake_clock, FakeStoreAccess().with_condition(process=os.getpid()))
    assert found["server"] == [Finding("server", "ok", "is not running")]
    assert found["queue"] == [Finding("queue", "ok", "2 are queued until the server next starts")]


@pytest.mark.long
def test_a_store_that_cannot_be_reached_does_not_hide_the_rest(data: Path, fake_clock: Any) -> None:
    found = look(data, fake_clock, Unavailable("The server does not answer.\nCode: 1"))
    assert (found["server"][0].state, found["server"][0].text) == ("broken", "The server does not answer.")
    assert {"metadata", "spool", "disk"} <= found.keys()
    assert "events" not in found


def test_no_data_at_all(tmp_path: Path, fake_clock: Any) -> None:
    found = look(tmp_path / "none", fake_clock, FakeStoreAccess())
    assert [finding.state for findings in found.values() for finding in findings] == ["broken"]
    assert "There is no Tallyroom data in" in found["data"][0].text


def test_workers_whose_servers_are_not_named(data: Path, fake_clock: Any) -> None:
    (data / "workers").mkdir()
    [[finding]] = look(data, fake_clock, FakeStoreAccess()).values()
    assert (finding.subject, finding.state) == ("data", "broken")
    assert "has the spools of several workers" in finding.text
    assert "Set TALLYROOM_DB_DSN" in finding.advice


@few(
    3,
    ("fields", "state", "words"),
    [
        ({"left_spool": 4}, "broken", "cannot account for -1"),
        ({"queued": 1}, "broken", "cannot account for 1"),
        ({"left_spool": 4, "acknowledged": 6}, "broken", "1 are missing from the store"),
        ({"left_spool": 2, "queued": 3}, "broken", "1 are in the store more than once"),
        ({"left_spool": 4, "acknowledged": 6, "erasing": 1}, "ok", "6 acknowledged"),
        ({"left_spool": 2, "queued": 3, "claimed": 1}, "ok", "5 acknowledged"),
        ({"left_spool": 5, "acknowledged": 7, "dead_letters": 1, "erased": 1}, "ok", "1 put aside + 1 erased"),
        ({"left_spool": 5, "acknowledged": 7, "written_off": 2}, "ok", "0 put aside + 0 erased + 2 lost"),
    ],
)
def test_whether_events_add_up(data: Path, fake_clock: Any, fields: dict[str, int], state: str, words: str) -> None:
    [finding] = look(data, fake_clock, counted(FakeStoreAccess(), **fields))["events"]
    assert finding.state == state
    assert words in finding.text
    assert bool(finding.advice) == (state == "broken")


def test_counts_of_a_store_that_takes_nothing_are_not_called_broken(data: Path, fake_clock: Any) -> None:
    access = counted(FakeStoreAccess(), left_spool=4, acknowledged=6).with_condition(
        failing="Code: 243. no space\nmore"
    )
    balance = msgspec.structs.replace(access.answer.balance, exact=False)
    found = look(data, fake_clock, access.with_condition(balance=balance))
    assert found["events"][0].state == "warning"
    assert found["queue"][0].state == "broken"
    assert found["queue"][0].text.endswith("Code: 243. no space")


def test_what_was_given_up_stays_known(data: Path, fake_clock: Any) -> None:
    with open_for_writing(data / "metadata.sqlite") as metadata:
        begin_epoch(metadata, Stamp("a", 0), 1, [(fake_clock.now_ms(), "the spool is missing")])
    [finding] = look(data, fake_clock, FakeStoreAccess())["lost"]
    assert (finding.state, finding.text) == (
        "warning",
        "When the server started at 2026-11-20 12:00 UTC, the spool is missing.",
    )


def test_the_refusal_of_a_start_is_told_once(data: Path, fake_clock: Any) -> None:
    found = look(data, fake_clock, IncompleteInstallation("The spool is missing.", "Put it back."))
    assert "server" not in found


def test_an_interrupted_erasure_is_to_be_asked_again(data: Path, fake_clock: Any) -> None:
    for access in (counted(FakeStoreAccess(), erasing=1), FakeStoreAccess().with_condition(unfinished_deletions=1)):
        assert look(data, fake_clock, access)["erasure"][0].state == "warning"


def test_property_columns_are_listed_with_the_months_that_are_not_filled(data: Path, fake_clock: Any) -> None:
    assert "property columns" not in look(data, fake_clock, FakeStoreAccess())
    access = FakeStoreAccess().with_condition(property_columns=["plan (strings)", "a\nb (numbers)"])
    [finding] = look(data, fake_clock, access)["property columns"]
    assert (finding.state, finding.text) == ("ok", "2: plan (strings), a b (numbers)")
    [finding] = look(data, fake_clock, access.with_condition(unfilled_months=3))["property columns"]
    assert finding.text == "2: plan (strings), a b (numbers); months that are not filled yet: 3"


def test_months_that_are_not_filled_are_counted_until_there_are_none(data: Path, fake_clock: Any) -> None:
    [finding] = look(data, fake_clock, FakeStoreAccess().with_condition(unfilled_number_months=3))["numbers"]
    assert finding.state == "ok"
    assert finding.text == "3 months left in which numbers beyond a double are not told apart yet"
    assert "numbers" not in look(data, fake_clock, FakeStoreAccess())


def test_dead_letters_are_told_with_their_reasons(data: Path, fake_clock: Any) -> None:
    access = counted(FakeStoreAccess(), dead_letters=3, left_spool=6, acknowledged=8)
    access.with_condition(reasons=[("Code: 27. cannot parse\nat row 1", 2), ("y", 1)])
    [finding] = look(data, fake_clock, access)["put aside"]
    assert finding.state == "warning"
    assert (
        finding.text
        == "3 could not be stored and are missing from every answer: 2 with Code: 27. cannot parse; 1 with y"
    )


def test_records_of_the_spool_that_were_set_right_are_told(data: Path, fake_clock: Any) -> None:
    findings = look(data, fake_clock, counted(FakeStoreAccess(), mended_records=2))["spool"]
    assert [finding.text for finding in findings if finding.state == "warning"] == [
        "2 of its own records had changed on the disk and were repaired"
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [({"program": "0.0.1"}, "The server runs 0.0.1"), ({"store_schema": 0}, "0 (event store)")],
)
def test_versions_that_differ(data: Path, fake_clock: Any, fields: dict[str, object], words: str) -> None:
    [finding] = look(data, fake_clock, FakeStoreAccess().with_condition(**fields))["versions"]
    assert finding.state == "warning"
    assert words in finding.text


def test_damaged_parts_are_named(data: Path, fake_clock: Any) -> None:
    bad = CheckedPart("events", "202610_1_1_0", 9, "Code: 40. checksum")
    access = FakeStoreAccess(parts=[*PARTS, bad]).with_condition(damage=["events/broken_x: set aside (broken), 7 rows"])
    found = look(data, fake_clock, access)["store"]
    assert [finding.state for finding in found] == ["broken", "broken"]
    assert found[0].text == "events/broken_x: set aside (broken), 7 rows: missing from every answer."
    assert found[1].text == "events/202610_1_1_0 with 9 rows is damaged: Code: 40. checksum"


def test_quick_reads_no_part(data: Path, fake_clock: Any) -> None:
    access = FakeStoreAccess(parts=PARTS)
    assert look(data, fake_clock, access, quick=True)["store"][0].text == "2 parts, not read"
    assert access.asked == ["condition"]


def test_a_damaged_database_is_broken(data: Path, fake_clock: Any) -> None:
    with closing(sqlite3.connect(data / "metadata.sqlite")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (data / "metadata.sqlite").write_bytes(b"no database " * 1000)
    [finding] = look(data, fake_clock, FakeStoreAccess())["metadata"]
    assert finding.state == "broken"
    assert "file is not a database" in finding.text


@pytest.mark.long
@pytest.mark.parametrize("name", ["metadata", "spool"])
def test_an_empty_database_is_broken(data: Path, fake_clock: Any, name: str) -> None:
    for path in data.glob(f"{name}.sqlite*"):
        path.unlink()
    (data / f"{name}.sqlite").touch()
    [finding] = look(data, fake_clock, FakeStoreAccess())[name]
    assert (finding.state, finding.text) == ("broken", f"{name}.sqlite is damaged: it is empty")


def test_the_condition_goes_over_the_wire() -> None:
    condition = FakeStoreAccess().answer
    assert msgspec.json.decode(msgspec.json.encode(condition), type=StoreCondition) == condition
