"""A file appears when it is whole, or not at all."""

import gzip
from pathlib import Path
from typing import BinaryIO

import pytest

from tallyroom.import_export.target import TargetUnusable, open_target, strip_gzip_suffix


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    with open_target(tmp_path / "a.csv") as file:
        file.write(b"ab")
        assert "a.csv" not in names(tmp_path)
        file.write(b"cd")
    assert names(tmp_path) == ["a.csv"]
    assert (tmp_path / "a.csv").read_bytes() == b"abcd"


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_nothing_is_left_of_a_broken_one(tmp_path: Path, name: str, error: type[BaseException]) -> None:
    (tmp_path / name).write_bytes(b"of last week")

    def interrupted(file: BinaryIO) -> None:
        file.write(b"ab")
        raise error

    with pytest.raises(error), open_target(tmp_path / name) as file:
        interrupted(file)
    assert names(tmp_path) == [name]
    assert (tmp_path / name).read_bytes() == b"of last week"


def test_a_name_in_gz_is_compressed(tmp_path: Path) -> None:
    with open_target(tmp_path / "a.csv.GZ") as file:
        file.write(b"ab" * 1000)
    assert gzip.decompress((tmp_path / "a.csv.GZ").read_bytes()) == b"ab" * 1000


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    with open_target(tmp_path / "a.csv"):
        pass
    assert (tmp_path / "a.csv").stat().st_mode & 0o777 == 0o600


def test_a_device_and_a_link_keep_their_places(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    with open_target(tmp_path / "link") as file:
        file.write(b"ab")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"ab"
    with open_target(Path("/dev/null")) as file:
        file.write(b"ab")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("name", [".", "nowhere/a.csv", "a" * 300])
def test_what_cannot_be_written_is_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(TargetUnusable), open_target(tmp_path / name):
        pass
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "bare"), [("a.csv", "a.csv"), ("a.csv.gz", "a.csv"), ("a.GZ", "a"), ("gz", "gz"), ("-", "-")]
)
def test_without_gzip(name: str, bare: str) -> None:
    assert strip_gzip_suffix(Path(name)) == Path(bare)
