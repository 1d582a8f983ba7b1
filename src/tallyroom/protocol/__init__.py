"""The HTTP/1.1 connection: uvicorn's, bounded, and with a short way for small ingest requests."""
