"""A set of chunks, named by the runs of their consecutive IDs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32


class ChunkRun(NamedTuple):
    """The first and the last of consecutive chunk IDs."""

    first_id: int
    last_id: int


@dataclass(frozen=True, slots=True)
class ChunkSet:
    """At least one run, in ascending order, without overlaps. No ID is used twice: it names the same bytes forever."""

    runs: tuple[ChunkRun, ...]

    @classmethod
    def of_range(cls, first_id: int, last_id: int) -> "ChunkSet":
        """Return the set of a single run."""
        return cls((ChunkRun(first_id, last_id),))

    @classmethod
    def of_runs(cls, runs: Iterable[tuple[int, int]]) -> "ChunkSet":
        """Join runs in any order that do not overlap."""
        joined_runs: list[ChunkRun] = []
        for first_id, last_id in sorted(runs):
            if joined_runs and joined_runs[-1].last_id == first_id - 1:
                joined_runs[-1] = ChunkRun(joined_runs[-1].first_id, last_id)
            else:
                joined_runs.append(ChunkRun(first_id, last_id))
        return cls(tuple(joined_runs))

    @property
    def first_id(self) -> int:
        """The lowest ID."""
        return self.runs[0].first_id

    @property
    def last_id(self) -> int:
        """The highest ID."""
        return self.runs[-1].last_id

    @property
    def chunk_count(self) -> int:
        """The number of IDs."""
        return sum(last_id - first_id + 1 for first_id, last_id in self.runs)

    @property
    def checksum(self) -> int:
        """The CRC-32 of the runs."""
        return crc32(",".join(f"{first_id}-{last_id}" for first_id, last_id in self.runs).encode())

    @property
    def name(self) -> str:
        """The part of a token that names these chunks; a single run has the name that earlier versions gave it."""
        ends = f"{self.first_id}-{self.last_id}"
        return ends if len(self.runs) == 1 else f"{ends}-{self.checksum:08x}"
