"""What the helpers for bots of every platform share."""
