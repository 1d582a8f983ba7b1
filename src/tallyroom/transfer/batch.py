"""Cuts the events of a file into batches, always at the same places, and names each batch.

The cut depends on the rows alone, never on time or on how many batches are under way, so a second run over the same
file sends the same batches under the same names, and the server counts each of them once.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from tallyroom.ingest.event import MAX_BODY_BYTES, MAX_EVENTS
from tallyroom.transfer.row import Cell, Refused, Row, RowRefused, Shown

_OPENING: Final = b'{"events":['
_CLOSING: Final = b"]}"
_FRAME_BYTES: Final = len(_OPENING) + len(_CLOSING)
_MAX_SHOWN: Final = 8 * 1024**2  # of the file, kept for the case that a row is refused


class SentRow(NamedTuple):
    """A row that became an event.

    Attributes:
        line: where the row stands.
        event: compact JSON.
        shown: what to show when the server refuses it.
    """

    line: int
    event: bytes
    shown: Shown


class MakeEvent(Protocol):
    """Makes the event of a row."""

    def __call__(self, row: Row) -> bytes:
        """The event as JSON on one line.

        Raises:
            RowRefused: the row cannot become one.
        """
        ...


@dataclass
class Batch:
    """Neighbouring rows of a file.

    Attributes:
        rows: those that became events, as many as one request may hold.
        refused: those that did not.
        last: line of the last of them all.
        key: the idempotency key.
    """

    rows: list[SentRow] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    last: int = 0
    key: str = ""
    _body: int = _FRAME_BYTES
    _shown: int = 0

    def has_room_for(self, taken: SentRow | Refused) -> bool:
        """Whether one request can hold the row too, and the memory what is kept of it."""
        if len(self.rows) >= MAX_EVENTS or len(self.refused) >= MAX_EVENTS or self._shown > _MAX_SHOWN:
            return False
        return not (self.rows and isinstance(taken, SentRow) and self._body + len(taken.event) + 1 > MAX_BODY_BYTES)

    def add(self, taken: SentRow | Refused) -> None:
        """Put the row behind the others."""
        if isinstance(taken, SentRow):
            self.rows.append(taken)
            self._body += len(taken.event) + 1
        else:
            self.refused.append(taken)
        self.last = taken.line
        self._shown += len(taken.shown) if isinstance(taken.shown, bytes) else sum(map(_length, taken.shown.values()))


def body_of(rows: list[SentRow]) -> bytes:
    """The body of the request that sends these rows."""
    return _OPENING + b",".join([row.event for row in rows]) + _CLOSING


class BatchKeys:
    """Names batches by the content of the file, the mapping, and the place in the file.

    A stream has no content to ask beforehand: there, all events up to the end of the batch stand for it.

    Args:
        digest: of the file; None for a stream.
        mapping: what tells one mapping from another.
    """

    def __init__(self, digest: bytes | None, mapping: bytes) -> None:
        self._streams = digest is None
        self._hash = hashlib.sha256(hashlib.sha256(mapping).digest() + (digest or b""))

    def name(self, batch: Batch, first: int) -> str:
        """The key of a batch that begins behind line `first`; to be asked in order."""
        if self._streams:
            self._hash.update(body_of(batch.rows))
        position = self._hash.copy()
        position.update(f"{first}-{batch.last}".encode())
        return f"import-{position.hexdigest()}"


def cut(items: Iterable[Row | Refused], make: MakeEvent, keys: BatchKeys) -> Iterator[Batch]:
    """The batches of a file, in order."""
    batch, first = Batch(), 0
    for item in items:
        taken = _taken(item, make)
        if not batch.has_room_for(taken):
            batch.key = keys.name(batch, first)
            yield batch
            batch, first = Batch(), batch.last
        batch.add(taken)
    if batch.last:
        batch.key = keys.name(batch, first)
        yield batch


def _length(cell: Cell) -> int:
    return len(cell) if isinstance(cell, str) else len(bytes(cell))


def _taken(item: Row | Refused, make: MakeEvent) -> SentRow | Refused:
    if isinstance(item, Refused):
        return item
    try:
        event = make(item)
    except RowRefused as error:
        return Refused(item.line, str(error), item.shown)
    if len(event) + _FRAME_BYTES > MAX_BODY_BYTES:
        return Refused(item.line, f"the event has {len(event)} bytes, more than a whole request may have", item.shown)
    return SentRow(item.line, event, item.shown)
