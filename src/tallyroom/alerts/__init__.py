"""Alerts: what they measure, when they fire, and what would have happened in the past."""
