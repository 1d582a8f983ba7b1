"""Servers and other processes that tests start, and what surrounds them."""
