"""What is different about the events behind a number (rules/questions#differences)."""
