"""What the server tells people: mail."""
