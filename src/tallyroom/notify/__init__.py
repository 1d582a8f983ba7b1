"""Notifications to people, by mail."""
