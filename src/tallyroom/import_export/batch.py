"""Cuts the rows of a file into batches, always at the same places, and names each batch.

The cuts depend only on the rows. So a second run over the same file sends the same batches under the same names, and
the server counts each of them once.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from tallyroom.import_export.endpoint import Endpoint
from tallyroom.import_export.row import Cell, FileRow, RefusedRow, RowDisplay, RowRefused

_MAX_DISPLAY_BYTES: Final = 8 * 1024**2  # the file's content, kept in case a row is refused


class SentRow(NamedTuple):
    """A row to be sent; `display` is shown if it is refused, and `id_hash` is empty if nothing identifies the row."""

    line_number: int
    item_json: bytes
    display: RowDisplay
    id_hash: bytes = b""


ItemBuilder = Callable[[FileRow], bytes]
"""Returns the JSON to send for a row, on one line, or raises `RowRefused`."""

RowIdHasher = Callable[[FileRow, bytes], bytes]
"""Returns a nonempty hash that identifies a row, with its JSON, permanently; raises `RowRefused` without an ID."""


class BatchNamer(Protocol):
    """Gives batches their idempotency keys."""

    def name_batch(self, batch: "ImportBatch", previous_last_line_number: int) -> str:
        """Return the key of a batch that begins after line `previous_last_line_number`; called in order."""
        ...


@dataclass
class ImportBatch:
    """Consecutive rows of a file: the `rows` to send, as many as one request may hold, and the `refusals`.

    `last_line_number` is the line of the last row of either kind. `key`, the idempotency key, may be empty.
    """

    endpoint: Endpoint
    rows: list[SentRow] = field(default_factory=list)
    refusals: list[RefusedRow] = field(default_factory=list)
    last_line_number: int = 0
    key: str = ""
    _rows_bytes: int = 0
    _display_bytes: int = 0

    def has_room_for(self, row: SentRow | RefusedRow) -> bool:
        """Return whether one more row fits into the request, and what is kept of the row into memory."""
        row_count = max(len(self.rows), len(self.refusals))
        if row_count >= self.endpoint.max_rows or self._display_bytes > _MAX_DISPLAY_BYTES:
            return False
        free_bytes = self.endpoint.max_bytes - self.endpoint.empty_body_bytes - self._rows_bytes
        return not (self.rows and isinstance(row, SentRow) and len(row.item_json) + 1 > free_bytes)

    def add(self, row: SentRow | RefusedRow) -> None:
        """Append the row."""
        if isinstance(row, SentRow):
            self.rows.append(row)
            self._rows_bytes += len(row.item_json) + 1
        else:
            self.refusals.append(row)
        self.last_line_number = row.line_number
        contents: Iterable[Cell | bytes] = [row.display] if isinstance(row.display, bytes) else row.display.values()
        self._display_bytes += sum(len(content if isinstance(content, str) else bytes(content)) for content in contents)

    def build_body(self) -> bytes:
        """Return the body of the request that sends the rows."""
        return self.endpoint.build_body([row.item_json for row in self.rows])


class FileBatchNamer:
    """Names batches by file, mapping and position; a stream, without a `file_digest`, by all rows so far."""

    def __init__(self, file_digest: bytes | None, mapping_fingerprint: bytes) -> None:
        self._is_stream = file_digest is None
        self._hash = hashlib.sha256(hashlib.sha256(mapping_fingerprint).digest() + (file_digest or b""))

    def name_batch(self, batch: ImportBatch, previous_last_line_number: int) -> str:
        """See `BatchNamer.name_batch`."""
        if self._is_stream:
            self._hash.update(batch.build_body())
        batch_hash = self._hash.copy()
        batch_hash.update(f"{previous_last_line_number}-{batch.last_line_number}".encode())
        return f"import-{batch_hash.hexdigest()}"


def split_batches(
    rows: Iterable[SentRow | RefusedRow], endpoint: Endpoint, batch_namer: BatchNamer | None = None
) -> Iterator[ImportBatch]:
    """Yield the batches of a file, in order; without `batch_namer`, they have no keys."""
    batch, previous_last_line_number = ImportBatch(endpoint), 0

    def name_current() -> ImportBatch:
        batch.key = batch_namer.name_batch(batch, previous_last_line_number) if batch_namer else ""
        return batch

    for row in rows:
        if not batch.has_room_for(row):
            yield name_current()
            batch, previous_last_line_number = ImportBatch(endpoint), batch.last_line_number
        batch.add(row)
    if batch.last_line_number:
        yield name_current()


def build_rows(
    rows: Iterable[FileRow | RefusedRow],
    build_item: ItemBuilder,
    endpoint: Endpoint,
    hash_id: RowIdHasher | None = None,
) -> Iterator[SentRow | RefusedRow]:
    """Yield the rows of a file as they are sent, in order; without `hash_id`, they have no id hashes."""
    for row in rows:
        yield row if isinstance(row, RefusedRow) else _build_row(row, build_item, endpoint, hash_id)


def _build_row(
    row: FileRow, build_item: ItemBuilder, endpoint: Endpoint, hash_id: RowIdHasher | None
) -> SentRow | RefusedRow:
    try:
        item_json = build_item(row)
        id_hash = hash_id(row, item_json) if hash_id else b""
    except RowRefused as error:
        return RefusedRow(row.line_number, str(error), row.display)
    if len(item_json) + endpoint.empty_body_bytes > endpoint.max_bytes:
        reason = f"the row is {len(item_json)} bytes, more than a request can hold"
        return RefusedRow(row.line_number, reason, row.display)
    return SentRow(row.line_number, item_json, row.display, id_hash)
