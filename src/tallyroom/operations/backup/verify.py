"""Compares a backup with its manifest: no file may be missing, changed or unexpected."""

from pathlib import Path

from tallyroom.core.data_directory import MANIFEST_FILE
from tallyroom.operations.backup.files import find_files, hash_file
from tallyroom.operations.backup.manifest import BackupDamaged, FileEntry, Manifest, read_manifest
from tallyroom.operations.backup.progress import Progress

_MAX_PROBLEM_LINES = 20


def verify_backup(backup_dir: Path, progress: Progress) -> Manifest:
    """Check every file of the backup in `backup_dir` against its hash; raise `BackupDamaged` or `BackupTooNew`."""
    manifest = read_manifest(backup_dir)
    progress.begin_step("Checking", manifest.total_bytes)
    problems = _find_unexpected_files(backup_dir, manifest)
    for file in manifest.files:
        if problem := _find_file_problem(backup_dir, file, progress):
            problems.append(f"{file.path} {problem}")
    if problems:
        more_count = len(problems) - _MAX_PROBLEM_LINES
        lines = problems[:_MAX_PROBLEM_LINES] + ([f"and {more_count} more"] if more_count > 0 else [])
        raise BackupDamaged("\n  ".join([f"The backup in {backup_dir} is damaged:", *lines]))
    return manifest


def _find_unexpected_files(backup_dir: Path, manifest: Manifest) -> list[str]:
    manifest_paths = {MANIFEST_FILE} | {file.path for file in manifest.files}
    paths = (path.relative_to(backup_dir) for path in find_files(backup_dir))
    return [f"{path} is not part of the backup" for path in paths if str(path) not in manifest_paths]


def _find_file_problem(backup_dir: Path, file: FileEntry, progress: Progress) -> str:
    path = backup_dir / file.path
    try:
        if path.is_symlink() or not path.is_file():
            return "is not a file" if path.is_symlink() or path.exists() else "is missing"
        if (size := path.stat().st_size) != file.size:
            progress.advance(file.size)
            return f"is {size:,} bytes instead of {file.size:,}"
        entry = hash_file(backup_dir, file.path, progress.advance)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return "" if entry == file else "was changed: its SHA-256 differs"
