"""The memory of this process."""

import os
from pathlib import Path

_PAGES = Path("/proc/self/statm")


def used_megabytes() -> float | None:
    """Return the resident memory; None where the system does not show it as Linux does."""
    try:
        resident_pages = int(_PAGES.read_text(encoding="ascii").split()[1])
        return round(resident_pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000, 1)
    except (OSError, AttributeError):
        return None
