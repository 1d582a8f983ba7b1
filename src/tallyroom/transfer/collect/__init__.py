"""Pulls what another listing answers, over its HTTP API."""
