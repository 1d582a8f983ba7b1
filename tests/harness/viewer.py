"""A member who may only read. Until members can be invited over HTTP, the metadata database is told directly."""

import sqlite3
from contextlib import closing

from harness.server import Server
from harness.workspace import Workspace, sign_up


def add_viewer(server: Server, workspace: Workspace) -> str:
    """The session token of a new viewer of `workspace`."""
    stranger = sign_up(server.url)
    with closing(sqlite3.connect(server.data / "metadata.sqlite", timeout=30)) as database, database:
        (user,) = database.execute(
            "SELECT user_id FROM memberships WHERE workspace_id = ?", (stranger.workspace_id,)
        ).fetchone()
        database.execute(
            "INSERT INTO memberships (user_id, workspace_id, role) VALUES (?, ?, 'viewer')",
            (user, workspace.workspace_id),
        )
        database.execute("UPDATE sessions SET workspace_id = ? WHERE user_id = ?", (workspace.workspace_id, user))
    return stranger.session_token
