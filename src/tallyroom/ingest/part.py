"""A part of a claimed range: what one insert sends, and what is left when it has to be taken apart."""

from dataclasses import dataclass
from uuid import UUID

import msgspec

from tallyroom.spool.claim import Claim, DeadLetter
from tallyroom.spool.row import split_lines

_Line = tuple[UUID, str, int, int, int, int, str, str, str, str, msgspec.Raw, msgspec.Raw]
"""A line of the spool as the store reads it (spool/row.py)."""


@dataclass(frozen=True, slots=True)
class Part:
    """Events `start` to `start + events` of one month of a claim.

    Attributes:
        spool: identity of the spool, part of the token.
        claim: the range.
        month: as in 202611.
        start: index of the first event in the month's part of the claim.
        events: how many.
        body: their lines.
    """

    spool: int
    claim: Claim
    month: int
    start: int
    events: int
    body: bytes

    @property
    def token(self) -> str:
        """Names these bytes for ever; the store takes each token once."""
        span = f"{self.claim.first_id}-{self.claim.last_id}"
        return f"{self.spool}-{span}-{self.month}-{self.start}-{self.start + self.events}"

    @property
    def first(self) -> tuple[str, str, str, int, int, int]:
        """(workspace, environment, name, time in ms, spool, sequence) of the first event."""
        row = msgspec.json.decode(self.body[: self.body.index(b"\n")])
        return row[0], row[1], row[6], row[2], row[4], row[5]

    @property
    def span(self) -> tuple[int, int, int]:
        """(spool, lowest, highest sequence number) of the events."""
        found = [msgspec.json.decode(line)[5] for line in split_lines(self.body)]
        return self.spool, min(found), max(found)

    @property
    def ends_well(self) -> bool:
        """Whether the last line is a row, as each line is that this program has written."""
        last = self.body[self.body.rfind(b"\n", 0, -1) + 1 :]
        try:
            msgspec.json.decode(last, type=_Line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return False
        return True

    @property
    def position(self) -> tuple[int, int, int]:
        """(month, start, stop) inside the claim."""
        return self.month, self.start, self.start + self.events

    def halves(self) -> "tuple[Part, Part]":
        """The same events as two parts."""
        lines = split_lines(self.body)
        middle = len(lines) // 2
        first = Part(self.spool, self.claim, self.month, self.start, middle, b"".join(lines[:middle]))
        rest = self.events - middle
        return first, Part(self.spool, self.claim, self.month, self.start + middle, rest, b"".join(lines[middle:]))


def dead_letter(part: Part, reason: str, at_ms: int) -> DeadLetter:
    """The one event of `part` as a dead letter; whose it is, as far as its line can still be read."""
    try:
        row = msgspec.json.decode(part.body)
        workspace_id, environment, actor = str(row[0]), str(row[1]), str(row[7])
    except (msgspec.DecodeError, LookupError, UnicodeDecodeError, TypeError):
        workspace_id = environment = actor = ""
    return DeadLetter(part.token, workspace_id, environment, actor, reason, at_ms, part.body)
