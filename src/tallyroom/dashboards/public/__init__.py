"""Public dashboards: what anybody may see."""
