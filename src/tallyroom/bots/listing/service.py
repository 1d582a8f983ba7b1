"""Published listings; their slug is created with the first publication (rules/pictures#public-listing)."""

import msgspec

from tallyroom.auth.audit import Action, record
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Listing


class ListingChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: whether anyone with the slug can load pictures of the bots."""

    is_public: bool


class ListingOut(msgspec.Struct, rename="camel"):
    """The listing; the slug is null until the listing is first published."""

    is_public: bool
    slug: str | None


async def get_listing(db: Session, workspace_id: str) -> ListingOut:
    """Return the workspace's listing."""
    listing = await db.get(Listing, workspace_id)
    return ListingOut(is_public=False, slug=None) if listing is None else ListingOut(listing.is_public, listing.slug)


async def set_public(
    db: Session, principal: MemberPrincipal, clock: Clock, id_generator: IdGenerator, *, is_public: bool
) -> ListingOut:
    """Publish pictures of the bots for everyone who has the slug, or unpublish them."""
    listing = await db.get(Listing, principal.workspace_id)
    if listing is None:
        listing = Listing(workspace_id=principal.workspace_id, revision=0, is_public=False, slug=None)
        db.add(listing)
        await db.flush()
    if listing.is_public != is_public:
        listing.slug = listing.slug or id_generator.slug()
        listing.is_public = is_public
        action = Action.LISTING_PUBLISH if is_public else Action.LISTING_UNPUBLISH
        await _record_action(db, principal, action, clock, id_generator)
    return ListingOut(listing.is_public, listing.slug)


async def replace_slug(db: Session, principal: MemberPrincipal, clock: Clock, id_generator: IdGenerator) -> ListingOut:
    """Give the pictures new addresses; the old ones stop working. Raises `Conflict` if the listing was never public."""
    listing = await db.get(Listing, principal.workspace_id)
    if listing is None or listing.slug is None:
        raise Conflict("This listing has never been public, so it has no slug to replace. Publish it first.")
    listing.slug = id_generator.slug()
    await _record_action(db, principal, Action.LISTING_SLUG, clock, id_generator)
    return ListingOut(listing.is_public, listing.slug)


async def _record_action(
    db: Session, principal: MemberPrincipal, action: Action, clock: Clock, id_generator: IdGenerator
) -> None:
    """Record an action without the slug itself: anyone who has it can see the pictures."""
    await record(db, principal, action, principal.workspace_id, {}, clock=clock, id_generator=id_generator)
