"""Hashes that identify rows permanently, by the id in a column and the name of the event."""

import hashlib
from typing import Final

import msgspec

from tallyroom.import_export.batch import ImportBatch
from tallyroom.import_export.row import FileRow, RowRefused, find, text_of

_HASH_BYTES: Final = 16


class _Named(msgspec.Struct):
    name: str


_decode = msgspec.json.Decoder(_Named).decode


class IdHashes:
    """Computes the hashes of rows.

    The name counts, too, because order 17 is not customer 17. Id 17 is the same whether it is text or a number.

    Args:
        column: the column with the id; a dotted path reaches into an object.
        absent: a cell of this text counts as empty.
    """

    def __init__(self, column: str, absent: str = "") -> None:
        self._column = column
        self._absent = absent

    def __call__(self, row: FileRow, item: bytes) -> bytes:
        """Return a hash of 16 bytes.

        Raises:
            RowRefused: the row has no id.
        """
        cell = find(row.cells, self._column)
        text = "" if cell is None or cell == self._absent else text_of(cell, self._column)
        if not text:
            raise RowRefused(f"{self._column}: is missing or empty, so --id cannot tell the row from others")
        name = _name_of(item)
        content = f"{len(name)}:{name}{text}".encode(errors="surrogateescape")
        return hashlib.blake2b(content, digest_size=_HASH_BYTES).digest()


class HashedBatchKeys:
    """Names batches by the rows that they hold, wherever those stand."""

    def name(self, batch: ImportBatch, first: int) -> str:  # noqa: ARG002 # the position does not matter here
        """The key of a batch."""
        content = hashlib.sha256(b"".join(row.id_hash for row in batch.rows))
        content.update(batch.body())
        return f"import-{content.hexdigest()}"


def _name_of(item: bytes) -> str:
    """The name of an event; empty where the server will refuse it."""
    try:
        return _decode(item).name
    except msgspec.MsgspecError:
        return ""
