"""Dashboards: pages of widgets."""
