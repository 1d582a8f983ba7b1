"""Usage: how many of the plan's events are used up."""
