"""New events are refused before the disk is full, and looking is cheap."""

import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tallyroom.core.errors import Unavailable
from tallyroom.ingest.acceptance.disk import DiskWatch


class Usage(NamedTuple):
    free: int


class Disk:
    def __init__(self) -> None:
        self.free = 1000
        self.looks = 0

    def usage(self, _: Path) -> Usage:
        self.looks += 1
        return Usage(self.free)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk()
    monkeypatch.setattr(shutil, "disk_usage", disk.usage)
    return disk


def test_below_the_reserve_is_refused_and_above_taken_again(disk: Disk, fake_clock: Any, tmp_path: Path) -> None:
    watch = DiskWatch(tmp_path, 100, fake_clock)
    for free, taken in ((1000, True), (100, True), (99, False), (0, False), (100, True)):
        disk.free = free
        fake_clock.advance(1)
        if taken:
            watch.refuse_when_low()
        else:
            with pytest.raises(Unavailable) as refused:
                watch.refuse_when_low()
            assert refused.value.headers["retry-after"] == "30"
        assert watch.free_bytes == free


def test_it_looks_once_a_second_at_most(disk: Disk, fake_clock: Any, tmp_path: Path) -> None:
    watch = DiskWatch(tmp_path, 100, fake_clock)
    for _ in range(100):
        watch.refuse_when_low()
        fake_clock.advance(0.02)
    assert disk.looks == 2


def test_a_full_disk_stays_refused_between_two_looks(disk: Disk, fake_clock: Any, tmp_path: Path) -> None:
    disk.free = 0
    watch = DiskWatch(tmp_path, 100, fake_clock)
    for _ in range(3):
        with pytest.raises(Unavailable):
            watch.refuse_when_low()
    assert disk.looks == 1


def test_the_real_disk_is_looked_at(fake_clock: Any, tmp_path: Path) -> None:
    DiskWatch(tmp_path, 1, fake_clock).refuse_when_low()
    with pytest.raises(Unavailable):
        DiskWatch(tmp_path, 2**62, fake_clock).refuse_when_low()
