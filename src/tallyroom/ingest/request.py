"""One ingest request on its way through the steps of its route."""

import msgspec

from tallyroom.auth.principals import KeyPrincipal
from tallyroom.ingest.body import Message, Receive
from tallyroom.ingest.validation.event import Event
from tallyroom.rest.answer import Header
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.commit_group import IdempotentRequest


async def receive_nothing() -> Message:
    """The ASGI channel of a request that has arrived completely."""
    return {"type": "http.disconnect"}


class IngestRequest(msgspec.Struct, eq=False):
    """The state of a request; `headers` has the last value of each of the `raw_headers`, whose names are lower-case.

    `body` is inflated. `is_key_stale` means that the request has waited since its key was checked. `accepted_count`
    events are durable, or will be when the commit returns. `key_keep_ms` is how long the idempotency key is remembered.
    """

    peer_ip: str
    raw_headers: list[Header]
    headers: dict[bytes, bytes]
    request_id: str
    receive: Receive = receive_nothing
    body: bytes | None = None
    is_rate_checked: bool = False
    principal: KeyPrincipal | None = None
    is_key_stale: bool = False
    idempotent_request: IdempotentRequest | None = None
    now_ms: int = 0
    events: list[Event] | None = None
    accepted_count: int = 0
    is_replayed: bool = False
    key_keep_ms: int = 0

    @property
    def workspace_id(self) -> str | None:
        """The workspace that sees its refusal; None before the rate limit has counted it and its key is known."""
        return self.principal.workspace_id if self.is_rate_checked and self.principal else None


def scope_of(principal: KeyPrincipal) -> Scope:
    """Return the workspace and environment of a key."""
    return Scope(principal.workspace_id, principal.environment)
