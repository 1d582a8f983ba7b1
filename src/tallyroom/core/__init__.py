"""What every layer may use: settings, errors, clock, ids, logs and failpoints."""
