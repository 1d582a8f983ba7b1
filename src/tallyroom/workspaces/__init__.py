"""Workspaces: members, invites, environments, API keys and tokens, usage and the audit log."""
