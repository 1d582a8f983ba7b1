"""The metadata (users, workspaces, keys and sessions), stored in SQLite through SQLAlchemy."""
