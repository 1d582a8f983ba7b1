"""Gives the properties that questions read most a column of their own (docs/decisions/0039)."""
