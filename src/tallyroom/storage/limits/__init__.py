"""Limits on clients, in the memory of one process; `cluster/redis` shares them between workers."""
