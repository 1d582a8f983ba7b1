"""Limits on what clients do, in the memory of one process or on a server that all processes share.

Only `opening`, and `redis` behind it, know which of the two a server has.
"""
