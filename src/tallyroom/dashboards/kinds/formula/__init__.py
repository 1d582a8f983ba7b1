"""Formula: arithmetic with up to four measures, in the shapes of a metric (rules/questions#formula)."""
