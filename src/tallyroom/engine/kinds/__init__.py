"""The kinds of widgets, one file each: config, checks, query plan with its SQL, results."""
