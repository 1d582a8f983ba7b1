"""Work by the clock: each job is done once for each time at which it is due, whoever does it."""
