"""`POST /v1/traces`, `/v1/logs` and `/v1/metrics`: OTLP/HTTP."""
