"""Annotations: markers on charts for deploys and releases."""
