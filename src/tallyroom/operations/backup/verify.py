"""Compares a backup with its manifest: every file must be there and unchanged, and there must be no others."""

from pathlib import Path

from tallyroom.core.data_directory import MANIFEST_FILE
from tallyroom.operations.backup.files import find_files, hash_file
from tallyroom.operations.backup.manifest import BackupDamaged, FileEntry, Manifest, read_manifest
from tallyroom.operations.backup.progress import Progress

_MAX_LINES = 20


def verify(folder: Path, progress: Progress) -> Manifest:
    """Check every file of the backup in `folder` against its hash.

    Raises:
        BackupDamaged: a file is missing, changed or unexpected; the message names up to twenty of them.
        BackupTooNew: a later version made the backup.
    """
    manifest = read_manifest(folder)
    progress.begin("Checking", manifest.size)
    wrong = _strangers(folder, manifest)
    for file in manifest.files:
        if problem := _problem(folder, file, progress):
            wrong.append(f"{file.path} {problem}")
    if wrong:
        lines = [*wrong[:_MAX_LINES], *([f"and {len(wrong) - _MAX_LINES} more"] if len(wrong) > _MAX_LINES else [])]
        raise BackupDamaged("\n  ".join([f"The backup in {folder} is damaged:", *lines]))
    return manifest


def _strangers(folder: Path, manifest: Manifest) -> list[str]:
    manifest_paths = {MANIFEST_FILE} | {file.path for file in manifest.files}
    paths = (path.relative_to(folder) for path in find_files(folder))
    return [f"{path} does not belong to it" for path in paths if str(path) not in manifest_paths]


def _problem(folder: Path, file: FileEntry, progress: Progress) -> str:
    path = folder / file.path
    try:
        if path.is_symlink() or not path.is_file():
            return "is not a file" if path.is_symlink() or path.exists() else "is missing"
        if (size := path.stat().st_size) != file.size:
            progress.advance(file.size)
            return f"has {size:,} bytes instead of {file.size:,}"
        entry = hash_file(folder, file.path, progress.advance)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return "" if entry == file else "was changed: its SHA-256 differs"
