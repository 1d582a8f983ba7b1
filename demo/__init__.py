"""A server full of real data to look at: `make demo`."""
