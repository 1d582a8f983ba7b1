"""How far a spool and its drain are: in sequence numbers, which other workers understand, and in counts."""

import sqlite3
from bisect import bisect_left
from collections import deque
from contextlib import closing
from operator import attrgetter
from typing import NamedTuple

import msgspec

from tallyroom.core.peers import SpoolPosition, WaitingEvents
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.file_identity import Astray
from tallyroom.storage.spool.event_counts import read_spool_counts_quickly
from tallyroom.storage.spool.lane import SHARED_LANE
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.row import UNMAPPED_MONTH

_MAX_CHUNK_ENDS = 100
_MAX_GROUPS = 100  # of lanes and months, 4 kB


class _ChunkEnd(NamedTuple):
    chunk_id: int
    last_seq: int


class OwnPosition:
    """The position of this worker's spool. The drain counts chunks, so this notes where each chunk ends."""

    def __init__(self, spool: Spool, drain: Drain) -> None:
        self._spool = spool
        self._drain = drain
        self._chunk_ends: deque[_ChunkEnd] = deque()
        self._stored_seq = 0

    def read_position(self) -> SpoolPosition:
        """Return the current position; `stored_seq` may be older, `counts_json` newer."""
        last_seq = self._spool.last_seq  # first, so that all events up to it are in chunks up to `last_id`
        self._note_chunk_end(self._spool.last_id, last_seq)
        waiting_events = self._list_waiting_events()
        while self._chunk_ends and self._chunk_ends[0].chunk_id <= self._drain.drained_chunk_id:
            self._stored_seq = self._chunk_ends.popleft().last_seq
        return SpoolPosition(last_seq, self._stored_seq, self._read_counts_json(), waiting_events)

    def _list_waiting_events(self) -> list[WaitingEvents]:
        """Return the newest months first; the oldest of very many are reported as one of the shared lane."""
        groups = [
            WaitingEvents(lane, month, self._find_seq_before(oldest_id))
            for (lane, month), oldest_id in self._spool.waiting_chunks.list_oldest_ids().items()
        ]
        groups.sort(key=lambda group: (group.month == UNMAPPED_MONTH, group.month), reverse=True)
        if len(groups) <= _MAX_GROUPS:
            return groups
        older_groups = groups[_MAX_GROUPS:]
        older_events = WaitingEvents(
            SHARED_LANE, older_groups[0].month, min(group.stored_seq for group in older_groups)
        )
        return [*groups[:_MAX_GROUPS], older_events]

    def _find_seq_before(self, chunk_id: int) -> int:
        """Return the newest noted sequence number that is certainly in an earlier chunk."""
        index = bisect_left(self._chunk_ends, chunk_id, key=attrgetter("chunk_id"))
        return self._chunk_ends[index - 1].last_seq if index else self._stored_seq

    def _read_counts_json(self) -> str:
        try:
            with closing(self._spool.open_reader()) as reader:  # new: the last read is after the spool closes
                return msgspec.json.encode(read_spool_counts_quickly(reader)).decode()
        except (Astray, sqlite3.Error):  # others report these
            return ""

    def _note_chunk_end(self, last_id: int, last_seq: int) -> None:
        if len(self._chunk_ends) == _MAX_CHUNK_ENDS:  # the store accepts nothing; the newest is enough
            self._chunk_ends.pop()
        self._chunk_ends.append(_ChunkEnd(last_id, last_seq))
