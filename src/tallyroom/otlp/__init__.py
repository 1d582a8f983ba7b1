"""OpenTelemetry (OTLP/HTTP) ingest: requests are checked and made durable as sent; the drain maps them to events."""
