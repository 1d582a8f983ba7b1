"""What the event store runs on: ClickHouse, behind one protocol. Nothing outside this folder imports its drivers."""
