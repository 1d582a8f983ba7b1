"""The durable queue between an acknowledged request and the event store."""
