"""The HTTP/1.1 connection: uvicorn's, with limits and with a fast path for small ingest requests."""
