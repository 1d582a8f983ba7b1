"""Gives back the memory of engine code that ran only while the engine was loaded.

When the engine is loaded, all parts of its 550 MB library register themselves. Whatever they touch, along with its
surroundings, stays in the memory of the process: 160 MB of code and constants, most of which never runs again. Once
given back, it stays in the system's file cache, where others can claim the room, and what does run is loaded again on
first use.
"""

import ctypes
import re
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

_DONTNEED = 4  # of madvise(2)
_REGION_HEAD_PATTERN = re.compile(r"(?P<start>[0-9a-f]+)-(?P<end>[0-9a-f]+) (?P<rights>\S+) \S+ \S+ \S+ +(?P<path>.*)")


class MappedRegion(NamedTuple):
    """A piece of a file that is mapped into the process: its addresses, and how much of it is in memory."""

    start: int
    end: int
    resident_kb: int


def give_back_code() -> None:
    """Give back the unchanged parts of the engine's library; does nothing on systems other than Linux."""
    if sys.platform != "linux":
        return
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for region in list_engine_regions():
        madvise(region.start, region.end - region.start, _DONTNEED)  # its result changes nothing


def list_engine_regions() -> list[MappedRegion]:
    """Return the mappings of the engine's library in this process that nobody can have written to."""
    library = find_spec("chdb._chdb")
    with Path("/proc/self/smaps").open(encoding="utf-8") as smaps_lines:
        return parse_unchanged_regions(smaps_lines, str(library and library.origin))


def parse_unchanged_regions(smaps_lines: Iterable[str], file_path: str) -> list[MappedRegion]:
    """Return the mappings of a file that are not writable and contain only what the file contains.

    Args:
        smaps_lines: the lines of /proc/PID/smaps.
        file_path: the path of the file.
    """
    regions: list[MappedRegion] = []
    head_match, resident_kb = None, 0
    for line in smaps_lines:
        if match := _REGION_HEAD_PATTERN.fullmatch(line.rstrip("\n")):
            head_match = match if match["path"] == file_path and "w" not in match["rights"] else None
        elif head_match and line.startswith("Rss:"):
            resident_kb = int(line.split()[1])
        elif head_match and line.startswith("Anonymous:") and line.split()[1] == "0":
            # elsewhere, addresses are filled in
            regions.append(MappedRegion(int(head_match["start"], 16), int(head_match["end"], 16), resident_kb))
    return regions
