"""A small file that is on the disk whole, or not at all, whenever the process or the power ends."""

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write or replace the file at `path`, for its owner alone.

    Raises:
        OSError: it is as it was before.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)  # left by a crash
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
