"""ClickHouse on a server, reached through its HTTP interface."""
