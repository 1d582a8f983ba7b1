"""A part of a claimed range: what one insert sends, whole or halved."""

from dataclasses import dataclass
from uuid import UUID

import msgspec

from tallyroom.spool.claim import Claim
from tallyroom.spool.dead_letters import DeadLetter
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
        start: index of the first event among the claim's events of the month.
        events: the number of events.
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
        """The permanent name of these bytes; the store accepts each token once."""
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
        """Whether the last line is a complete row, as is every line that this program writes."""
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
        """Split the part into two."""
        lines = split_lines(self.body)
        middle = len(lines) // 2
        first = Part(self.spool, self.claim, self.month, self.start, middle, b"".join(lines[:middle]))
        rest = self.events - middle
        return first, Part(self.spool, self.claim, self.month, self.start + middle, rest, b"".join(lines[middle:]))


def dead_letter(part: Part, reason: str, at_ms: int) -> DeadLetter:
    """Turn the one event of `part` into a dead letter; if its line cannot be read, its owner and actor are ""."""
    try:
        row = msgspec.json.decode(part.body)
        workspace_id, environment, actor = str(row[0]), str(row[1]), str(row[7])
    except (msgspec.DecodeError, LookupError, UnicodeDecodeError, TypeError):
        workspace_id = environment = actor = ""
    return DeadLetter(part.token, workspace_id, environment, actor, reason, at_ms, part.body)
