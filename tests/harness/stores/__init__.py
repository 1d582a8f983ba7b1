"""Metadata, event stores, spools and what works on them, opened in the process of a test."""
