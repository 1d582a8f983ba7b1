"""Releases the memory of engine code that ran only while the engine was loaded.

On load, all parts of its 550 MB library register themselves. The touched pages stay in memory: 160 MB, most of it never
used again. Released pages stay in the system's file cache until others need the room.
"""

import ctypes
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

_DONTNEED = 4  # of madvise(2)
_READ_ONLY_HEAD_PATTERN = re.compile(r"(?P<start>[0-9a-f]+)-(?P<end>[0-9a-f]+) r-")


class MappedRegion(NamedTuple):
    """A piece of a file that is mapped into the process: its addresses, and how much of it is in memory."""

    start: int
    end: int
    resident_kb: int


def give_back_code() -> None:
    """Release the unchanged parts of the engine's library, if it is loaded and the system is Linux."""
    if sys.platform != "linux":
        return
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for region in list_engine_regions():
        madvise(region.start, region.end - region.start, _DONTNEED)  # failing is harmless


def list_engine_regions() -> list[MappedRegion]:
    """Return the mappings of the engine's library in this process that were never written to; none if not loaded."""
    library = sys.modules.get("chdb._chdb")  # a worker whose events are on a server never loads it
    if library is None:
        return []
    with Path("/proc/self/smaps").open(encoding="utf-8") as smaps_lines:
        return parse_unchanged_regions(smaps_lines, str(library.__file__))


def parse_unchanged_regions(smaps_lines: Iterable[str], file_path: str) -> list[MappedRegion]:
    """Return the mappings of a file, from the lines of /proc/PID/smaps, that are not writable and unchanged."""
    regions: list[MappedRegion] = []
    head_match, resident_kb = None, 0
    head_end = f" {file_path}\n"
    for line in smaps_lines:
        if line.endswith(head_end):
            head_match = _READ_ONLY_HEAD_PATTERN.match(line)
        elif head_match and line.startswith("Rss:"):
            resident_kb = int(line.split()[1])
        elif head_match and line.startswith("Anonymous:"):
            if line.split()[1] == "0":  # other regions contain relocated addresses
                regions.append(MappedRegion(int(head_match["start"], 16), int(head_match["end"], 16), resident_kb))
            head_match = None
    return regions
