"""Counts rooms and names, and compares them with the limits that `make check` holds."""
