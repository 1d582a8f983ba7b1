"""Cuts the rows of a file into batches, always at the same places, and names each batch.

The cut depends on the rows alone, never on time or on how many batches are under way, so a second run over the same
file sends the same batches under the same names, and the server counts each of them once.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from tallyroom.transfer.endpoint import Endpoint
from tallyroom.transfer.row import Cell, FileRow, Refused, RowRefused, Shown

_MAX_SHOWN: Final = 8 * 1024**2  # of the file, kept for the case that a row is refused


class SentRow(NamedTuple):
    """A row that is sent.

    Attributes:
        line: where the row stands.
        item: what is sent of it, as compact JSON.
        shown: what to show when the server refuses it.
        id_hash: what tells it from other rows for good; empty where nothing does.
    """

    line: int
    item: bytes
    shown: Shown
    id_hash: bytes = b""


class MakeItem(Protocol):
    """Makes of a row what is sent of it."""

    def __call__(self, row: FileRow) -> bytes:
        """JSON on one line.

        Raises:
            RowRefused: the row cannot be sent.
        """
        ...


class MakeIdHash(Protocol):
    """Makes of a row, and of what is sent of it, what tells it from other rows for good."""

    def __call__(self, row: FileRow, item: bytes) -> bytes:
        """Few bytes, never none.

        Raises:
            RowRefused: the row does not say.
        """
        ...


class NameBatch(Protocol):
    """Gives batches their idempotency keys."""

    def name(self, batch: "ImportBatch", first: int) -> str:
        """The key of a batch that begins behind line `first`; to be asked in order."""
        ...


@dataclass
class ImportBatch:
    """Neighbouring rows of a file.

    Attributes:
        endpoint: where they go.
        rows: those that are sent, as many as one request may hold.
        refused: those that are not.
        last: line of the last of them all.
        key: the idempotency key; empty where none is needed.
    """

    endpoint: Endpoint
    rows: list[SentRow] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    last: int = 0
    key: str = ""
    _body: int = 0
    _shown: int = 0

    def has_room_for(self, taken: SentRow | Refused) -> bool:
        """Whether one request can hold the row too, and the memory what is kept of it."""
        if max(len(self.rows), len(self.refused)) >= self.endpoint.most_rows or self._shown > _MAX_SHOWN:
            return False
        room = self.endpoint.most_bytes - self.endpoint.frame_bytes - self._body
        return not (self.rows and isinstance(taken, SentRow) and len(taken.item) + 1 > room)

    def add(self, taken: SentRow | Refused) -> None:
        """Put the row behind the others."""
        if isinstance(taken, SentRow):
            self.rows.append(taken)
            self._body += len(taken.item) + 1
        else:
            self.refused.append(taken)
        self.last = taken.line
        self._shown += len(taken.shown) if isinstance(taken.shown, bytes) else sum(map(_length, taken.shown.values()))

    def body(self) -> bytes:
        """The body of the request that sends the rows."""
        return self.endpoint.body([row.item for row in self.rows])


class BatchKeys:
    """Names batches by the content of the file, the mapping, and the position in the file.

    A stream has no content to ask beforehand: there, all rows up to the end of the batch stand for it.

    Args:
        digest: of the file; None for a stream.
        mapping: what tells one mapping from another.
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


def cut(items: Iterable[SentRow | Refused], endpoint: Endpoint, keys: NameBatch | None = None) -> Iterator[ImportBatch]:
    """The batches of a file, in order; without `keys` they have no names."""
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
    items: Iterable[FileRow | Refused], make: MakeItem, endpoint: Endpoint, id_hash: MakeIdHash | None = None
) -> Iterator[SentRow | Refused]:
    """What is sent of the rows of a file, in order; without `id_hash` nothing tells them from others."""
    for item in items:
        yield item if isinstance(item, Refused) else _made(item, make, endpoint, id_hash)


def _made(row: FileRow, make: MakeItem, endpoint: Endpoint, make_id_hash: MakeIdHash | None) -> SentRow | Refused:
    try:
        item = make(row)
        id_hash = make_id_hash(row, item) if make_id_hash else b""
    except RowRefused as error:
        return Refused(row.line, str(error), row.shown)
    if len(item) + endpoint.frame_bytes > endpoint.most_bytes:
        return Refused(row.line, f"the row has {len(item)} bytes, more than a whole request may have", row.shown)
    return SentRow(row.line, item, row.shown, id_hash)


def _length(cell: Cell) -> int:
    return len(cell) if isinstance(cell, str) else len(bytes(cell))
