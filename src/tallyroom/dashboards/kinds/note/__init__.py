"""Note: a text on a dashboard, in Markdown (rules/boards#widget-data)."""
