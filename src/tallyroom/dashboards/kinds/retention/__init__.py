"""Retention: how many of each period's newcomers come back in later periods (rules/questions#retention)."""
