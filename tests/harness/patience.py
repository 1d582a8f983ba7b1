"""How long a test waits for what comes at once on a machine that is not busy. Nothing is measured by it."""

PATIENCE = 120.0
