"""Annotations: marks on charts for deploys and releases."""
