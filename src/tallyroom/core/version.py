"""The version of the running program: of a clone, with the commit that is checked out."""

import re
from functools import cache
from pathlib import Path

import tallyroom

VERSION = "0.1.0"
"""The version of the package, which the build reads here."""

_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_SHORT = 8
_SOURCES = "src"


@cache
def running_version() -> str:
    """Return the version of this program as it was when somebody first asked, which a start does."""
    return version_in(Path(tallyroom.__file__).parent)


def version_in(package: Path) -> str:
    """Return the version, as in `0.1.0`, or `0.1.0+1163e33c` in a clone; it reads a few small files.

    An editable installation runs from its clone. A copy in site-packages does not, whatever repository is around it.

    Args:
        package: the folder of the program.
    """
    commit = _commit(package.parents[1] / ".git") if package.parent.name == _SOURCES else None
    return VERSION if commit is None else f"{VERSION}+{commit[:_SHORT]}"


def _commit(git: Path) -> str | None:
    """Return the commit that a clone has checked out; None if that cannot be read."""
    try:
        if git.is_file():  # a worktree: the file names the folder
            git = git.parent / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        text = _resolved(git, head.removeprefix("ref:").strip()) if head.startswith("ref:") else head
    except (OSError, UnicodeDecodeError):
        return None
    return text if _COMMIT.fullmatch(text) else None


def _resolved(git: Path, ref: str) -> str:
    """Return what a branch points to: by a file of its own, or by a line among the packed ones."""
    common = git / "commondir"
    main_git = git / common.read_text(encoding="utf-8").strip() if common.exists() else git
    for folder in (git, main_git):
        if (folder / ref).is_file():
            return (folder / ref).read_text(encoding="utf-8").strip()
    lines = (main_git / "packed-refs").read_text(encoding="utf-8").splitlines()
    return next((line.split(" ")[0] for line in lines if line.endswith(f" {ref}")), "")
