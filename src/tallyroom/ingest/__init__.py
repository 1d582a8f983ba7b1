"""From the bytes of a request to the 202: validation, the cap of the plan, idempotency keys, the commit."""
