"""What is needed to keep the rows of a question's queries: where they are kept, and the revisions when it began."""

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from tallyroom.queries.kept_answers.cache import RowCache
from tallyroom.queries.kept_answers.revisions import DayRevisions
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

_KEY_BYTES = 16


class KeepingContext(NamedTuple):
    """A scope, its reader and its kept rows, and the revisions of the days that a query reads."""

    reader: EventReader
    cache: RowCache
    scope: Scope
    revisions: DayRevisions

    async def fetch_binary(self, sql: str, parameters: QueryParameters) -> bytes:
        """Return the rows of a query as RowBinary; raises as `EventReader.fetch_bytes` does."""
        return await self.reader.fetch_bytes(sql, self.scope, parameters.values, "RowBinary", parameters.span)

    def build_key(self, sql: str, parameters: Mapping[str, Any]) -> bytes:
        """Return a key for the rows of a query in this scope: its text, and all parameters that its rows depend on."""
        named_values = sorted((name, repr(value)) for name, value in parameters.items())
        text = repr((self.scope, sql, named_values))
        return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=_KEY_BYTES).digest()
