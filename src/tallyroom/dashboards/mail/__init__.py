"""What mails show of widgets (rules/digests#email)."""
