-- What bots of a listing were at each moment that somebody told: one row for each counter and moment. A row that comes
-- twice is one row, and of two for one moment that of the later revision of the listing holds.
CREATE TABLE IF NOT EXISTS bot_counters
(
    workspace_id UUID,
    bot_id String,
    metric LowCardinality(String),
    time_ms Int64 EPHEMERAL,
    time DateTime64(3, 'UTC') DEFAULT fromUnixTimestamp64Milli(time_ms, 'UTC') CODEC(Delta, ZSTD(1)),
    revision UInt64 CODEC(Delta, ZSTD(1)),
    value Int64 CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY toYYYYMM(time)
ORDER BY (workspace_id, bot_id, metric, time)
SETTINGS index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- The last of each UTC day. The maximum is the same however often a row arrives.
CREATE TABLE IF NOT EXISTS bot_counters_daily
(
    workspace_id UUID,
    bot_id String,
    metric LowCardinality(String),
    day Date CODEC(Delta, ZSTD(1)),
    last SimpleAggregateFunction(max, Tuple(
        time DateTime64(3, 'UTC'), revision UInt64, value Int64)) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (workspace_id, bot_id, metric, day)
SETTINGS index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS bot_counters_daily_of_counters TO bot_counters_daily AS
SELECT
    workspace_id,
    bot_id,
    metric,
    toDate(time) AS day,
    CAST(max((bot_counters.time, revision, value)),
         'Tuple(time DateTime64(3, \'UTC\'), revision UInt64, value Int64)') AS last
FROM bot_counters
GROUP BY workspace_id, bot_id, metric, day;

-- Votes as they were counted; a row that comes twice is one vote.
CREATE TABLE IF NOT EXISTS bot_votes
(
    workspace_id UUID,
    bot_id String,
    user_id String,
    time_ms Int64 EPHEMERAL,
    time DateTime64(3, 'UTC') DEFAULT fromUnixTimestamp64Milli(time_ms, 'UTC') CODEC(Delta, ZSTD(1)),
    vote_id String,
    weight UInt8
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (workspace_id, bot_id, user_id, time, vote_id)
SETTINGS index_granularity = 1024, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
