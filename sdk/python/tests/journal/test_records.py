"""The lines of sdk/JOURNAL.md, with the vectors that every language shares."""

import json
from pathlib import Path
from typing import Any

import pytest

from tallyroom_client.cut import CutLimit
from tallyroom_client.journal.file import JournalFile
from tallyroom_client.journal.records import (
    AcknowledgementRecord,
    CutRecord,
    DroppedRecord,
    RefusalRecord,
    event_line,
    read_content,
    read_record,
)

VECTORS = Path(__file__).parents[3] / "vectors"
LINES = [json.loads(line) for line in (VECTORS / "lines.jsonl").read_text("utf-8").splitlines()]
FILES = [json.loads(line) for line in (VECTORS / "files.jsonl").read_text("utf-8").splitlines()]
RECORDS = {
    "cut": CutRecord,
    "acknowledgement": AcknowledgementRecord,
    "refusal": RefusalRecord,
    "dropped": DroppedRecord,
}


@pytest.mark.parametrize("vector", LINES, ids=lambda vector: vector["about"])
def test_a_line_is_written_and_read_as_its_vector_says(vector: dict[str, Any]) -> None:
    line = vector["line"].encode()
    content = read_content(line[:-1])
    if "event" in vector:
        assert event_line(vector["event"].encode()) == line
        assert content == b'{"e":%b}' % vector["event"].encode()
    elif "record" in vector:
        kind, *values = vector["record"]
        record = RECORDS[kind](*[tuple(value) if isinstance(value, list) else value for value in values])
        assert record.line() == line
        assert content is not None
        assert read_record(content) == record
    else:
        assert content is None or read_record(content) is None


@pytest.mark.parametrize("vector", FILES, ids=lambda vector: vector["about"])
def test_a_file_means_what_its_vector_says(vector: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "q.000001.journal"
    path.write_bytes(vector["file"].encode())
    file = JournalFile(path, is_own=False)
    cut = file.open_cut
    events = file.load_cut(cut).events if cut else []
    uncut = None if cut else file.gather(CutLimit())
    meaning = {
        "waiting": file.waiting_events,
        "cut": [cut.key, [event.decode() for event in events]] if cut else None,
        "uncut": [event.decode() for event in uncut.events] if uncut else [],
    }
    file.close()
    assert meaning == vector["means"]
