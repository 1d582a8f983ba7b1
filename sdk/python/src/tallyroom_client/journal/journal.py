"""A journal: the files of one queue id, in the order of their numbers."""

from collections import deque
from collections.abc import Callable
from pathlib import Path

from tallyroom_client.cut import Cut, CutLimit
from tallyroom_client.journal.file import JournalFile
from tallyroom_client.journal.lock import JournalLock
from tallyroom_client.journal.records import AcknowledgementRecord, CutRecord, DroppedRecord, RefusalRecord
from tallyroom_client.limits import MAX_FILE_BYTES

SUFFIX = ".journal"


def list_files(folder: Path, queue_id: str) -> list[Path]:
    """Return the files of a journal, the oldest first."""
    return sorted(folder.glob(f"{queue_id}.*{SUFFIX}"))


class Journal:
    """Appends events, cuts them, and forgets files whose events are settled.

    Args:
        folder: where the files are.
        queue_id: the `Idempotency-Queue`, 22 characters of base64url.
        lock: held by this process.
        make_key: returns a new random `Idempotency-Key`.
        now_ms: wall time in ms since 1970.
        is_durable: whether each event reaches the disk before `append` returns.
    """

    def __init__(
        self,
        folder: Path,
        queue_id: str,
        lock: JournalLock,
        *,
        make_key: Callable[[], str],
        now_ms: Callable[[], int],
        is_durable: bool = False,
    ) -> None:
        self.queue_id = queue_id
        self._folder = folder
        self._lock = lock
        self._make_key = make_key
        self._now_ms = now_ms
        self._is_durable = is_durable
        self._own_key = ""  # of the newest cut that this process made
        self._files = deque(JournalFile(path, is_own=False) for path in list_files(folder, queue_id))
        self._file_number = len(self._files)
        self._newest: JournalFile | None = None

    @property
    def waiting_events(self) -> int:
        """How many events are not settled."""
        return sum(file.waiting_events for file in tuple(self._files))

    @property
    def waiting_bytes(self) -> int:
        """Their size on disk."""
        return sum(file.waiting_bytes for file in tuple(self._files))

    @property
    def has_open_cut(self) -> bool:
        """Whether a cut waits for its answer."""
        return any(file.open_cut for file in tuple(self._files))

    @property
    def is_needed(self) -> bool:
        """Whether it has events to send or a loss to report."""
        return any(map(self._is_needed, tuple(self._files)))

    @property
    def dropped(self) -> DroppedRecord | None:
        """The newest record of lost events; None if an event has reported the loss."""
        records = [file.dropped for file in tuple(self._files) if file.dropped]
        return records[-1] if records and records[-1].event_count else None

    def append(self, event: bytes) -> None:
        """Append an event; raises `OSError` if the disk is full, for example."""
        self._writable_file().append_event(event)

    def write_dropped(self, record: DroppedRecord) -> None:
        """Remember how many events had no room; raises `OSError`."""
        file = self._files[-1] if self._files else self._writable_file()
        file.write(record.line())

    def next_cut(self, limit: CutLimit) -> Cut | None:
        """Return the open cut, or make one; None if nothing waits. Raises `OSError` if a cut cannot be written."""
        for file in tuple(self._files):
            file.refresh()
            while record := file.open_cut or self._make_cut(file, limit):
                if events := file.load_cut(record).events:
                    earlier_try_ms = None if record.key == self._own_key else record.made_ms
                    return Cut(record.key, self.queue_id, events, earlier_try_ms)
                file.settle(AcknowledgementRecord(record.key, 0))  # its lines have been damaged since
            if file is not self._newest and not self._is_needed(file):
                self._remove(file)
        return None

    def acknowledge(self, key: str, status: int) -> None:
        """Settle the open cut: the server has its events."""
        self._settle(AcknowledgementRecord(key, status))

    def refuse(self, key: str, indices: tuple[int, ...]) -> None:
        """Make the open cut void: the events with these indices are wrong, and the others are cut again."""
        self._settle(RefusalRecord(key, indices))

    def peek(self) -> bytes | None:
        """Return the oldest event that waits and is in no cut, or the first one of the open cut."""
        for file in tuple(self._files):
            events = file.load_cut(file.open_cut) if file.open_cut else file.gather(CutLimit(1))
            if events and events.events:
                return events.events[0]
        return None

    def close(self) -> None:
        """Leave the waiting events to the next process; without any, remove the journal."""
        for file in tuple(self._files):
            if self._is_needed(file):
                file.close()
            else:
                self._remove(file)
        if self._files:
            self._lock.release()
        else:
            self._lock.delete()

    def abandon(self) -> None:
        """Close everything as it is: in a forked child, it belongs to the parent."""
        for file in self._files:
            file.close()
        self._lock.release()

    def _make_cut(self, file: JournalFile, limit: CutLimit) -> CutRecord | None:
        gathered = file.gather(limit)
        if gathered is None:
            return None
        key = self._make_key()
        self._own_key = key
        file.write(CutRecord(key, gathered.offsets[0], gathered.end, len(gathered.events), self._now_ms()).line())
        return file.open_cut

    def _settle(self, record: AcknowledgementRecord | RefusalRecord) -> None:
        for file in tuple(self._files):
            if file.open_cut and file.open_cut.key == record.key:
                file.settle(record)

    def _writable_file(self) -> JournalFile:
        if self._newest is None or self._newest.size >= MAX_FILE_BYTES:
            path = self._folder / f"{self.queue_id}.{self._file_number + 1:06}{SUFFIX}"
            self._newest = JournalFile(path, is_own=True, is_durable=self._is_durable)
            self._file_number += 1
            self._files.append(self._newest)
        return self._newest

    def _is_needed(self, file: JournalFile) -> bool:
        return not file.is_settled or (file.dropped is not None and file.dropped is self.dropped)

    def _remove(self, file: JournalFile) -> None:
        self._files.remove(file)
        file.delete()
