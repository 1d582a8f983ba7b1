"""Personal access tokens: which are valid, and which routes take them (rules/people#personal-access-token)."""
