"""What the routes of the listing take and answer."""

import msgspec


class ListingChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: whether anybody who has the slug may have pictures of the bots."""

    is_public: bool


class ListingOut(msgspec.Struct, rename="camel"):
    """The listing; the slug is there from the first time that it is public."""

    is_public: bool
    slug: str | None
