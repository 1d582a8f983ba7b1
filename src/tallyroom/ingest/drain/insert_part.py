"""One part of a claimed range: what one insert sends, whole or halved."""

from dataclasses import dataclass

import msgspec

from tallyroom.ingest.drain.pieces import read_line
from tallyroom.storage.spool.claim import Claim
from tallyroom.storage.spool.dead_letters import DeadLetter
from tallyroom.storage.spool.row import split_lines

EventIdentity = tuple[str, str, str, int, int, int]
"""(workspace, environment, name, time in ms, spool, sequence) of an event, to find it in the store without a scan."""


@dataclass(frozen=True, slots=True)
class InsertPart:
    """Events `start` to `start + event_count` of a month (202611) of a claim; `stand_in_indexes` are never sent."""

    spool_id: int
    claim: Claim
    month: int
    start: int
    event_count: int
    body: bytes
    stand_in_indexes: tuple[int, ...] = ()

    @property
    def token(self) -> str:
        """The permanent name of these bytes; the store accepts each token once."""
        return f"{self.spool_id}-{self.claim.chunks.name}-{self.month}-{self.start}-{self.start + self.event_count}"

    @property
    def first_identity(self) -> EventIdentity:
        """The first undamaged event; raises `LookupError` if there is none, `ValueError` if its line cannot be read."""
        if self.stand_in_indexes:
            return _read_identity(self._list_undamaged_lines()[0])
        return _read_identity(self.body[: self.body.index(b"\n")])

    @property
    def last_identity(self) -> EventIdentity:
        """The last undamaged event that can be read; raises `LookupError` if there is none."""
        readable_lines = (line for line in reversed(self._list_undamaged_lines()) if read_line(line) is not None)
        if (line := next(readable_lines, None)) is None:
            raise LookupError
        return _read_identity(line)

    @property
    def seq_range(self) -> tuple[int, int, int]:
        """(spool, lowest, highest sequence number) of the undamaged events."""
        seqs = [msgspec.json.decode(line)[5] for line in self._list_undamaged_lines()]
        return self.spool_id, min(seqs), max(seqs)

    @property
    def has_complete_rows(self) -> bool:
        """Whether each line is a complete row, like every line that this program writes."""
        return all(read_line(line) is not None for line in split_lines(self.body))

    def _list_undamaged_lines(self) -> list[bytes]:
        indexed_lines = enumerate(split_lines(self.body), self.start)
        return [line for index, line in indexed_lines if index not in self.stand_in_indexes]

    @property
    def position(self) -> tuple[int, int, int]:
        """(month, start, stop) inside the claim."""
        return self.month, self.start, self.start + self.event_count

    def split_in_half(self) -> "tuple[InsertPart, InsertPart]":
        """Split the part into two."""
        lines = split_lines(self.body)
        middle = len(lines) // 2
        return self._build_subpart(self.start, lines[:middle]), self._build_subpart(self.start + middle, lines[middle:])

    def _build_subpart(self, start: int, lines: list[bytes]) -> "InsertPart":
        stand_in_indexes = tuple(index for index in self.stand_in_indexes if start <= index < start + len(lines))
        return InsertPart(self.spool_id, self.claim, self.month, start, len(lines), b"".join(lines), stand_in_indexes)


def _read_identity(line: bytes) -> EventIdentity:
    row = msgspec.json.decode(line)
    return row[0], row[1], row[6], row[2], row[4], row[5]


def build_dead_letter(part: InsertPart, reason: str, now_ms: int) -> DeadLetter:
    """Turn the one event of `part` into a dead letter; if its line cannot be read, owner and actor are ""."""
    try:
        row = msgspec.json.decode(part.body)
        workspace_id, environment, actor = str(row[0]), str(row[1]), str(row[7])
    except (msgspec.DecodeError, LookupError, UnicodeDecodeError, TypeError):
        workspace_id = environment = actor = ""
    return DeadLetter(part.token, workspace_id, environment, actor, reason, now_ms, part.body)
