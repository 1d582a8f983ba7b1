"""Bots: profile, history, recent data, leaderboard."""
