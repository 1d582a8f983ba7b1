"""Limits on a Redis or Valkey server that all workers share; only this folder imports its client.

Answers stay correct if the server is emptied or away at any time: until it answers again, each worker decides alone,
with its share of every limit.
"""
