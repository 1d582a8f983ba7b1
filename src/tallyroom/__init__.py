"""Tallyroom: event analytics, bot statistics and chart images from one small server."""

__version__ = "0.1.0"
