"""What the page at `/` reads from the metadata database, without a transaction."""

from tallyroom.server.ui.page import Visitor
from tallyroom.storage.metadata.connection import Database

_FIND_VISITOR = """
    SELECT users.name, workspaces.name FROM users, workspaces WHERE users.id = ? AND workspaces.id = ?
"""


async def find_visitor(database: Database, user_id: str, workspace_id: str) -> Visitor | None:
    """Return the names of a signed-in person and of their workspace."""
    row = await database.look_up(_FIND_VISITOR, user_id, workspace_id)
    return None if row is None else Visitor(*row)
