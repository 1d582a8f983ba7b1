-- A block that the drain inserts stays one file, also with property columns: a file for each column costs an insert of
-- 20,000 events with 16 of them half as much again. Merged parts soon exceed this.
ALTER TABLE events MODIFY SETTING min_bytes_for_wide_part = 33554432;
