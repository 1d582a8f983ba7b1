"""The listing of a workspace in the metadata database."""

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Listing


async def find_listing(db: Session, workspace_id: str) -> Listing | None:
    """Find the row of the listing; None until the listing is fed or published."""
    return await db.get(Listing, workspace_id)


async def add_listing(db: Session, workspace_id: str) -> Listing:
    """Store an empty listing."""
    listing = Listing(workspace_id=workspace_id, revision=0, is_public=False, slug=None)
    db.add(listing)
    await db.flush()
    return listing
