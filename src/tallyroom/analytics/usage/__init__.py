"""Usage: how much of the plan is used."""
