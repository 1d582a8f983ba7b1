"""Acceptance: from valid events to a durable 202, within the plan's cap and once per idempotency key."""
