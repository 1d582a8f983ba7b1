"""Tallyroom: event analytics, bot statistics and chart images from one small server."""
