"""Limits on what clients do, in the memory of one process; `cluster/redis` shares them between workers."""
