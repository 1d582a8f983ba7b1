"""The durable queue: work that waits in the metadata, with retries, for whichever worker is free."""
