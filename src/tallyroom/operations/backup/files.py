"""Copies and hashes the files of a backup, and flushes them to disk."""

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from tallyroom.operations.backup.manifest import FileEntry

_BLOCK_BYTES = 1 << 20


def copy_file(source: Path, root_folder: Path, relative_path: str, advance: Callable[[int], None]) -> FileEntry:
    """Copy `source` to `relative_path` below `root_folder`, accessible only to its owner, and hash the copied data."""
    target_file = root_folder / relative_path
    make_folder(target_file.parent)
    digest, byte_count = hashlib.sha256(), 0
    with source.open("rb") as source_reader, os.fdopen(_open_new_file(target_file), "wb") as target_writer:
        for block in _read_blocks(source_reader):
            target_writer.write(block)
            digest.update(block)
            byte_count += len(block)
            advance(len(block))
    return FileEntry(relative_path, byte_count, digest.hexdigest())


def link_file(source: Path, root_folder: Path, relative_path: str, advance: Callable[[int], None]) -> FileEntry:
    """Like `copy_file`, but create a hard link to a file that no one changes and that will be deleted."""
    target_file = root_folder / relative_path
    make_folder(target_file.parent)
    target_file.hardlink_to(source)
    target_file.chmod(0o600)
    return hash_file(root_folder, relative_path, advance)


def hash_file(root_folder: Path, relative_path: str, advance: Callable[[int], None]) -> FileEntry:
    """Return the entry for the file `relative_path` below `root_folder`."""
    digest, byte_count = hashlib.sha256(), 0
    with (root_folder / relative_path).open("rb") as reader:
        for block in _read_blocks(reader):
            digest.update(block)
            byte_count += len(block)
            advance(len(block))
    return FileEntry(relative_path, byte_count, digest.hexdigest())


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, accessible only to their owner."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700)


def find_files(folder: Path) -> Iterator[Path]:
    """Yield everything below `folder` that is not a folder; do not follow links."""
    for parent, folders, files in os.walk(folder, onerror=_raise_error):
        for name in sorted(files + [name for name in folders if Path(parent, name).is_symlink()]):
            yield Path(parent, name)
        folders.sort()


def flush_folder(folder: Path) -> None:
    """Wait until everything below `folder` is on disk, including the names; the first wait writes most of it."""
    for parent, _, files in os.walk(folder, onerror=_raise_error):
        for path in [*(Path(parent, name) for name in files), Path(parent)]:
            flush_path(path)


def flush_path(path: Path) -> None:
    """Wait until one file, or the names in one folder, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _open_new_file(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def _read_blocks(reader: BinaryIO) -> Iterator[bytes]:
    while block := reader.read(_BLOCK_BYTES):
        yield block


def _raise_error(error: OSError) -> None:
    raise error
