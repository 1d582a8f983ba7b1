"""Whatever is not as it was is named by its path."""

from pathlib import Path
from random import Random

import pytest

from harness.builders.backups import FILES, make_by_hand
from tallyroom.operations.backup.manifest import BackupDamaged
from tallyroom.operations.backup.progress import NoProgress
from tallyroom.operations.backup.verify import verify_backup


def damage(folder: Path) -> str:
    with pytest.raises(BackupDamaged) as refused:
        verify_backup(folder, NoProgress())
    return refused.value.message


def test_a_whole_backup(tmp_path: Path) -> None:
    made = make_by_hand(tmp_path)
    assert verify_backup(tmp_path, NoProgress()).files == made.files


@pytest.mark.parametrize("name", [name for name, content in FILES.items() if content])
def test_a_flipped_bit(tmp_path: Path, name: str) -> None:
    make_by_hand(tmp_path)
    content = bytearray(FILES[name])
    chance = Random(name)
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    (tmp_path / name).write_bytes(content)
    assert damage(tmp_path).splitlines()[1:] == [f"  {name} was changed: its SHA-256 differs"]


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file(tmp_path: Path, name: str) -> None:
    make_by_hand(tmp_path)
    (tmp_path / name).unlink()
    assert damage(tmp_path).splitlines()[1:] == [f"  {name} is missing"]


@pytest.mark.parametrize("content", [b"", b"spool" * 999, b"spool" * 1001])
def test_another_length(tmp_path: Path, content: bytes) -> None:
    make_by_hand(tmp_path)
    (tmp_path / "spool.sqlite").write_bytes(content)
    assert damage(tmp_path).splitlines()[1:] == [f"  spool.sqlite is {len(content):,} bytes instead of 5,000"]


@pytest.mark.parametrize("name", ["extra", "spool.sqlite-wal", "store/events/202611_1_1_0/extra", "other/x"])
def test_a_file_too_many(tmp_path: Path, name: str) -> None:
    make_by_hand(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).touch()
    assert damage(tmp_path).splitlines()[1:] == [f"  {name} is not part of the backup"]


def test_a_link_is_no_file_even_to_the_right_content(tmp_path: Path) -> None:
    make_by_hand(tmp_path / "backup")
    (tmp_path / "backup" / "spool.sqlite").rename(tmp_path / "elsewhere")
    (tmp_path / "backup" / "spool.sqlite").symlink_to(tmp_path / "elsewhere")
    assert "spool.sqlite is not a file" in damage(tmp_path / "backup")


def test_everything_is_named_and_the_flood_is_counted(tmp_path: Path) -> None:
    make_by_hand(tmp_path)
    (tmp_path / "spool.sqlite").unlink()
    for number in range(30):
        (tmp_path / f"extra-{number:02}").touch()
    lines = damage(tmp_path).splitlines()
    assert len(lines) == 22
    assert lines[-1] == "  and 11 more"
    (tmp_path / "manifest.json").unlink()
    assert "it has no manifest.json" in damage(tmp_path)
