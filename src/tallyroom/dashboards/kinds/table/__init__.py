"""Table: the newest events, one per row (rules/questions#table)."""
