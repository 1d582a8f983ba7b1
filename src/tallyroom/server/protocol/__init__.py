"""The HTTP/1.1 connection: uvicorn's, with bounds and with a short way for small ingest requests."""
