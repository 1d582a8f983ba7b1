"""Public dashboards: what anyone may see."""
