"""The events of a list or a stream."""

import msgspec

from tallyroom.queries.filters import Filter, Filters, check_filters, filter_conditions
from tallyroom.queries.patterns import check_patterns
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.rest.bodies import decode_body
from tallyroom.rest.filter_digits import quote_exact_values

# One event by its position, hidden or not.
FROM_EVENT_AT_POSITION_SQL = """
FROM events
WHERE {scope_with_hidden}
  AND toDate(timestamp) = toDate(fromUnixTimestamp64Milli({timestamp_ms:Int64}, 'UTC'))
  AND timestamp = fromUnixTimestamp64Milli({timestamp_ms:Int64}, 'UTC')
  AND spool = {spool:UInt32} AND seq = {seq:UInt64}"""


class EventSelection(msgspec.Struct, frozen=True):
    """Events with this name, of this actor, that match all filters; None and no filters select all."""

    name: str | None = None
    actor: str | None = None
    filters: tuple[Filter, ...] = ()

    def canonical_text(self) -> str:
        """Return a text that identifies it; comparing selections does not, because in Python 1 equals True."""
        return msgspec.json.encode(self).decode()

    def build_conditions(self, parameters: QueryParameters) -> list[str]:
        """Return SQL for each condition."""
        name_conditions = [] if self.name is None else [f"name = {parameters.bind_text('event', self.name)}"]
        actor_conditions = [] if self.actor is None else [f"actor = {parameters.bind_text('actor', self.actor)}"]
        return [*name_conditions, *actor_conditions, *filter_conditions(self.filters, parameters)]


async def parse_selection(name: str | None, actor: str | None, filters_json: str | None) -> EventSelection:
    """Return the selection in query parameters; raise `ValidationFailed` with each invalid filter of the JSON array."""
    if filters_json is None:
        return EventSelection(name, actor)
    selection_filters: tuple[Filter, ...] = decode_body(quote_exact_values(filters_json.encode()), Filters, ["filters"])
    check_filters(selection_filters, ["filters"])
    await check_patterns(selection_filters, ["filters"])
    return EventSelection(name, actor, selection_filters)
