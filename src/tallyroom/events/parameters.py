"""Query parameters of several paths about events."""

from typing import Annotated

from litestar.params import QueryParameter

from tallyroom.core.paging import parse_limit

Environment = Annotated[str | None, QueryParameter(name="environment", description="`production` by default.")]
Limit = Annotated[str | None, QueryParameter(name="limit", description="1 to 200; 50 by default.")]
Cursor = Annotated[str | None, QueryParameter(name="cursor", description="`next` from the previous page.")]
Name = Annotated[str | None, QueryParameter(name="name", min_length=1, description="Only events with this name.")]
Actor = Annotated[str | None, QueryParameter(name="actor", min_length=1, description="Only events of this actor.")]
FiltersText = Annotated[
    str | None, QueryParameter(name="filters", description="JSON array of filters; only events that match all of them.")
]


def parse_page_limit(text: str | None) -> int:
    """Return how many rows a page has; raise `ValidationFailed` for a text that is not 1 to 200."""
    return parse_limit(text, default=50, max_limit=200)
