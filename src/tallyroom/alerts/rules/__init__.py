"""Alert rules: how people create, change and preview them, and resolve their incidents."""
