"""Metric: a measure of events, as one number, over time, by a property, or both (rules/questions#metric)."""
