"""GET /users/:id/bots."""

from litestar import Router, get
from litestar.params import FromPath

from tallyroom.core.errors import NotFound
from tallyroom.rest.injected import Injected
from tallyroom.statistics.desk import Desk
from tallyroom.statistics.listed import checked_id
from tallyroom.statistics.users.schemas import UsersBots


@get("/{user_id:str}/bots")
async def show_users_bots(user_id: FromPath[str], desk: Injected[Desk]) -> UsersBots:
    """The bots that name a user as an owner. One that was moved to a team may still name its former owner."""
    directory = await desk.directories.of(desk.listing.workspace_id)
    owned = directory.owned_by(checked_id("id", user_id))
    bots = await desk.records.found(desk.listing, owned)
    if not bots:
        raise NotFound("The user does not exist, or no data exists for the id.")
    return UsersBots(bots)


routes = Router(path="/users", route_handlers=[show_users_bots], tags=["statistics"])
