"""What tells one row from another."""

import pytest

from tallyroom.import_export.batch import ImportBatch, SentRow
from tallyroom.import_export.endpoint import EVENTS_ENDPOINT
from tallyroom.import_export.ids.hashes import ContentBatchNamer, IdHasher
from tallyroom.import_export.ndjson import read_line
from tallyroom.import_export.row import FileRow, RowRefused


def row(line: bytes) -> FileRow:
    found = read_line(1, line)
    assert isinstance(found, FileRow)
    return found


def id_hash(line: bytes, item: bytes = b'{"name":"e"}') -> bytes:
    return IdHasher("id", "none")(row(line), item)


def test_an_id_is_the_same_as_text_as_a_number_and_in_csv() -> None:
    csv = IdHasher("id")(FileRow(1, {"id": "17"}, {}), b'{"name":"e"}')
    assert id_hash(b'{"id":17}') == id_hash(b'{"id":"17"}') == id_hash(b'{"id":"\\u0031\\u0037","x":1}') == csv
    assert len(csv) == 16


def test_other_ids_and_other_names_are_other_rows() -> None:
    hashes = {
        id_hash(b'{"id":%s}' % id_, b'{"name":"%s"}' % name)
        for id_ in (b"17", b"170", b'"0"', b'"17 "', b'"a1"', b'"1:a"')
        for name in (b"e", b"e1", b"1", b"a", b"E")
    }
    assert len(hashes) == 30


@pytest.mark.parametrize("line", [b"{}", b'{"id":null}', b'{"id":""}', b'{"id":true}', b'{"id":{"a":1}}', b'{"id":[]}'])
def test_a_row_without_an_id_is_refused(line: bytes) -> None:
    with pytest.raises(RowRefused, match=r"^id: is "):
        id_hash(line)


def test_a_cell_that_counts_as_empty_is_no_id() -> None:
    with pytest.raises(RowRefused, match="missing or empty"):
        IdHasher("id", "none")(FileRow(1, {"id": "none"}, {}), b"{}")


def test_a_row_whose_event_the_server_will_refuse_has_a_mark_too() -> None:
    assert len({id_hash(b'{"id":1}', item) for item in (b'{"name":7}', b"{}", b"[]", b'{"name":""}')}) == 1


def test_batches_of_the_same_events_but_other_rows_have_other_keys() -> None:
    """The column of the ids may be left out of what is sent."""

    def key(*hashes: bytes) -> str:
        return ContentBatchNamer().name_batch(
            ImportBatch(EVENTS_ENDPOINT, [SentRow(1, b'{"name":"e"}', b"", each) for each in hashes]), 0
        )

    assert len({key(b"a"), key(b"b"), key(b"a", b"b"), key(b"b", b"a")}) == 4
    assert key(b"a") == key(b"a")
