"""The listing of a workspace in the metadata database."""

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Listing


async def find_listing(db: Session, workspace_id: str) -> Listing | None:
    """Find the row of the listing; None before anything was fed to it or it was published."""
    return await db.get(Listing, workspace_id)


async def add_listing(db: Session, workspace_id: str) -> Listing:
    """Store a listing to which nothing has been fed."""
    listing = Listing(workspace_id=workspace_id, revision=0, is_public=False, slug=None)
    db.add(listing)
    await db.flush()
    return listing
