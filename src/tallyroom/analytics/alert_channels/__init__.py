"""Alert channels: where alerts are told."""
