"""Listings of bots: what is fed to them, and what it amounts to (rules/statistics#listing)."""
