"""Metadata: users, workspaces, keys and sessions, in SQLite through SQLAlchemy."""
