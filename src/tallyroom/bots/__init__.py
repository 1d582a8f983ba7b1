"""The bots of listings: the data fed to them, and the counters and ranks that result (rules/statistics#listing)."""
