"""ClickHouse for the event store, behind one protocol. Nothing outside this folder imports its drivers."""
