"""The metadata (users, workspaces, keys and sessions), stored in SQLite or PostgreSQL through SQLAlchemy."""
