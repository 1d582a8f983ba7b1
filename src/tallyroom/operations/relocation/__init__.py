"""Moves an installation from a data directory to the servers of a cluster, and back, and backs up a cluster."""
