"""Bots of a user."""
