"""Alerts: rules, their evaluation, their channels, and the delivery of messages."""
