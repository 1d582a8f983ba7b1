"""The event store: writes to ClickHouse and reads from it, in SQL; `backend` hides where ClickHouse runs."""
