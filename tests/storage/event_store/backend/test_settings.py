"""A limit reaches every setting that it needs."""

import msgspec

from tallyroom.storage.event_store.backend.backend import ReadLimits
from tallyroom.storage.event_store.backend.settings import build_read_settings

LIMITS = ReadLimits(seconds=3, memory_bytes=50_000_000, max_rows=7)


def test_limits_are_settings() -> None:
    settings = build_read_settings(LIMITS)
    assert (settings["max_execution_time"], settings["max_memory_usage"]) == (3, 50_000_000)
    assert (settings["max_result_rows"], settings["result_overflow_mode"]) == (7, "throw")
    assert "max_block_size" not in settings


def test_only_queries_that_may_continue_on_the_disk_do() -> None:
    spilling = build_read_settings(msgspec.structs.replace(LIMITS, spill_bytes=5_000_000))
    spill_bytes = [
        settings["max_bytes_before_external_group_by"] for settings in (build_read_settings(LIMITS), spilling)
    ]
    assert spill_bytes == [0, 5_000_000]


def test_small_blocks_take_three_settings() -> None:
    """Otherwise no block would be smaller than a granule, and a query with a regular expression could not be stopped."""
    blocks = (
        build_read_settings(ReadLimits(seconds=3, memory_bytes=50_000_000, max_rows=7, max_block_rows=4)).items()
        - build_read_settings(LIMITS).items()
    )
    assert dict(blocks) == {"max_block_size": 4, "preferred_block_size_bytes": 0, "use_query_condition_cache": 0}
