"""Alerts: rules that are evaluated at every beat, their history, and what they would have done."""
