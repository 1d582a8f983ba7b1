"""The event store: ClickHouse SQL, spoken through chDB. Nothing outside this folder imports the driver."""
