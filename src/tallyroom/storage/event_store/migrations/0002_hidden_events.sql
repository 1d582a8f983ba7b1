-- Events that somebody has hidden: they stay in `events`, and every read leaves them out (storage/event_store/scope.py).
-- `actor` and `labelled` say whose newest label has to be looked for without them.
CREATE TABLE IF NOT EXISTS hidden_events
(
    workspace_id UUID,
    environment LowCardinality(String),
    timestamp DateTime64(3, 'UTC'),
    spool UInt32,
    seq UInt64,
    actor String,
    labelled Bool
)
ENGINE = MergeTree
ORDER BY (workspace_id, environment, timestamp, spool, seq)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
