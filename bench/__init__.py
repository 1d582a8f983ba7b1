"""Measurements: each prints ratios against something that runs beside it, never a verdict on an absolute."""
