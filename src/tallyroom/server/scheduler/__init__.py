"""Scheduled jobs: each runs once for each due time, on any one of the servers."""
