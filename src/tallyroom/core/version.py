"""The version of the running program; in a clone, with the checked-out commit."""

import re
from functools import cache
from pathlib import Path

import tallyroom

VERSION = "0.1.0"  # the version of the package, which the build reads here
_COMMIT_PATTERN = re.compile(r"[0-9a-f]{40,64}")
_SHORT_COMMIT_LENGTH = 8
_SOURCE_FOLDER = "src"


@cache
def running_version() -> str:
    """Return the version of this program when it was first asked for, which every start does."""
    return read_version(Path(tallyroom.__file__).parent)


def read_version(package_folder: Path) -> str:
    """Return the version, as in `0.1.0`, or `0.1.0+1163e33c` if the package is in its clone."""
    commit = _read_commit(package_folder.parents[1] / ".git") if package_folder.parent.name == _SOURCE_FOLDER else None
    return VERSION if commit is None else f"{VERSION}+{commit[:_SHORT_COMMIT_LENGTH]}"


def _read_commit(git_folder: Path) -> str | None:
    """Return the commit that a clone has checked out; None if that cannot be read."""
    try:
        if git_folder.is_file():  # a worktree: the file names the folder
            git_folder = git_folder.parent / git_folder.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (git_folder / "HEAD").read_text(encoding="utf-8").strip()
        commit = _resolve_ref(git_folder, head.removeprefix("ref:").strip()) if head.startswith("ref:") else head
    except (OSError, UnicodeDecodeError):
        return None
    return commit if _COMMIT_PATTERN.fullmatch(commit) else None


def _resolve_ref(git_folder: Path, ref: str) -> str:
    common_dir_file = git_folder / "commondir"
    main_git_folder = (
        git_folder / common_dir_file.read_text(encoding="utf-8").strip() if common_dir_file.exists() else git_folder
    )
    for folder in (git_folder, main_git_folder):
        if (folder / ref).is_file():
            return (folder / ref).read_text(encoding="utf-8").strip()
    lines = (main_git_folder / "packed-refs").read_text(encoding="utf-8").splitlines()
    return next((line.split(" ")[0] for line in lines if line.endswith(f" {ref}")), "")
