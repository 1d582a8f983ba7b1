"""GET and PATCH /v1/listing, POST /v1/listing/slug."""

from litestar import Router, get, patch, post
from litestar.params import JSONBody

from tallyroom.auth.guards import require_developer, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_UNLIMITED_TOKENS
from tallyroom.bots.listing import service
from tallyroom.bots.listing.service import ListingChange, ListingOut
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session


@get("/", guards=[require_member])
async def get_listing(db: Injected[Session], principal: Injected[MemberPrincipal]) -> ListingOut:
    """Whether the listing is public, and its slug."""
    return await service.get_listing(db, principal.workspace_id)


@patch("/", guards=[require_developer])
async def change_listing(
    data: JSONBody[ListingChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> ListingOut:
    """Publish or unpublish the listing: anyone can load `/custom/bots/:slug/…` of a public listing."""
    return await service.set_public(db, principal, clock, ids, is_public=data.is_public)


@post("/slug", guards=[require_developer], status_code=200)
async def replace_listing_slug(
    db: Injected[Session], principal: Injected[MemberPrincipal], clock: Injected[Clock], ids: Injected[IdGenerator]
) -> ListingOut:
    """Replace the slug; pictures under the previous slug stop working."""
    return await service.replace_slug(db, principal, clock, ids)


routes = Router(
    path="/v1/listing",
    route_handlers=[get_listing, change_listing, replace_listing_slug],
    opt=TAKES_UNLIMITED_TOKENS,
    tags=["statistics"],
)
