"""One file of a journal: its events, the cuts that were made of them, and what the server said to each."""

from pathlib import Path

from tallyroom_client.cut import CutLimit
from tallyroom_client.journal.lines import LineFile
from tallyroom_client.journal.records import (
    EVENT_START,
    AcknowledgementRecord,
    CutRecord,
    DroppedRecord,
    RefusalRecord,
    event_in,
    event_line,
    read_record,
)


class CutEvents:
    """The events of the open cut, with the offsets of their lines."""

    def __init__(self, offsets: list[int], events: list[bytes], end: int) -> None:
        self.offsets = offsets
        self.events = events
        self.end = end


class JournalFile:
    """The state of a file is what its records say, in the order of the file, whoever wrote them.

    A cut counts if no other is open and nothing before its first event is still to be sent; so of two owners that cut
    at the same time, both send the first one's cut.

    Args:
        path: created if it does not exist.
        is_own: whether this process alone appends its events, which are then counted as they are appended.
        is_durable: whether each event reaches the disk before `append_event` returns.
    """

    def __init__(self, path: Path, *, is_own: bool, is_durable: bool = False) -> None:
        self.dropped: DroppedRecord | None = None
        self.open_cut: CutRecord | None = None
        self._lines = LineFile(path, is_durable=is_durable)
        self._is_own = is_own
        self._event_count = 0  # changed only by the thread that appends
        self._settled_count = 0  # changed only by the thread that sends
        self._position = 0  # everything before is settled
        self._scanned = 0  # everything before is part of the state
        self._refused_offsets: set[int] = set()
        self._cut_events: tuple[str, CutEvents] | None = None
        if not is_own:
            self.refresh()

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self._lines.size

    @property
    def waiting_events(self) -> int:
        """How many events are neither acknowledged nor refused."""
        return self._event_count - self._settled_count

    @property
    def waiting_bytes(self) -> int:
        """The size from the oldest waiting event on."""
        return max(0, self._lines.size - self._position) if self.waiting_events else 0

    @property
    def is_settled(self) -> bool:
        """Whether nothing in it is left to be sent."""
        return self.waiting_events == 0 and self.open_cut is None

    def append_event(self, event: bytes) -> None:
        """Append an event; it survives the death of this process once this returns."""
        self._lines.append(event_line(event))
        self._event_count += 1

    def write(self, line: bytes) -> None:
        """Append the line of a record, and apply it."""
        self._lines.append(line)
        self.refresh()

    def refresh(self) -> None:
        """Apply what was appended since the last call, by this owner or another."""
        if self._is_own:
            records, self._scanned = self._lines.read_records(self._scanned)
            for record in records:
                self._apply(record.content)
            return
        for line in self._lines.read(self._scanned):
            self._scanned = line.end
            if line.content and line.content.startswith(EVENT_START):
                self._event_count += 1
            else:
                self._apply(line.content)

    def gather(self, limit: CutLimit) -> CutEvents | None:
        """Return the next events that are in no cut; None if there are none."""
        offsets, events, byte_count, end = [], [], 0, self._position
        for line in self._lines.read(self._position):
            if not (line.content and line.content.startswith(EVENT_START)) or line.start in self._refused_offsets:
                continue
            event = event_in(line.content)
            byte_count += len(event) + 1
            if offsets and byte_count > limit.max_bytes:
                break
            offsets.append(line.start)
            events.append(event)
            end = line.end
            if len(events) >= limit.max_events:
                break
        return CutEvents(offsets, events, end) if events else None

    def load_cut(self, cut: CutRecord) -> CutEvents:
        """Return the events of the open cut."""
        if self._cut_events is None or self._cut_events[0] != cut.key:
            lines = [
                line
                for line in self._lines.read(cut.start, cut.end)
                if line.content and line.content.startswith(EVENT_START) and line.start not in self._refused_offsets
            ]
            contents = [line.content or b"" for line in lines]
            events = CutEvents([line.start for line in lines], list(map(event_in, contents)), cut.end)
            self._cut_events = (cut.key, events)
        return self._cut_events[1]

    def settle(self, record: AcknowledgementRecord | RefusalRecord) -> None:
        """Apply and write the answer to the open cut.

        If the disk has no room for it, the cut is at worst sent again under its key, after a restart.
        """
        try:
            self.write(record.line())
        except OSError:
            self._apply_settlement(record)

    def close(self) -> None:
        """Close the file, which stays on disk for the next owner."""
        self._lines.close()

    def delete(self) -> None:
        """Remove the file."""
        self._lines.delete()

    def _apply(self, content: bytes | None) -> None:
        record = None if content is None else read_record(content)
        if isinstance(record, CutRecord):
            if self.open_cut is None and record.start >= self._position:
                self.open_cut = record
        elif isinstance(record, DroppedRecord):
            self.dropped = record
        elif record is not None:
            self._apply_settlement(record)

    def _apply_settlement(self, record: AcknowledgementRecord | RefusalRecord) -> None:
        cut = self.open_cut
        if cut is None or cut.key != record.key:
            return
        self.open_cut = None
        if isinstance(record, AcknowledgementRecord) or len(record.indices) >= cut.event_count:
            self._pass_by(cut)
        else:
            offsets = self.load_cut(cut).offsets
            self._refused_offsets.update(offsets[index] for index in record.indices if index < len(offsets))
            self._settled_count += len(record.indices)

    def _pass_by(self, cut: CutRecord) -> None:
        self._position = cut.end
        self._settled_count += cut.event_count
        self._refused_offsets = {offset for offset in self._refused_offsets if offset >= cut.end}
