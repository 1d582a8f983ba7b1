"""The metadata (users, workspaces, keys, dashboards), stored through SQLAlchemy; here in SQLite."""
