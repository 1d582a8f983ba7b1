"""External sources: hosts with a token, which is sent to this host only (rules/boards#token-of-a-source)."""

from typing import Any

from msgspec import UNSET

from tallyroom.auth.audit import Action, record
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.fetch.url import UrlRefused, read_host
from tallyroom.core.ids import IdGenerator
from tallyroom.core.vault import Vault
from tallyroom.dashboards.external_sources import repository
from tallyroom.dashboards.external_sources.schemas import ExternalSourceChange, ExternalSourceIn, ExternalSourceOut
from tallyroom.dashboards.words import join_names
from tallyroom.rest.changes import apply_changes, find_changes
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import ExternalSource

MAX_SOURCES = 100

_MIN_TOKEN_LENGTH = 12  # four characters of a shorter token would reveal too much

_FIELD_BY_COLUMN = {"name": "name", "host": "host", "header_name": "headerName", "token": "token"}  # that the log names

# The connection, the body's format and the browser's cache are up to the server.
_RESERVED_HEADERS = frozenset(
    {"accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "cookie"}
    | {"date", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection", "range", "trailer"}
    | {"transfer-encoding", "upgrade", "user-agent", "via"}
)


async def list_sources(db: Session, workspace_id: str) -> list[ExternalSourceOut]:
    """List the external sources of the workspace, oldest first."""
    return [_build_source_out(source) for source in await repository.list_sources(db, workspace_id)]


class ExternalSources:
    """Creates, changes and deletes external sources, and records these actions."""

    def __init__(self, outbound_rules: OutboundRules, vault: Vault, clock: Clock, id_generator: IdGenerator) -> None:
        self._outbound_rules = outbound_rules
        self._vault = vault
        self._clock = clock
        self._id_generator = id_generator

    async def create(self, db: Session, principal: MemberPrincipal, body: ExternalSourceIn) -> ExternalSourceOut:
        """Add an external source; raise `ValidationFailed` for its host or header, `Conflict` after `MAX_SOURCES`."""
        host = self._parse_host(body.host)
        _refuse_reserved_header(body.header_name)
        if await repository.count_sources(db, principal.workspace_id) >= MAX_SOURCES:
            raise Conflict(f"This workspace has {MAX_SOURCES} external sources, the maximum. Delete one first.")
        now_ms = self._clock.now_ms()
        source = ExternalSource(
            id=self._id_generator.new(),
            workspace_id=principal.workspace_id,
            name=body.name,
            host=host,
            header_name=body.header_name,
            created_at_ms=now_ms,
            updated_at_ms=now_ms,
            **self._build_token_columns(body.token),
        )
        await repository.add_source(db, source)
        await self._record_action(db, principal, Action.EXTERNAL_SOURCE_CREATE, source)
        return _build_source_out(source)

    async def change(
        self, db: Session, principal: MemberPrincipal, source_id: str, body: ExternalSourceChange
    ) -> ExternalSourceOut:
        """Change the fields in the body; a new host never gets the old token. Raises `NotFound`, and as `create`."""
        source = await _find_source(db, principal.workspace_id, source_id)
        host = source.host if body.host is UNSET else self._parse_host(body.host)
        _refuse_reserved_header(None if body.header_name is UNSET else body.header_name)
        values: dict[str, Any] = {"name": body.name, "host": host, "header_name": body.header_name}
        if body.token is not UNSET:
            values |= self._build_token_columns(body.token)
        elif host != source.host:
            values |= self._build_token_columns(None)
        if new_values := find_changes(source, values):
            updated_at_ms = max(self._clock.now_ms(), source.updated_at_ms + 1)  # answers are cached by this time
            apply_changes(source, new_values | {"updated_at_ms": updated_at_ms})
            changed_fields = ", ".join(_FIELD_BY_COLUMN[column] for column in new_values if column in _FIELD_BY_COLUMN)
            await self._record_action(db, principal, Action.EXTERNAL_SOURCE_UPDATE, source, changed=changed_fields)
        return _build_source_out(source)

    async def delete(self, db: Session, principal: MemberPrincipal, source_id: str) -> None:
        """Delete an external source and its token; raise `NotFound`, or `Conflict` if widgets fetch from it."""
        source = await _find_source(db, principal.workspace_id, source_id)
        if widgets := await repository.list_fetching_widgets(db, source):
            names = join_names(map(str, widgets))
            raise Conflict(f"Widgets fetch from this external source: {names}. Delete or change them first.")
        await repository.delete_source(db, source)
        await self._record_action(db, principal, Action.EXTERNAL_SOURCE_DELETE, source)

    async def _record_action(
        self, db: Session, principal: MemberPrincipal, action: Action, source: ExternalSource, **more_details: str
    ) -> None:
        details = {"name": source.name, "host": source.host, **more_details}
        await record(db, principal, action, source.id, details, clock=self._clock, id_generator=self._id_generator)

    def _parse_host(self, text: str) -> str:
        try:
            url = read_host(text)
            self._outbound_rules.check(url)
        except UrlRefused as error:
            raise ValidationFailed.at(["host"], error.reason) from error
        return url.authority

    def _build_token_columns(self, token: str | None) -> dict[str, str | None]:
        if token is None:
            return {"token": None, "token_end": None}
        token_end = token[-4:] if len(token) >= _MIN_TOKEN_LENGTH else ""
        return {"token": self._vault.encrypt(token), "token_end": token_end}


async def _find_source(db: Session, workspace_id: str, source_id: str) -> ExternalSource:
    source = await repository.find_source(db, workspace_id, source_id)
    if source is None:
        raise NotFound("This workspace has no such external source.")
    return source


def _refuse_reserved_header(header_name: str | None) -> None:
    if header_name is not None and header_name.lower() in _RESERVED_HEADERS:
        raise ValidationFailed.at(["headerName"], "is a header that the server sets itself")


def _build_source_out(source: ExternalSource) -> ExternalSourceOut:
    return ExternalSourceOut(
        id=source.id,
        name=source.name,
        host=source.host,
        header_name=source.header_name,
        token_preview=None if source.token is None else f"••••{source.token_end or ''}",
    )
