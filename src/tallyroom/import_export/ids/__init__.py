"""Rows with ids: each counts once, no matter how often and in which files it appears."""
