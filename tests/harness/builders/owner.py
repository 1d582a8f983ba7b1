"""A user without a sign-up: where events are, somebody owns them, or a start takes the metadata for lost."""

import sqlite3
from contextlib import closing
from pathlib import Path


def add_owner(data: Path) -> None:
    """Put a user into the metadata of `data`, which a server has made; once is enough."""
    with closing(sqlite3.connect(data / "metadata.sqlite")) as metadata, metadata:
        metadata.execute("INSERT OR IGNORE INTO users VALUES ('ann', 'ann@example.com', 'Ann', 'hash', 5)")
