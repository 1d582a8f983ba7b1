"""Tokens of the statistics API."""
