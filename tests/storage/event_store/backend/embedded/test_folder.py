"""What the parts of a store hold, told from their names and files alone."""

import os
from pathlib import Path
from typing import Any

import pytest

from tallyroom.storage.event_store.backend.embedded.folder import count_events, sync_folders


def store_with(folder: Path, parts: dict[str, str]) -> Path:
    """A store whose table of events has these parts, each with what its file of rows says."""
    for name, rows in parts.items():
        part = folder / "data" / "default" / "events" / name
        part.mkdir(parents=True)
        (part / "count.txt").write_text(rows)
    return folder


def test_what_was_merged_into_another_part_counts_once(tmp_path: Path) -> None:
    parts = {
        "202610_1_4_1": "40",
        "202610_1_1_0": "10",
        "202610_2_2_0": "10",
        "202610_3_3_0": "10",
        "202610_4_4_0": "10",
        "202610_5_5_0": "7",
        "202609_1_1_0": "100",
        "202611_1_6_2": "600",
        "202611_1_3_1": "300",
        "202611_4_6_1": "300",
    }
    assert count_events(store_with(tmp_path, parts)) == 40 + 7 + 100 + 600


def test_what_a_deletion_has_rewritten_counts_once(tmp_path: Path) -> None:
    parts = {"202610_1_4_1": "40", "202610_1_4_1_9": "30", "202610_10_10_0": "1", "202610_10_12_1_13": "3"}
    assert count_events(store_with(tmp_path, parts)) == 30 + 3


def test_what_cannot_be_read_and_what_is_no_part_count_nothing(tmp_path: Path) -> None:
    parts = {
        "202610_1_1_0": "1",
        "202610_2_2_0": "",
        "202610_3_3_0": "x",
        "detached": "5",
        "tmp_merge_202610_1_9_1": "9",
    }
    assert count_events(store_with(tmp_path, parts)) == 1
    assert count_events(tmp_path / "none") == 0
    (tmp_path / "file").touch()
    assert count_events(tmp_path / "file") == 0


def test_folders_may_vanish_while_they_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A merge deletes the folders of parts at any time."""
    root = tmp_path / "store"
    for name in ("a", "b", "c"):
        (root / name / "part").mkdir(parents=True)
    opened = os.open

    def vanishing(path: Any, flags: int) -> int:
        if Path(path).name == "a":
            for name in ("a", "b"):
                (root / name).rename(tmp_path / name)
        return opened(path, flags)

    monkeypatch.setattr(os, "open", vanishing)
    sync_folders(root)
    assert [path.name for path in root.iterdir()] == ["c"]
