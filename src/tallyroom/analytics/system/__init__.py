"""Health, readiness, metrics and the API reference: what operators and tools ask for."""
