"""Digests: dashboards by mail, on a schedule."""
