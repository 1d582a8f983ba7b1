"""One ingest request on its way through the steps of its route."""

import msgspec

from tallyroom.auth.principals import KeyPrincipal
from tallyroom.ingest.body import Message, Receive
from tallyroom.ingest.validation.event import Event
from tallyroom.rest.answer import Header
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.commit_group import IdempotentRequest


async def receive_nothing() -> Message:
    """Be the ASGI channel of a request that has arrived completely."""
    return {"type": "http.disconnect"}


class IngestRequest(msgspec.Struct, eq=False):
    """What is known of a request so far.

    Attributes:
        raw_headers: in the order sent, with lower-case names.
        headers: the same by name, the last one of each.
        body: the inflated body; None until it has arrived.
        is_key_stale: whether there was something to wait for since the key was checked.
        idempotent_request: what is stored to answer it again; None without an idempotency key.
        now_ms: the time of receipt.
        accepted_count: how many events are durable, or will be when the commit returns.
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

    @property
    def workspace_id(self) -> str | None:
        """The workspace whose members see its refusal; None before it is counted and its key is known."""
        return self.principal.workspace_id if self.is_rate_checked and self.principal else None


def scope_of(principal: KeyPrincipal) -> Scope:
    """Return the workspace and environment that a key belongs to."""
    return Scope(principal.workspace_id, principal.environment)
