"""The bots of listings: what is fed to them, and what it amounts to (rules/statistics#listing)."""
