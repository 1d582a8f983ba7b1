"""A bounded memory for rows of queries, in which no workspace can take all the room."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Protocol

import msgspec

from tallyroom.queries.kept_answers.revisions import Days

UNKEEPABLE_BYTES = 2**62
"""The size of an entry that must not be kept."""

ENTRY_OVERHEAD_BYTES = 700  # of the key, the revision and the objects around them
_MAX_SHARE_OF_WORKSPACE = 4  # a workspace has at most this fraction of the room


class Keepable(Protocol):
    """Anything that can be kept; it must not change."""

    @property
    def byte_count(self) -> int:
        """How much memory it takes, with its key."""


class KeptRows(msgspec.Struct, frozen=True):
    """Rows as JSON, the days that they follow from, and the revision of these days; `edges` are as in `Query`."""

    body: bytes
    revision: bytes
    days: Days
    edges: dict[str, int] = {}

    @property
    def byte_count(self) -> int:
        """How much memory the rows take, with their key."""
        return len(self.body) + ENTRY_OVERHEAD_BYTES


class RowCache:
    """Rows and the like by workspace and key; the ones that were not used for the longest time make room for others."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self.max_entry_bytes = max_bytes // _MAX_SHARE_OF_WORKSPACE  # of all entries of a workspace together, too
        self._entry_by_key: OrderedDict[tuple[str, Hashable], Keepable] = OrderedDict()
        self._keys_by_workspace: dict[str, OrderedDict[Hashable, None]] = {}
        self._bytes_by_workspace: dict[str, int] = {}
        self.byte_count = 0
        self.hit_count = 0
        self.miss_count = 0

    @property
    def is_on(self) -> bool:
        """Whether anything is kept at all."""
        return self._max_bytes > 0

    def find(self, workspace_id: str, key: Hashable) -> Keepable | None:
        """Return the entry under a key, which counts as used now; None if there is none."""
        entry = self._entry_by_key.get((workspace_id, key))
        if entry is not None:
            self._entry_by_key.move_to_end((workspace_id, key))
            self._keys_by_workspace[workspace_id].move_to_end(key)
        return entry

    def find_rows(self, workspace_id: str, key: Hashable) -> KeptRows | None:
        """Like `find`, for an entry of rows; None if it is another."""
        entry = self.find(workspace_id, key)
        return entry if isinstance(entry, KeptRows) else None

    def keep(self, workspace_id: str, key: Hashable, entry: Keepable) -> bool:
        """Keep an entry under a key, instead of any other; return False if it is larger than a workspace's room."""
        self._drop(workspace_id, key)
        size = entry.byte_count
        if size > self.max_entry_bytes:
            return False
        while self._bytes_by_workspace.get(workspace_id, 0) + size > self.max_entry_bytes:
            self._drop(workspace_id, next(iter(self._keys_by_workspace[workspace_id])))
        while self.byte_count + size > self._max_bytes:
            self._drop(*next(iter(self._entry_by_key)))
        self._entry_by_key[workspace_id, key] = entry
        self._keys_by_workspace.setdefault(workspace_id, OrderedDict())[key] = None
        self._bytes_by_workspace[workspace_id] = self._bytes_by_workspace.get(workspace_id, 0) + size
        self.byte_count += size
        return True

    def _drop(self, workspace_id: str, key: Hashable) -> None:
        entry = self._entry_by_key.pop((workspace_id, key), None)
        if entry is None:
            return
        size = entry.byte_count
        self.byte_count -= size
        self._bytes_by_workspace[workspace_id] -= size
        keys = self._keys_by_workspace[workspace_id]
        del keys[key]
        if not keys:
            del self._keys_by_workspace[workspace_id], self._bytes_by_workspace[workspace_id]
