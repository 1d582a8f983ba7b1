"""Writes a small file so that it is on disk whole or not at all, even after a kill or a power cut."""

import os
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Replace or create a file for its owner only; raises `OSError` if writing failed, and then changes nothing."""
    new_path = path.with_name(f"{path.name}.new")
    new_path.unlink(missing_ok=True)  # left by a crash
    with os.fdopen(os.open(new_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new_path.replace(path)
    folder_descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder_descriptor)
    finally:
        os.close(folder_descriptor)
