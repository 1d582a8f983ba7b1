"""store.backend.settings: a value becomes one piece of SQL, and a limit reaches every setting that it needs."""

import pytest

from harness.store import EventStore
from tallyroom.store.backend.backend import ReadLimits
from tallyroom.store.backend.settings import literal, reading

LIMITS = ReadLimits(seconds=3, memory_bytes=50_000_000, rows=7)


@pytest.mark.parametrize("text", ["", "plain", "it's", "a\\b", "\\'", "line\nbreak", "'; DROP TABLE events --", "é😀"])
def test_a_text_comes_back_as_it_was(event_store: EventStore, text: str) -> None:
    assert event_store.writer.command(f"SELECT {literal(text)} FORMAT RawBLOB") == text


def test_a_number_stays_a_number() -> None:
    assert literal(10_000) == "10000"


def test_limits_are_settings() -> None:
    settings = reading(LIMITS)
    assert (settings["max_execution_time"], settings["max_memory_usage"]) == (3, 50_000_000)
    assert (settings["max_result_rows"], settings["result_overflow_mode"]) == (7, "throw")
    assert "max_block_size" not in settings


def test_small_blocks_take_three_settings() -> None:
    """Otherwise no block would be smaller than a granule, and a query with a regular expression could not be stopped."""
    blocks = (
        reading(ReadLimits(seconds=3, memory_bytes=50_000_000, rows=7, block_rows=4)).items() - reading(LIMITS).items()
    )
    assert dict(blocks) == {"max_block_size": 4, "preferred_block_size_bytes": 0, "use_query_condition_cache": 0}
