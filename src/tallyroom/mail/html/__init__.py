"""What the HTML of all mails has in common, within the limits of mail programs (rules/digests#mail-programs)."""
