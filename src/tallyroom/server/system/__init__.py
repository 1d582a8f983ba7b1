"""Health, readiness, metrics and the API reference, for operators and tools."""
