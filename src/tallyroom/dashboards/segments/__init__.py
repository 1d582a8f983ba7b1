"""Segments: saved filters."""
