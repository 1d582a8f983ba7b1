-- One file, one writer thread. `id` never restarts (AUTOINCREMENT): a range of ids names the same bytes forever.
CREATE TABLE IF NOT EXISTS chunk (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    month INTEGER NOT NULL,
    events INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    body BLOB NOT NULL,
    seal BLOB -- checksums (storage/spool/seal.py); NULL if an older version wrote the row
);
-- The lane of a chunk with one environment's bulk (storage/spool/lane.py); all other chunks share a lane.
CREATE TABLE IF NOT EXISTS chunk_lane (
    id INTEGER PRIMARY KEY,
    lane TEXT NOT NULL
);
-- The chunks that are on their way into the store, a row for each run of consecutive ids.
CREATE TABLE IF NOT EXISTS claim (
    first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL
);
-- The same runs with a checksum of all of them, in another page of the file; storage/spool/open_range.py. Version 1 knows
-- only `claim`.
CREATE TABLE IF NOT EXISTS claim_copy (
    first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL,
    checksum INTEGER NOT NULL
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
    fingerprint TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, environment, key)
);
CREATE INDEX IF NOT EXISTS idempotency_at ON idempotency (at_ms);
-- Queues of idempotency keys, each of one API key; `used_ms` is the time of its newest answer.
CREATE TABLE IF NOT EXISTS idempotency_queue (
    id INTEGER PRIMARY KEY,
    api_key TEXT NOT NULL,
    name TEXT NOT NULL,
    used_ms INTEGER NOT NULL,
    UNIQUE (api_key, name)
);
CREATE INDEX IF NOT EXISTS idempotency_queue_used ON idempotency_queue (used_ms);
CREATE INDEX IF NOT EXISTS idempotency_queue_used_by ON idempotency_queue (api_key, used_ms);
CREATE TABLE IF NOT EXISTS idempotency_queue_count (
    api_key TEXT PRIMARY KEY,
    queues INTEGER NOT NULL
);
-- Answers given under the idempotency key of a queue; a higher rowid is a newer answer. A table of its own, because an
-- earlier version, which may open the file again, forgets the answers in `idempotency` sooner.
CREATE TABLE IF NOT EXISTS queued_idempotency (
    workspace_id TEXT NOT NULL,
    environment TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    queue INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, environment, key)
);
CREATE INDEX IF NOT EXISTS queued_idempotency_queue ON queued_idempotency (queue);
-- The limits of storage/spool/replays.py: 16 answers a queue, 10,000 queues an API key.
CREATE TRIGGER IF NOT EXISTS queued_idempotency_insert AFTER INSERT ON queued_idempotency BEGIN
    DELETE FROM queued_idempotency WHERE rowid IN (
        SELECT rowid FROM queued_idempotency WHERE queue = NEW.queue ORDER BY rowid DESC LIMIT -1 OFFSET 16
    );
END;
CREATE TRIGGER IF NOT EXISTS idempotency_queue_insert AFTER INSERT ON idempotency_queue BEGIN
    INSERT INTO idempotency_queue_count VALUES (NEW.api_key, 1) ON CONFLICT DO UPDATE SET queues = queues + 1;
    DELETE FROM idempotency_queue WHERE id IN (
        SELECT id FROM idempotency_queue WHERE api_key = NEW.api_key AND id <> NEW.id ORDER BY used_ms
        LIMIT max((SELECT queues FROM idempotency_queue_count WHERE api_key = NEW.api_key) - 10000, 0)
    );
END;
CREATE TRIGGER IF NOT EXISTS idempotency_queue_delete AFTER DELETE ON idempotency_queue BEGIN
    DELETE FROM queued_idempotency WHERE queue = OLD.id;
    UPDATE idempotency_queue_count SET queues = queues - 1 WHERE api_key = OLD.api_key;
    DELETE FROM idempotency_queue_count WHERE api_key = OLD.api_key AND queues = 0;
END;
-- Deletions from the store under way, with how many events each deletes; the finished ones are in the number `erased`.
CREATE TABLE IF NOT EXISTS erasure (
    id INTEGER PRIMARY KEY,
    events INTEGER NOT NULL
);
-- Which installation the spool belongs to and the epoch in which it was last in use; one row once a server has started.
CREATE TABLE IF NOT EXISTS stamp (
    installation TEXT NOT NULL,
    epoch INTEGER NOT NULL
);
-- How many events of each spool and month the event store must hold; storage/spool/expected_counts.py. Month 0: nobody knows of which.
CREATE TABLE IF NOT EXISTS stock (
    spool INTEGER NOT NULL,
    month INTEGER NOT NULL,
    events INTEGER NOT NULL,
    PRIMARY KEY (spool, month)
);
-- What each deletion under way takes of the stock.
CREATE TABLE IF NOT EXISTS erasure_stock (
    erasure_id INTEGER NOT NULL,
    spool INTEGER NOT NULL,
    month INTEGER NOT NULL,
    events INTEGER NOT NULL,
    PRIMARY KEY (erasure_id, spool, month)
);
-- Events that were erased while they waited, in the chunks from first_id to last_id except for those in gaps, which the
-- drain leaves out, and how many it has left out so far (storage/spool/omissions.py).
CREATE TABLE IF NOT EXISTS omission (
    erasure TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    environment TEXT NOT NULL,
    actor TEXT,
    before_ms INTEGER,
    first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL,
    events INTEGER NOT NULL
);
-- Chunks that were on their way into the store when an omission began: sent bytes never change.
CREATE TABLE IF NOT EXISTS omission_gap (
    erasure TEXT NOT NULL,
    first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL,
    PRIMARY KEY (erasure, first_id)
);
-- Single numbers: spool (its random identity), next_seq, acked, stored, erased, lost (with an event store or
-- parts of it); stocked, when the stock was first taken; next_seq_copy and last_id, to notice a change of next_seq and
-- of the sequence of ids; mended, how often a record was set right; doubtful, the last chunk that may be in the store
-- (storage/spool/repair.py).
CREATE TABLE IF NOT EXISTS number (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
);
-- One statement a group: the writing thread crosses into SQLite once for a commit instead of seven times, and each
-- crossing costs it a wait for Python's lock (docs/decisions/0003). `usage`, `replays` and `queued_replays` are JSON
-- arrays of rows.
CREATE VIEW IF NOT EXISTS intake AS
    SELECT month, events, bytes, body, seal, '' AS lane, 0 AS last_seq, '' AS usage, '' AS replays, '' AS queued_replays FROM chunk;
CREATE TRIGGER IF NOT EXISTS intake_insert INSTEAD OF INSERT ON intake BEGIN
    INSERT INTO chunk (month, events, bytes, body, seal) VALUES (NEW.month, NEW.events, NEW.bytes, NEW.body, NEW.seal);
    UPDATE number SET value = value + NEW.events WHERE name = 'acked';
    UPDATE number SET value = last_insert_rowid() WHERE name = 'last_id';
    INSERT INTO chunk_lane SELECT last_insert_rowid(), NEW.lane WHERE NEW.lane <> '';
    UPDATE number SET value = max(value, NEW.last_seq + 1) WHERE name IN ('next_seq', 'next_seq_copy');
    INSERT INTO usage
        SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(NEW.usage) WHERE true
        ON CONFLICT DO UPDATE SET events = events + excluded.events;
    INSERT OR REPLACE INTO idempotency
        SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]')
        FROM json_each(NEW.replays);
END;
CREATE TRIGGER IF NOT EXISTS intake_insert_queued INSTEAD OF INSERT ON intake WHEN NEW.queued_replays <> '[]' BEGIN
    INSERT INTO idempotency_queue (api_key, name, used_ms)
        SELECT json_extract(value, '$[6]'), json_extract(value, '$[7]'), json_extract(value, '$[5]') FROM json_each(NEW.queued_replays) WHERE true
        ON CONFLICT DO UPDATE SET used_ms = excluded.used_ms;
    INSERT OR REPLACE INTO queued_idempotency
        SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'), idempotency_queue.id
        FROM json_each(NEW.queued_replays) CROSS JOIN idempotency_queue ON api_key = json_extract(value, '$[6]') AND name = json_extract(value, '$[7]');
END;
