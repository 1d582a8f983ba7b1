"""The environments of a workspace."""
