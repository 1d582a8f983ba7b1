"""Workspaces: those that a person belongs to, and the current one."""
