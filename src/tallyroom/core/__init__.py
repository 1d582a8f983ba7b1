"""Settings, errors, clock, IDs, logs, failpoints and other code that every layer may use."""
