"""Tokens of the Statistics API."""
