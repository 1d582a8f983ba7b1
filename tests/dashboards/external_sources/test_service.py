"""How many external sources there may be, what of a token is shown, and how one in use is refused to go.

The rules: rules/boards#external-source, rules/boards#limits-of-boards.
"""

from typing import Any

import pytest
from cryptography.fernet import Fernet
from msgspec import UNSET
from sqlalchemy import insert

from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.errors import Conflict
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.ids import IdGenerator
from tallyroom.core.vault import Vault
from tallyroom.dashboards.dashboards.schemas import DashboardIn
from tallyroom.dashboards.dashboards.service import create_dashboard
from tallyroom.dashboards.external_sources.repository import find_source
from tallyroom.dashboards.external_sources.schemas import ExternalSourceChange, ExternalSourceIn
from tallyroom.dashboards.external_sources.service import MAX_SOURCES, ExternalSources, list_sources
from tallyroom.dashboards.widgets.schemas import WidgetIn
from tallyroom.dashboards.widgets.service import add_widget
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import ExternalSource

VAULT = Vault([Fernet.generate_key().decode()])
BODY = ExternalSourceIn(name="s", host="api.example.com")


@pytest.fixture
def sources(fake_clock: Any) -> ExternalSources:
    return ExternalSources(OutboundRules(), VAULT, fake_clock, IdGenerator(fake_clock))


async def test_a_workspace_has_room_for_100(
    database: Database, founder: MemberPrincipal, sources: ExternalSources
) -> None:
    row: dict[str, Any] = {"workspace_id": founder.workspace_id, "name": "s", "host": "api.example.com"}
    row |= {"header_name": None, "token": None, "token_end": None, "created_at_ms": 0, "updated_at_ms": 0}
    async with database.session(write=True) as db:
        await db.execute(insert(ExternalSource), [row | {"id": f"{number:03}"} for number in range(MAX_SOURCES - 1)])
        last = await sources.create(db, founder, BODY)
        with pytest.raises(Conflict, match="100 external sources"):
            await sources.create(db, founder, BODY)
        assert len(await list_sources(db, founder.workspace_id)) == 100
        await sources.delete(db, founder, last.id)
        await sources.create(db, founder, BODY)


async def test_who_fetches_from_a_source_is_named_five_times_at_most(
    database: Database, founder: MemberPrincipal, sources: ExternalSources, fake_clock: Any
) -> None:
    id_generator = IdGenerator(fake_clock)
    async with database.session(write=True) as db:
        source, other = [await sources.create(db, founder, BODY) for _ in range(2)]
        board = await create_dashboard(db, founder, DashboardIn(name="d"), fake_clock, id_generator)
        config = {"sourceId": source.id, "url": "https://api.example.com", "valuePath": "a", "valueType": "text"}
        for title in "abcdefg":
            await add_widget(db, founder, board.id, WidgetIn("external", config, title), fake_clock, id_generator)
        note = {"text": f'"sourceId":"{other.id}"'}
        await add_widget(db, founder, board.id, WidgetIn("note", note), fake_clock, id_generator)
        with pytest.raises(Conflict, match='"a", "b", "c", "d", "e" and 2 more'):
            await sources.delete(db, founder, source.id)
        await sources.delete(db, founder, other.id)


@pytest.mark.parametrize(
    ("token", "preview"),
    [
        (None, None),
        ("x", "••••"),
        ("x" * 7 + "abcd", "••••"),
        ("x" * 8 + "abcd", "••••abcd"),
        ("y" * 3999 + "z", "••••yyyz"),
    ],
)
async def test_a_token_is_stored_encrypted_and_its_end_is_shown(
    database: Database, founder: MemberPrincipal, sources: ExternalSources, token: str | None, preview: str | None
) -> None:
    async with database.session(write=True) as db:
        made = await sources.create(db, founder, ExternalSourceIn(name="s", host="api.example.com", token=token))
        assert made.token_preview == preview
        stored = await find_source(db, founder.workspace_id, made.id)
        assert stored is not None
        assert (stored.token and VAULT.decrypt(stored.token)) == token
        assert token is None or len(token) < 4 or token not in (stored.token or "")


CHANGES: list[tuple[dict[str, Any], str | None]] = [
    ({}, "••••abcd"),
    ({"name": "other"}, "••••abcd"),
    ({"host": "API.example.com"}, "••••abcd"),
    ({"header_name": "X-Key"}, "••••abcd"),
    ({"host": "other.example.com"}, None),
    ({"host": "example.com"}, None),
    ({"host": "other.example.com", "token": "another-token-wxyz"}, "••••wxyz"),
    ({"token": "another-token-wxyz"}, "••••wxyz"),
    ({"token": None}, None),
]


@pytest.mark.parametrize(("fields", "preview"), CHANGES)
async def test_a_token_stays_with_its_host(
    database: Database, founder: MemberPrincipal, sources: ExternalSources, fields: dict[str, Any], preview: str | None
) -> None:
    async with database.session(write=True) as db:
        body = ExternalSourceIn(name="s", host="api.example.com", token="some-long-token-abcd")
        made = await sources.create(db, founder, body)
        before = await find_source(db, founder.workspace_id, made.id)
        assert before is not None
        version = before.updated_at_ms
        changed = await sources.change(db, founder, made.id, ExternalSourceChange(**fields))
        assert changed.token_preview == preview
        nothing = {"host": UNSET} if fields.get("host") == "API.example.com" else {}
        assert (before.updated_at_ms > version) == bool(fields | nothing and fields != {"host": "API.example.com"})
