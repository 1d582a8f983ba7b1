"""Metadata as large as a workspace may grow, written into the database of a server faster than it would take them."""

import sqlite3
from contextlib import closing
from pathlib import Path

from harness.clients.workspace import Workspace

_COPIED = """INSERT INTO annotations SELECT ?, workspace_id, environment, ?, description, color, time_ms - ?, NULL, created_at_ms, NULL
    FROM annotations WHERE workspace_id = ? AND label = ?"""
_USERS = "INSERT INTO users VALUES (?, ?, ?, 'none', 1795176000000)"
_MEMBERS = "INSERT INTO memberships (user_id, workspace_id, role, joined_at_ms) VALUES (?, ?, 'viewer', ?)"
_APART_MS = 240_000


def crowd_with_annotations(data: Path, workspace: Workspace, count: int, label: str) -> None:
    """Copy the annotation of a label until there are so many, "Deploy 1" before it and so on."""
    copies = [
        (f"{workspace.workspace_id} {number}", f"Deploy {number}", _APART_MS * number, workspace.workspace_id, label)
        for number in range(1, count)
    ]
    with closing(sqlite3.connect(data / "metadata.sqlite", timeout=30)) as metadata:
        metadata.executemany(_COPIED, copies)
        metadata.commit()


def crowd_with_members(data: Path, workspace: Workspace, names: list[str]) -> None:
    """Add a viewer of each name."""
    ids = [f"{workspace.workspace_id} {number}" for number in range(len(names))]
    users = [
        (user, f"member-{number}-{workspace.workspace_id}@example.com", name)
        for number, (user, name) in enumerate(zip(ids, names, strict=True))
    ]
    joined = [(user, workspace.workspace_id, 1_790_000_000_000 + number) for number, user in enumerate(ids)]
    with closing(sqlite3.connect(data / "metadata.sqlite", timeout=30)) as metadata:
        metadata.executemany(_USERS, users)
        metadata.executemany(_MEMBERS, joined)
        metadata.commit()
