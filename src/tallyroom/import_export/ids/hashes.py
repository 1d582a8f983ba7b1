"""Hashes that identify rows permanently, by the id in a column and the name of the event."""

import hashlib
from typing import Final

import msgspec

from tallyroom.import_export.batch import ImportBatch
from tallyroom.import_export.row import FileRow, RowRefused, find_cell, text_of

_HASH_BYTES: Final = 16


class _NamedEvent(msgspec.Struct):
    name: str


_decode_event = msgspec.json.Decoder(_NamedEvent).decode


class IdHasher:
    """Computes the hashes of rows by the name, because order 17 is not customer 17, and the ID, as text or number.

    A dotted path in `column` reaches into an object. A cell equal to `empty_text` counts as empty.
    """

    def __init__(self, column: str, empty_text: str = "") -> None:
        self._column = column
        self._empty_text = empty_text

    def __call__(self, row: FileRow, item_json: bytes) -> bytes:
        """Return a hash of 16 bytes, or raise `RowRefused` if the row has no id."""
        cell = find_cell(row.cells, self._column)
        id_text = "" if cell is None or cell == self._empty_text else text_of(cell, self._column)
        if not id_text:
            raise RowRefused(f"{self._column}: is missing or empty, so --id cannot tell the row from others")
        name = _read_event_name(item_json)
        content = f"{len(name)}:{name}{id_text}".encode(errors="surrogateescape")
        return hashlib.blake2b(content, digest_size=_HASH_BYTES).digest()


class ContentBatchNamer:
    """Names batches by their rows, independent of the position in the file."""

    def name_batch(self, batch: ImportBatch, previous_last_line_number: int) -> str:  # noqa: ARG002 # the position does not matter here
        """See `BatchNamer.name_batch`."""
        content_hash = hashlib.sha256(b"".join(row.id_hash for row in batch.rows))
        content_hash.update(batch.build_body())
        return f"import-{content_hash.hexdigest()}"


def _read_event_name(item_json: bytes) -> str:
    """Return the name of an event; empty if the server will refuse it."""
    try:
        return _decode_event(item_json).name
    except msgspec.MsgspecError:
        return ""
