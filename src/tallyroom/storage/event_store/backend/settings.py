"""ClickHouse's settings for writing and reading the store, wherever ClickHouse runs."""

from collections.abc import Mapping

from tallyroom.storage.event_store.backend.backend import ReadLimits

EngineSettings = Mapping[str, str | int]

WRITE_SETTINGS: EngineSettings = {
    "async_insert": 0,  # a successful insert means that the part is on disk
    "max_insert_threads": 1,
    "input_format_parallel_parsing": 0,  # one block per call, so that one token covers it
    "input_format_null_as_default": 1,  # a null in a row is an empty value,
    "input_format_defaults_for_omitted_fields": 0,  # not what the column's `DEFAULT` derives
    "input_format_json_read_objects_as_strings": 1,  # properties arrive as the text that was sent
    "allow_simdjson": 1,  # the other JSON reader misses the nearest double for every eighth number
    "deduplicate_blocks_in_dependent_materialized_views": 1,  # a resent block reaches the label view too
    "exclude_materialize_skip_indexes_on_insert": "numbers_keys, number_texts_keys",  # merges make them, at less cost
    "mutations_sync": 1,  # an erasure returns only when it is done
}

MANY_MONTHS_SETTINGS: EngineSettings = {"max_partitions_per_insert_block": 0}  # more than a block of events may have


def build_token_settings(token: str) -> EngineSettings:
    """Return the settings of an insert with a token, in letters, digits and dashes; "" for no token."""
    return {"insert_deduplication_token": token}


def build_read_settings(limits: ReadLimits) -> EngineSettings:
    """Return the settings of a sealed reader, except those that name and seal it."""
    return {
        "max_execution_time": limits.seconds,
        "max_memory_usage": limits.memory_bytes,
        "max_bytes_before_external_group_by": limits.spill_bytes,
        "max_result_rows": limits.max_rows,
        "result_overflow_mode": "throw",
        "max_threads": 1,
        "output_format_json_quote_64bit_integers": 0,
        "output_format_json_quote_denormals": 0,
        "output_format_json_escape_forward_slashes": 0,  # text keeps its slashes readable
        "output_format_parquet_write_page_index": 0,  # an export's row groups are too small to need an index
        "output_format_parquet_write_bloom_filter": 0,
        **_build_block_settings(limits.max_block_rows),
    }


def _build_block_settings(max_block_rows: int | None) -> EngineSettings:
    """Return the settings for small blocks; if ClickHouse chose by bytes, or cached, none would be below a granule."""
    if max_block_rows is None:
        return {}
    return {"max_block_size": max_block_rows, "preferred_block_size_bytes": 0, "use_query_condition_cache": 0}
