"""Query parameters that several paths about events take."""

from typing import Annotated

from litestar.params import QueryParameter

Environment = Annotated[str | None, QueryParameter(name="environment", description="`production` by default.")]
Name = Annotated[str | None, QueryParameter(name="name", min_length=1, description="Events of this name only.")]
Actor = Annotated[str | None, QueryParameter(name="actor", min_length=1, description="Events of this actor only.")]
FiltersText = Annotated[
    str | None, QueryParameter(name="filters", description="JSON array of filters; only events that match all of them.")
]
