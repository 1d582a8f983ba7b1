"""A copy is its owner's alone, and its hash is that of what was read."""

import hashlib
import stat
from pathlib import Path

import pytest

from tallyroom.operations.backup.files import copy_file, find_files, flush_folder, hash_file, make_folder


@pytest.mark.parametrize("size", [0, 1, 1 << 20, (1 << 20) + 1])
def test_a_copy_and_its_hash(tmp_path: Path, size: int) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"\x5a" * size)
    source.chmod(0o644)
    seen: list[int] = []
    entry = copy_file(source, tmp_path, "a/b/copy", seen.append)
    assert (tmp_path / "a/b/copy").read_bytes() == source.read_bytes()
    assert (entry.path, entry.size) == ("a/b/copy", size)
    assert entry.sha256 == hashlib.sha256(source.read_bytes()).hexdigest()
    assert sum(seen) == size
    assert stat.S_IMODE((tmp_path / "a/b/copy").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700
    assert hash_file(tmp_path, "a/b/copy", seen.append) == entry
    flush_folder(tmp_path)


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(b"new")
    (tmp_path / "copy").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        copy_file(tmp_path / "source", tmp_path, "copy", lambda _: None)
    assert (tmp_path / "copy").read_bytes() == b"old"


def test_links_are_named_and_not_followed(tmp_path: Path) -> None:
    make_folder(tmp_path / "in" / "deep")
    (tmp_path / "in" / "deep" / "file").touch()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "secret").touch()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    (tmp_path / "in" / "dangling").symlink_to("nowhere")
    found = [str(path.relative_to(tmp_path / "in")) for path in find_files(tmp_path / "in")]
    assert sorted(found) == ["dangling", "deep/file", "link"]


def test_a_folder_that_vanishes_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(find_files(tmp_path / "gone"))
