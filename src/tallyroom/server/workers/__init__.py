"""Several servers on one host that answer at one address: the parent that keeps them running, and its children."""
