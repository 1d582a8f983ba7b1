"""Delivery: messages on their way to channels, with retries."""
