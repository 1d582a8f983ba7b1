"""Comparisons of bots."""
