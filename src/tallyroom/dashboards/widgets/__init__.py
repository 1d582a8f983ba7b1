"""Widgets: the questions of a dashboard."""
