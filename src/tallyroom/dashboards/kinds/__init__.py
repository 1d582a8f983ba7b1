"""The kinds of widgets. Each file has one kind's config, checks, query plan with its SQL, and results."""
