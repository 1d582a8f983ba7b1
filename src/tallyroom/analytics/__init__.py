"""The Analytics API under /v1, one folder per resource."""
