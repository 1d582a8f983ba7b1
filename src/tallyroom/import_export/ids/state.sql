CREATE TABLE destination (
    id INTEGER PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    environment TEXT NOT NULL,
    runs INTEGER NOT NULL DEFAULT 0,
    UNIQUE (workspace_id, environment)
);

-- Rows that count, and those of open batches. run is the import that brought them.
CREATE TABLE known (
    destination INTEGER NOT NULL,
    id_hash BLOB NOT NULL,
    run INTEGER NOT NULL,
    PRIMARY KEY (destination, id_hash)
) WITHOUT ROWID;

-- Batches that were about to be sent, or were sent, and of which nobody has read yet whether they count.
CREATE TABLE open_batch (
    id INTEGER PRIMARY KEY,
    destination INTEGER NOT NULL,
    key TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    rows BLOB NOT NULL,
    UNIQUE (destination, key)
);
