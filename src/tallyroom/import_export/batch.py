"""Cuts the rows of a file into batches, always at the same places, and names each batch.

Where it cuts depends only on the rows, never on time or on how many batches are under way. A second run over the same
file therefore sends the same batches under the same names, and the server counts each of them once.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from tallyroom.import_export.endpoint import Endpoint
from tallyroom.import_export.row import Cell, FileRow, RefusedRow, RowRefused, Shown

_MAX_DISPLAY: Final = 8 * 1024**2  # of the file's content, kept in case a row is refused


class SentRow(NamedTuple):
    """A row to be sent.

    Attributes:
        line: the line of the row in the file.
        item: the JSON that is sent, in compact form.
        display: what to show if the server refuses the row.
        id_hash: identifies the row permanently; empty if nothing does.
    """

    line: int
    item: bytes
    display: Shown
    id_hash: bytes = b""


class MakeItem(Protocol):
    """Turns a row into the JSON to send."""

    def __call__(self, row: FileRow) -> bytes:
        """Return JSON on one line.

        Raises:
            RowRefused: the row cannot be sent.
        """
        ...


class MakeIdHash(Protocol):
    """Computes, from a row and the JSON to send, the hash that identifies the row permanently."""

    def __call__(self, row: FileRow, item: bytes) -> bytes:
        """Return a few bytes, never none.

        Raises:
            RowRefused: the row has no id.
        """
        ...


class NameBatch(Protocol):
    """Gives batches their idempotency keys."""

    def name(self, batch: "ImportBatch", first: int) -> str:
        """The key of a batch that begins behind line `first`; to be asked in order."""
        ...


@dataclass
class ImportBatch:
    """Consecutive rows of a file.

    Attributes:
        endpoint: where they are sent.
        rows: the rows to send, at most as many as one request may hold.
        refusals: the rows that are not sent.
        last: the line of the last row of either kind.
        key: the idempotency key; empty if none is needed.
    """

    endpoint: Endpoint
    rows: list[SentRow] = field(default_factory=list)
    refusals: list[RefusedRow] = field(default_factory=list)
    last: int = 0
    key: str = ""
    _body: int = 0
    _display_bytes: int = 0

    def has_room_for(self, row: SentRow | RefusedRow) -> bool:
        """Return whether one more row fits into the request, and what is kept of it into memory."""
        if max(len(self.rows), len(self.refusals)) >= self.endpoint.most_rows or self._display_bytes > _MAX_DISPLAY:
            return False
        room = self.endpoint.most_bytes - self.endpoint.frame_bytes - self._body
        return not (self.rows and isinstance(row, SentRow) and len(row.item) + 1 > room)

    def add(self, row: SentRow | RefusedRow) -> None:
        """Append the row."""
        if isinstance(row, SentRow):
            self.rows.append(row)
            self._body += len(row.item) + 1
        else:
            self.refusals.append(row)
        self.last = row.line
        display = row.display
        self._display_bytes += len(display) if isinstance(display, bytes) else sum(map(_length, display.values()))

    def body(self) -> bytes:
        """Return the body of the request that sends the rows."""
        return self.endpoint.body([row.item for row in self.rows])


class BatchKeys:
    """Names batches by the content of the file, the mapping, and the position in the file.

    The content of a stream is not known beforehand; for a stream, all rows up to the end of the batch are used instead.

    Args:
        digest: the digest of the file; None for a stream.
        mapping: bytes that distinguish the mapping from others.
    """

    def __init__(self, digest: bytes | None, mapping: bytes) -> None:
        self._streams = digest is None
        self._hash = hashlib.sha256(hashlib.sha256(mapping).digest() + (digest or b""))

    def name(self, batch: ImportBatch, first: int) -> str:
        """The key of a batch that begins behind line `first`; to be asked in order."""
        if self._streams:
            self._hash.update(batch.body())
        position = self._hash.copy()
        position.update(f"{first}-{batch.last}".encode())
        return f"import-{position.hexdigest()}"


def cut(
    items: Iterable[SentRow | RefusedRow], endpoint: Endpoint, keys: NameBatch | None = None
) -> Iterator[ImportBatch]:
    """Yield the batches of a file, in order; without `keys`, they have no names."""
    batch, first = ImportBatch(endpoint), 0

    def named() -> ImportBatch:
        batch.key = keys.name(batch, first) if keys else ""
        return batch

    for item in items:
        if not batch.has_room_for(item):
            yield named()
            batch, first = ImportBatch(endpoint), batch.last
        batch.add(item)
    if batch.last:
        yield named()


def made(
    items: Iterable[FileRow | RefusedRow], make: MakeItem, endpoint: Endpoint, id_hash: MakeIdHash | None = None
) -> Iterator[SentRow | RefusedRow]:
    """Yield the rows of a file as they are sent, in order; without `id_hash`, nothing identifies them."""
    for item in items:
        yield item if isinstance(item, RefusedRow) else _made(item, make, endpoint, id_hash)


def _made(row: FileRow, make: MakeItem, endpoint: Endpoint, make_id_hash: MakeIdHash | None) -> SentRow | RefusedRow:
    try:
        item = make(row)
        id_hash = make_id_hash(row, item) if make_id_hash else b""
    except RowRefused as error:
        return RefusedRow(row.line, str(error), row.display)
    if len(item) + endpoint.frame_bytes > endpoint.most_bytes:
        return RefusedRow(row.line, f"the row has {len(item)} bytes, more than a whole request may have", row.display)
    return SentRow(row.line, item, row.display, id_hash)


def _length(cell: Cell) -> int:
    return len(cell) if isinstance(cell, str) else len(bytes(cell))
