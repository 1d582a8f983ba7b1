"""Pulls bots from another listing over its HTTP API."""
