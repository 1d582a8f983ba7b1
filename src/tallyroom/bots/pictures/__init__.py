"""Pictures of bots: the histories of their metrics (rules/pictures#bot-pictures)."""
