-- One file, one writer thread. `id` never restarts (AUTOINCREMENT): a range of ids names the same bytes for ever.
CREATE TABLE IF NOT EXISTS chunk (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    month INTEGER NOT NULL,
    events INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    body BLOB NOT NULL
);
-- The range that is on its way into the store; at most one row.
CREATE TABLE IF NOT EXISTS claim (
    first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL
);
-- Parts of the claimed range that the store refused whole: never sent whole again, only in halves.
CREATE TABLE IF NOT EXISTS halved (
    month INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    PRIMARY KEY (month, start, stop)
);
-- Events that the store can never take, with its reason.
CREATE TABLE IF NOT EXISTS dead_letter (
    token TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    environment TEXT NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    line BLOB NOT NULL
);
-- Events accepted in a UTC calendar month, for the plan's cap.
CREATE TABLE IF NOT EXISTS usage (
    workspace_id TEXT NOT NULL,
    month INTEGER NOT NULL,
    events INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, month)
);
-- Answers given under an idempotency key.
CREATE TABLE IF NOT EXISTS idempotency (
    workspace_id TEXT NOT NULL,
    environment TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    accepted INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, environment, key)
);
CREATE INDEX IF NOT EXISTS idempotency_at ON idempotency (at_ms);
-- Single numbers: spool (its random identity), next_seq, acked, stored.
CREATE TABLE IF NOT EXISTS number (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
);
