"""What a digest says: from the answers of widgets to HTML and text (rules/digests#email)."""
