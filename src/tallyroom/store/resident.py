"""Gives back the memory of engine code that only its start has run.

While the engine is loaded, all parts of its library of 550 MB register themselves, and the system keeps in the memory
of the process whatever was touched, with what stands next to it: 160 MB of code and constants. Most of it never runs.
Given back, it stays in the system's file cache, where others may have the room, and what does run is there again at its
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
_HEAD = re.compile(r"(?P<start>[0-9a-f]+)-(?P<end>[0-9a-f]+) (?P<rights>\S+) \S+ \S+ \S+ +(?P<path>.*)")


class Mapping(NamedTuple):
    """A piece of a file as the process sees it, by its addresses, and how much of it is in memory."""

    start: int
    end: int
    resident_kb: int


def give_back_code() -> None:
    """Give back what is unchanged of the engine's library; on other systems than Linux, nothing."""
    if sys.platform != "linux":
        return
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for mapping in engine_code():
        advise(mapping.start, mapping.end - mapping.start, _DONTNEED)  # what it answers changes nothing


def engine_code() -> list[Mapping]:
    """Where the engine's library is in the memory of this process, as far as nobody can have written to it."""
    library = find_spec("chdb._chdb")
    with Path("/proc/self/smaps").open(encoding="utf-8") as lines:
        return unchanged(lines, str(library and library.origin))


def unchanged(lines: Iterable[str], path: str) -> list[Mapping]:
    """The mappings of a file that cannot be written to and hold nothing but what the file does.

    Args:
        lines: of /proc/PID/smaps.
        path: of the file.
    """
    found: list[Mapping] = []
    head, resident_kb = None, 0
    for line in lines:
        if at := _HEAD.fullmatch(line.rstrip("\n")):
            head = at if at["path"] == path and "w" not in at["rights"] else None
        elif head and line.startswith("Rss:"):
            resident_kb = int(line.split()[1])
        elif head and line.startswith("Anonymous:") and line.split()[1] == "0":  # addresses are filled in elsewhere
            found.append(Mapping(int(head["start"], 16), int(head["end"], 16), resident_kb))
    return found
