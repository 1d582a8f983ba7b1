"""The members of a workspace."""
