"""Who sends a request and what they may do: sign-in, sessions, tokens, roles and guards."""
