"""OpenTelemetry (OTLP): from the bytes of a request to occurrences, which become events."""
