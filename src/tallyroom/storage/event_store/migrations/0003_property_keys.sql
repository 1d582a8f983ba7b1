-- Which property keys a block of events has, so that a question about a property skips the blocks that never have it.
-- Parts that are there already get it when they are merged. Numbers have none: it would cost an event 1 µs of its 7.
ALTER TABLE events ADD INDEX IF NOT EXISTS strings_keys mapKeys(strings) TYPE set(100) GRANULARITY 1;
ALTER TABLE events ADD INDEX IF NOT EXISTS texts_keys mapKeys(texts) TYPE set(100) GRANULARITY 1;
ALTER TABLE events ADD INDEX IF NOT EXISTS lists_keys mapKeys(lists) TYPE set(100) GRANULARITY 1;
