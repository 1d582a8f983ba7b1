"""Heatmap: how many events each hour of the week has (rules/questions#heatmap)."""
