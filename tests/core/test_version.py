"""What runs, and from which commit."""

from pathlib import Path

import pytest

from tallyroom.core.version import VERSION, read_version

COMMIT = "1163e33c" + "0" * 32
BRANCH = "refs/heads/a/b"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The program in a clone that has a branch checked out."""
    package = tmp_path / "clone" / "src" / "tallyroom"
    package.mkdir(parents=True)
    git = tmp_path / "clone" / ".git"
    write(git / "HEAD", f"ref: {BRANCH}\n")
    write(git / BRANCH, f"{COMMIT}\n")
    return package


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def git_of(package: Path) -> Path:
    return package.parents[1] / ".git"


def test_a_clone_says_its_commit(package: Path) -> None:
    assert read_version(package) == f"{VERSION}+1163e33c"


def test_a_commit_that_is_on_no_branch(package: Path) -> None:
    write(git_of(package) / "HEAD", f"{COMMIT}\n")
    (git_of(package) / BRANCH).unlink()
    assert read_version(package) == f"{VERSION}+1163e33c"


def test_a_branch_among_packed_ones(package: Path) -> None:
    (git_of(package) / BRANCH).unlink()
    write(git_of(package) / "packed-refs", f"# pack-refs\n{'f' * 40} {BRANCH}/c\n{COMMIT} {BRANCH}\n")
    assert read_version(package) == f"{VERSION}+1163e33c"


def test_a_worktree_shares_the_branches_of_its_clone(package: Path, tmp_path: Path) -> None:
    worktree = tmp_path / "worktree"
    (worktree / "src" / "tallyroom").mkdir(parents=True)
    own = git_of(package) / "worktrees" / "worktree"
    write(worktree / ".git", f"gitdir: {own}\n")
    write(own / "HEAD", f"ref: {BRANCH}\n")
    write(own / "commondir", "../..\n")
    assert read_version(worktree / "src" / "tallyroom") == f"{VERSION}+1163e33c"


def test_no_clone_has_no_commit(package: Path, tmp_path: Path) -> None:
    installed = tmp_path / "clone" / ".venv" / "site-packages" / "tallyroom"
    installed.mkdir(parents=True)
    assert read_version(installed) == VERSION
    for broken in ("", "ref: refs/heads/nowhere", "ref: ../../x", "no commit"):
        write(git_of(package) / "HEAD", broken)
        assert read_version(package) == VERSION
    (git_of(package) / "HEAD").write_bytes(b"\xff")
    assert read_version(package) == VERSION
    (git_of(package) / "HEAD").unlink()
    assert read_version(package) == VERSION
