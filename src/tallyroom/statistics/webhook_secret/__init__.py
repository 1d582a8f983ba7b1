"""The secret with which the webhooks of a bot are signed."""
