"""Pages of the audit log: every entry once, also those of one millisecond."""

from typing import Any

import pytest

from tallyroom.auth.audit import Action, Initiator, record
from tallyroom.auth.workspaces import set_up_workspace
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import User
from tallyroom.workspaces.audit.service import list_entries


@pytest.fixture
async def workspace_id(database: Database, fake_clock: Any) -> str:
    """A workspace with 11 entries, five each in one millisecond and its foundation."""
    id_generator = IdGenerator(fake_clock)
    async with database.session(write=True) as db:
        db.add(User(id="owner", email="owner@example.com", name="Owner", password_hash="", created_at_ms=0))
        await db.flush()
        made = await set_up_workspace(
            db, "w", "owner", settings=Settings(), clock=fake_clock, id_generator=id_generator
        )
        for number in range(10):
            if number % 5 == 0:
                fake_clock.advance(1)
            doer = Initiator(made.id, "owner" if number % 2 else None)
            await record(db, doer, Action.KEY_CREATE, str(number), {}, clock=fake_clock, id_generator=id_generator)
    return made.id


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 10, 11, 200])
async def test_pages_of_any_size_hold_each_entry_once(database: Database, workspace_id: str, limit: int) -> None:
    subjects, cursor = [], None
    async with database.session(write=False) as db:
        while True:
            page = await list_entries(db, workspace_id, limit, cursor)
            assert 1 <= len(page.entries) <= limit
            subjects += [entry.subject for entry in page.entries]
            cursor = page.next
            if cursor is None:
                break
    assert len(subjects) == len(set(subjects)) == 11
    assert [set(subjects[:5]), set(subjects[5:10])] == [set("56789"), set("01234")]
    assert subjects[10] == workspace_id


async def test_the_operator_is_nobody_in_the_workspace(database: Database, workspace_id: str) -> None:
    async with database.session(write=False) as db:
        page = await list_entries(db, workspace_id, 200, None)
    by = {entry.subject: entry.by for entry in page.entries}
    assert by["0"] is None
    assert by["1"] is not None
    assert (by["1"].id, by["1"].email) == ("owner", "owner@example.com")


async def test_a_cursor_belongs_to_its_workspace(database: Database, workspace_id: str) -> None:
    async with database.session(write=False) as db:
        cursor = (await list_entries(db, workspace_id, 1, None)).next
        with pytest.raises(ValidationFailed):
            await list_entries(db, "another", 1, cursor)
