"""Bots and their listings: feeds, votes, counters, ranks and the Statistics API (rules/statistics#listing)."""
