"""Limits on a Redis or Valkey server that all workers share; only this folder imports its client.

The server may be emptied or gone at any time without a wrong answer: until it answers again, each worker judges alone,
with its share of every limit.
"""
