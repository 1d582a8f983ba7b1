"""The kinds of widgets, one file each: config, checks, plan with its SQL, results."""
