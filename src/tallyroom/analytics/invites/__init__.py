"""Invitations to a workspace."""
