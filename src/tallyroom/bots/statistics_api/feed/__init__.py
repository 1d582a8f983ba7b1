"""Feeds a listing with profiles, counters and votes."""
