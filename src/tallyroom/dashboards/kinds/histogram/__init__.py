"""Histogram: how the values of a property spread (rules/questions#histogram)."""
