"""Settings, errors, clock, ids, logs, failpoints and whatever else every layer may use."""
