-- Events as they were accepted, with one typed map for each kind of property value.
-- The maps are derived here, in C++, from the verbatim JSON; docs/decisions/0004 says why there is no JSON column.
CREATE TABLE IF NOT EXISTS events
(
    workspace_id UUID,
    environment LowCardinality(String),
    timestamp_ms Int64 EPHEMERAL,
    received_ms Int64 EPHEMERAL,
    timestamp DateTime64(3, 'UTC') DEFAULT fromUnixTimestamp64Milli(timestamp_ms, 'UTC') CODEC(Delta, ZSTD(1)),
    received_at DateTime64(3, 'UTC') DEFAULT fromUnixTimestamp64Milli(received_ms, 'UTC') CODEC(Delta, ZSTD(1)),
    spool UInt32 CODEC(ZSTD(1)),
    seq UInt64 CODEC(Delta, ZSTD(1)),
    name LowCardinality(String),
    actor String CODEC(ZSTD(1)),
    actor_label String CODEC(ZSTD(1)),
    source LowCardinality(String),
    properties String CODEC(ZSTD(1)),

    -- What the maps are derived from: the properties, or their stand-in when they hold an integer beyond 64 bits.
    narrowed String EPHEMERAL,

    -- UUIDv7-shaped: 48 bits of the event's time, then spool and sequence, so that an id leads to its rows without a scan.
    -- (`reinterpretAsUUID` reads the low half of the number first.)
    id UUID ALIAS reinterpretAsUUID(bitOr(
        toUInt128(bitOr(bitShiftLeft(toUInt64(toUnixTimestamp64Milli(timestamp)), 16),
                        bitOr(toUInt64(0x7000), bitShiftRight(toUInt64(spool), 20)))),
        bitShiftLeft(toUInt128(bitOr(toUInt64(0x8000000000000000),
                                     bitOr(bitShiftLeft(bitAnd(toUInt64(spool), 0xFFFFF), 42),
                                           bitAnd(seq, 0x3FFFFFFFFFF)))), 64))),

    -- Real JSON strings only: group ids and group-key candidates come from here.
    strings Map(LowCardinality(String), String) MATERIALIZED CAST(
        arrayMap(kv -> (kv.1, JSONExtractString(kv.2)),
                 arrayFilter(kv -> startsWith(kv.2, '"'), JSONExtractKeysAndValuesRaw(if(narrowed = '', properties, narrowed)))),
        'Map(LowCardinality(String), String)') CODEC(ZSTD(1)),

    -- Booleans as `true` and `false`, objects as compact JSON: text for filters and breakdowns, never a group id.
    texts Map(LowCardinality(String), String) MATERIALIZED CAST(
        arrayFilter(kv -> kv.2 IN ('true', 'false') OR startsWith(kv.2, '{'), JSONExtractKeysAndValuesRaw(if(narrowed = '', properties, narrowed))),
        'Map(LowCardinality(String), String)') CODEC(ZSTD(1)),

    numbers Map(LowCardinality(String), Float64) MATERIALIZED CAST(
        arrayMap(kv -> (kv.1, toFloat64(kv.2)),
                 arrayFilter(kv -> match(kv.2, '^[-0-9]'), JSONExtractKeysAndValuesRaw(if(narrowed = '', properties, narrowed)))),
        'Map(LowCardinality(String), Float64)') CODEC(ZSTD(1)),

    -- Each element as text, nulls left out; an empty list is absent.
    lists Map(LowCardinality(String), Array(String)) MATERIALIZED CAST(
        arrayFilter(kv -> notEmpty(kv.2),
            arrayMap(kv -> (kv.1, arrayMap(e -> if(startsWith(e, '"'), JSONExtractString(e), e),
                                           arrayFilter(e -> e != 'null', JSONExtractArrayRaw(kv.2)))),
                     arrayFilter(kv -> startsWith(kv.2, '['), JSONExtractKeysAndValuesRaw(if(narrowed = '', properties, narrowed))))),
        'Map(LowCardinality(String), Array(String))') CODEC(ZSTD(1)),

    INDEX actor_bloom actor TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(timestamp)
ORDER BY (workspace_id, environment, toDate(timestamp), name, timestamp)
SETTINGS non_replicated_deduplication_window = 10000,
    -- A part is on the disk before the parts that it was merged from are deleted, which this engine does at once.
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- The newest label of each actor, whatever the range that is asked for. The maximum over
-- (time, arrival, label) is the same however often a row arrives, so a repeated block changes nothing.
CREATE TABLE IF NOT EXISTS actor_labels
(
    workspace_id UUID,
    environment LowCardinality(String),
    actor String,
    newest SimpleAggregateFunction(max, Tuple(
        timestamp DateTime64(3, 'UTC'), received_at DateTime64(3, 'UTC'), spool UInt32, seq UInt64, label String))
)
ENGINE = AggregatingMergeTree
ORDER BY (workspace_id, environment, actor)
SETTINGS non_replicated_deduplication_window = 10000,
    -- A part is on the disk before the parts that it was merged from are deleted, which this engine does at once.
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS actor_labels_of_events TO actor_labels AS
SELECT
    workspace_id,
    environment,
    actor,
    CAST(max((events.timestamp, events.received_at, spool, seq, actor_label)),
         'Tuple(timestamp DateTime64(3, \'UTC\'), received_at DateTime64(3, \'UTC\'), spool UInt32, seq UInt64, label String)') AS newest
FROM events
WHERE actor != '' AND actor_label != ''
GROUP BY workspace_id, environment, actor;
