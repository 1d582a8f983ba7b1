"""The event store: what is written to ClickHouse and read from it, in SQL; `backend` knows where ClickHouse runs."""
