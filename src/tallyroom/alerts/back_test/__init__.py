"""Back-tests: what an alert would have done in the past 30 days."""
