"""What mails show of widgets (rules/digests#mail)."""
