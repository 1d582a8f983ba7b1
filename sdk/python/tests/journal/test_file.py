"""A journal's file, cut off or damaged anywhere, with one owner or two."""

import os
from pathlib import Path

import pytest

from tallyroom_client.cut import CutLimit
from tallyroom_client.journal.file import JournalFile
from tallyroom_client.journal.records import AcknowledgementRecord, CutRecord, RefusalRecord

EVENTS = [b'{"name":"e%d"}' % number for number in range(6)]


def written(path: Path) -> bytes:
    """Six events; the first two are acknowledged, and one of the next two is refused."""
    file = JournalFile(path, is_own=True)
    for event in EVENTS[:4]:
        file.append_event(event)
    for key, record in (("a", AcknowledgementRecord("a", 202)), ("b", RefusalRecord("b", (1,)))):
        gathered = file.gather(CutLimit(2))
        assert gathered
        file.write(CutRecord(key, gathered.offsets[0], gathered.end, 2, 0).line())
        file.settle(record)
    for event in EVENTS[4:]:
        file.append_event(event)
    gathered = file.gather(CutLimit(2))
    assert gathered
    assert gathered.events == [EVENTS[2], EVENTS[4]]
    file.write(CutRecord("c", gathered.offsets[0], gathered.end, 2, 0).line())
    file.close()
    return path.read_bytes()


def waiting(path: Path) -> list[bytes]:
    """What a new owner of the file sends, in order."""
    file = JournalFile(path, is_own=False)
    events = []
    number = 0
    while not file.is_settled:
        if file.open_cut is None:
            gathered = file.gather(CutLimit(3))
            assert gathered
            number += 1
            file.write(CutRecord(f"n{number}", gathered.offsets[0], gathered.end, len(gathered.events), 0).line())
        cut = file.open_cut
        assert cut
        events += file.load_cut(cut).events
        file.settle(AcknowledgementRecord(cut.key, 202))
    file.close()
    return events


def test_a_file_cut_off_at_every_byte_keeps_every_whole_event(tmp_path: Path) -> None:
    path = tmp_path / "j"
    whole = written(path)
    assert waiting(path) == [EVENTS[2], EVENTS[4], EVENTS[5]]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        expected = [event for event in EVENTS if b"%b}" % event in whole[:length]]
        if b'{"a":"a","s":202}' in whole[:length]:
            expected = expected[2:]
        if b'{"x":"b","i":[1]}' in whole[:length]:
            expected.remove(EVENTS[3])
        assert waiting(path) == expected, length


def test_a_file_with_any_byte_changed_loses_at_most_that_line(tmp_path: Path) -> None:
    path = tmp_path / "j"
    file = JournalFile(path, is_own=True)
    for event in EVENTS:
        file.append_event(event)
    file.close()
    whole = path.read_bytes()
    for index in range(len(whole)):
        path.write_bytes(whole[:index] + bytes([whole[index] ^ 1]) + whole[index + 1 :])
        lost = 2 if whole[index : index + 1] == b"\n" else 1
        assert len(waiting(path)) >= len(EVENTS) - lost


def test_of_two_owners_both_send_the_cut_that_was_written_first(tmp_path: Path) -> None:
    first = JournalFile(tmp_path / "j", is_own=True)
    for event in EVENTS:
        first.append_event(event)
    second = JournalFile(tmp_path / "j", is_own=False)
    for owner, limit, key in ((second, 2, "s"), (first, 4, "f")):
        gathered = owner.gather(CutLimit(limit))
        assert gathered
        owner.write(CutRecord(key, gathered.offsets[0], gathered.end, limit, 0).line())
    second.refresh()
    for owner in (first, second):
        assert owner.open_cut
        assert owner.open_cut.key == "s"
        assert owner.load_cut(owner.open_cut).events == EVENTS[:2]
    first.settle(AcknowledgementRecord("s", 202))
    second.refresh()
    assert (first.waiting_events, second.waiting_events) == (4, 4)
    assert second.open_cut is None
    first.close()
    second.close()


def test_a_short_write_is_an_error_and_the_next_event_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = JournalFile(tmp_path / "j", is_own=True)
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr("os.write", lambda descriptor, line: write(descriptor, line[:9]))
        with pytest.raises(OSError, match="room"):
            file.append_event(EVENTS[0])
    file.append_event(EVENTS[1])
    assert file.waiting_events == 1
    file.close()
    assert waiting(tmp_path / "j") == [EVENTS[1]]


def test_with_durable_disk_each_event_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", synced.append)
    file = JournalFile(tmp_path / "j", is_own=True, is_durable=True)
    file.append_event(EVENTS[0])
    file.append_event(EVENTS[1])
    file.close()
    assert len(synced) == 3  # the folder first
