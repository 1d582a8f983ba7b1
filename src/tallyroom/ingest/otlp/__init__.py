"""OpenTelemetry (OTLP/HTTP) as it comes in: checked and made durable as sent, mapped to events by the drain."""
