"""Data that tests send, store or draw."""
