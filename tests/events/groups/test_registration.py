"""Group keys: which one is the default, on SQLite and on PostgreSQL (rules/actors-and-groups#default-group-key)."""

import asyncio
import itertools
import random
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from harness.suite.few import few
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.events.groups import registration, repository
from tallyroom.events.groups.schemas import GroupKeyChange, GroupKeyIn, GroupKeyOut
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import AuditEntry, User, Workspace

Begin = Callable[[], AbstractAsyncContextManager[Session]]


pytestmark = pytest.mark.usefixtures("on_both")


@pytest.fixture
def begin(database: Database) -> Begin:
    """Begins transactions that write."""
    return lambda: database.session(write=True)


class Keys:
    """The group keys of a fresh workspace, each change in a transaction of its own."""

    def __init__(self, begin: Begin, clock: Any) -> None:
        self.begin, self.clock, self.id_generator = begin, clock, IdGenerator(clock)
        self.principal = MemberPrincipal(self.id_generator.new(), self.id_generator.new(), Role.DEVELOPER, "paid", b"")

    async def open(self) -> "Keys":
        user_id, workspace_id = self.principal.user_id, self.principal.workspace_id
        user = {"email": f"{user_id}@example.com", "name": "Ann", "password_hash": ""}
        async with self.begin() as db:
            db.add(User(id=user_id, created_at_ms=0, **user))
            db.add(Workspace(id=workspace_id, name="Acme", plan="paid", timezone="UTC", created_at_ms=0))
        return self

    async def add(self, prop_key: str, label: str = "", *, default: bool = False) -> GroupKeyOut:
        body = GroupKeyIn(prop_key, label, default)
        async with self.begin() as db:
            return await registration.add_group_key(db, self.principal, body, self.clock, self.id_generator)

    async def change(self, key_id: str, **body: Any) -> GroupKeyOut:
        async with self.begin() as db:
            change = GroupKeyChange(**body)
            return await registration.change_group_key(
                db, self.principal, key_id, change, self.clock, self.id_generator
            )

    async def remove(self, key_id: str) -> None:
        async with self.begin() as db:
            await registration.remove_group_key(db, self.principal, key_id, self.clock, self.id_generator)

    async def found(self) -> list[tuple[str, bool]]:
        async with self.begin() as db:
            keys = await repository.list_group_keys(db, self.principal.workspace_id)
            return [(key.prop_key, key.is_default) for key in keys]

    async def log(self) -> list[tuple[str, str, str]]:
        async with self.begin() as db:
            wanted = select(AuditEntry).where(AuditEntry.workspace_id == self.principal.workspace_id)
            entries = await db.scalars(wanted)
            return sorted((each.action, each.subject, each.details) for each in entries)


@pytest.fixture
async def keys(begin: Begin, fake_clock: Any) -> Keys:
    return await Keys(begin, fake_clock).open()


async def test_the_first_key_is_the_default_and_a_choice_moves_it(keys: Keys) -> None:
    assert (await keys.add("a")).is_default
    assert not (await keys.add("b")).is_default
    assert (await keys.add("c", default=True)).is_default
    assert await keys.found() == [("a", False), ("b", False), ("c", True)]


async def test_the_default_moves_by_a_change_and_back(keys: Keys) -> None:
    a, b = await keys.add("a"), await keys.add("b")
    assert (await keys.change(b.id, make_default=True)).is_default
    assert await keys.found() == [("a", False), ("b", True)]
    assert (await keys.change(b.id, make_default=True)).is_default
    assert not (await keys.change(a.id, make_default=False)).is_default
    assert await keys.found() == [("a", False), ("b", True)]
    await keys.change(a.id, make_default=True, label="A")
    assert await keys.found() == [("a", True), ("b", False)]


async def test_the_default_cannot_be_given_up(keys: Keys) -> None:
    a = await keys.add("a", "A")
    with pytest.raises(ValidationFailed, match="makeDefault"):
        await keys.change(a.id, make_default=False, label="other")
    assert (await keys.change(a.id)).label == "A"
    assert await keys.found() == [("a", True)]


@pytest.mark.long
async def test_the_oldest_key_that_remains_takes_over(keys: Keys) -> None:
    """All of them are made in the same millisecond: the clock stands still."""
    made = {name: await keys.add(name) for name in "dcba"}
    await keys.change(made["a"].id, make_default=True)
    for removed, expected in (("a", "d"), ("c", "d"), ("d", "b"), ("b", None)):
        await keys.remove(made[removed].id)
        assert [name for name, default in await keys.found() if default] == [expected] * (expected is not None)
    assert (await keys.add("e")).is_default


@pytest.mark.long
async def test_a_key_is_registered_once_in_a_workspace(keys: Keys, begin: Begin, fake_clock: Any) -> None:
    await keys.add("a")
    with pytest.raises(Conflict):
        await keys.add("a", default=True)
    await keys.add("A")
    others = await Keys(begin, fake_clock).open()
    assert (await others.add("a")).is_default


async def test_another_workspaces_key_is_not_there(keys: Keys, begin: Begin, fake_clock: Any) -> None:
    a, others = await keys.add("a"), await Keys(begin, fake_clock).open()
    for attempt in (others.change(a.id, make_default=True), others.change(a.id, label="x"), others.remove(a.id)):
        with pytest.raises(NotFound):
            await attempt
    assert await keys.found() == [("a", True)]


@few(2, ("label", "kept"), [("", "a"), ("  ", "a"), (" Team ", " Team "), ("é" * 80, "é" * 80)])
async def test_without_a_label_the_property_is_the_label(keys: Keys, label: str, kept: str) -> None:
    a = await keys.add("a", label)
    assert a.label == kept
    assert (await keys.change(a.id, label="x")).label == "x"
    assert (await keys.change(a.id, label=label)).label == kept


async def test_each_change_is_in_the_audit_log_once(keys: Keys) -> None:
    a, b = await keys.add("a", "A"), await keys.add("b", default=True)
    for _ in range(2):
        await keys.change(b.id, label="B", make_default=True)
    await keys.remove(b.id)
    await keys.remove(a.id)
    deeds: list[tuple[str, str, dict[str, str | None]]] = [
        ("group_key.create", a.id, {"propKey": "a", "label": "A"}),
        ("group_key.default", a.id, {"propKey": "a", "before": None}),
        ("group_key.create", b.id, {"propKey": "b", "label": "b"}),
        ("group_key.default", b.id, {"propKey": "b", "before": "a"}),
        ("group_key.update", b.id, {"propKey": "b", "from": "b", "to": "B"}),
        ("group_key.delete", b.id, {"propKey": "b", "label": "B"}),
        ("group_key.default", a.id, {"propKey": "a", "before": "b"}),
        ("group_key.delete", a.id, {"propKey": "a", "label": "A"}),
    ]
    assert await keys.log() == sorted((action, key, msgspec.json.encode(told).decode()) for action, key, told in deeds)


@pytest.mark.long
async def test_there_is_room_for_twenty_keys(keys: Keys) -> None:
    added = await asyncio.gather(*(keys.add(f"k{n}") for n in range(30)), return_exceptions=True)
    refused = [each for each in added if isinstance(each, BaseException)]
    assert len(refused) == 10
    assert all(isinstance(each, Conflict) and "20 group keys" in each.message for each in refused)
    assert [default for _, default in await keys.found()].count(True) == 1


async def test_one_of_many_who_register_the_same_key_at_once_succeeds(keys: Keys) -> None:
    added = await asyncio.gather(*(keys.add("a", default=n % 2 == 0) for n in range(10)), return_exceptions=True)
    assert [type(each) for each in added if isinstance(each, BaseException)] == [Conflict] * 9
    assert await keys.found() == [("a", True)]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
async def test_whatever_happens_at_once_there_is_exactly_one_default(keys: Keys, seed: int) -> None:
    """Ten people register, move the default and remove, and an eleventh looks all the while."""
    chance, numbers = random.Random(seed), itertools.count()
    known = [(await keys.add(f"first {n}")).id for n in range(5)]
    over = asyncio.Event()

    async def person() -> None:
        for _ in range(12):
            try:
                match chance.randrange(4):
                    case 0:
                        known.append((await keys.add(f"k{next(numbers)}", default=chance.random() < 0.5)).id)
                    case 1 | 2:
                        await keys.change(chance.choice(known), make_default=True)
                    case _:
                        await keys.remove(chance.choice(known))
            except (NotFound, Conflict):
                pass  # somebody was faster

    async def watch() -> int:
        looks = 0
        while not over.is_set():
            found = [default for _, default in await keys.found()]
            assert found.count(True) == (1 if found else 0)
            looks += 1
        return looks

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(person() for _ in range(10)))
    over.set()
    assert await watching > 0
    assert [default for _, default in await keys.found()].count(True) == (1 if await keys.found() else 0)
