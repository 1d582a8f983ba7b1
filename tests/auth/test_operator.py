"""People and plans, changed beside a server, and written into the audit log."""

from typing import Any

import pytest
from sqlalchemy import select

from tallyroom.auth.operator import NewUser, Operator
from tallyroom.auth.passwords import Passwords
from tallyroom.auth.roles import Role
from tallyroom.auth.sessions import SessionStore
from tallyroom.core.errors import Conflict, NotFound
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import AuditEntry, Membership, User, Workspace

ANN = NewUser("Ann@Example.com", "Ann", "correct horse")


@pytest.fixture
def passwords() -> Passwords:
    return Passwords(time_cost=1, memory_kib=8)


@pytest.fixture
def operator(database: Database, passwords: Passwords, fake_clock: Any) -> Operator:
    return Operator(database, passwords, fake_clock, IdGenerator(fake_clock))


async def log(database: Database) -> list[tuple[str, str, str | None, str | None, str]]:
    async with database.session(write=False) as db:
        entries = await db.scalars(select(AuditEntry).order_by(AuditEntry.id))
        return [(each.workspace_id, each.action, each.by_user, each.by_email, each.details) for each in entries]


async def user_with(database: Database, email: str) -> User | None:
    async with database.session(write=False) as db:
        return await db.scalar(select(User).where(User.email == email))


async def test_a_user_is_created_as_a_member(operator: Operator, database: Database, passwords: Passwords) -> None:
    workspace = await operator.create_user(ANN, "acme", Role.DEVELOPER)
    ann = await user_with(database, "ann@example.com")
    assert ann is not None
    assert (workspace.id, ann.name, ann.created_at_ms) == ("acme", "Ann", 1_795_176_000_000)
    assert await passwords.verify(ann.password_hash, "correct horse")
    async with database.session(write=False) as db:
        membership = await db.get(Membership, (ann.id, "acme"))
    assert membership is not None
    assert (membership.role, membership.joined_at_ms) == ("developer", 1_795_176_000_000)
    details = '{"email":"ann@example.com","role":"developer"}'
    assert await log(database) == [("acme", "member.add", None, None, details)]


@pytest.mark.parametrize(
    ("new", "workspace", "refusal"),
    [
        (ANN, "nowhere", NotFound),
        (ANN, "twin", Conflict),
        (ANN._replace(email="OWNER@example.com"), "acme", Conflict),
    ],
)
async def test_a_refused_user_leaves_nothing(
    operator: Operator, database: Database, new: NewUser, workspace: str, refusal: type[Exception]
) -> None:
    await twins(database)
    with pytest.raises(refusal):
        await operator.create_user(new, workspace, Role.VIEWER)
    assert await user_with(database, "ann@example.com") is None
    assert await log(database) == []


async def twins(database: Database) -> None:
    async with database.session(write=True) as db:
        for number in range(2):
            made = {"plan": "paid", "timezone": "UTC", "created_at_ms": number}
            db.add(Workspace(id=f"id-{number}", name="twin", **made))
        db.add(Workspace(id="id-2", name="id-1", plan="paid", timezone="UTC", created_at_ms=9))


async def test_an_id_wins_over_a_name(operator: Operator, database: Database) -> None:
    await twins(database)
    workspace, _ = await operator.set_plan("id-1", "free")
    assert workspace.name == "twin"
    with pytest.raises(Conflict, match="id-0, id-1"):
        await operator.set_plan("twin", "free")


async def test_a_new_password_ends_the_sessions_and_stands_in_each_workspaces_log(
    operator: Operator, database: Database, passwords: Passwords, sessions: SessionStore
) -> None:
    async with database.session(write=True) as db:
        db.add(Membership(user_id="viewer", workspace_id="other", role="viewer", joined_at_ms=0))
        token = await sessions.create(db, "viewer", "acme")
    await operator.reset_password("VIEWER@example.com", "battery staple")
    viewer = await user_with(database, "viewer@example.com")
    assert viewer is not None
    assert await passwords.verify(viewer.password_hash, "battery staple")
    assert await sessions.resolve_token(token) is None
    details = '{"email":"viewer@example.com"}'
    assert sorted(await log(database)) == [
        (workspace, "member.reset", None, None, details) for workspace in ("acme", "other")
    ]
    with pytest.raises(NotFound):
        await operator.reset_password("nobody@example.com", "battery staple")


async def test_a_plan_is_set_and_noted_when_it_changes(operator: Operator, database: Database, fake_clock: Any) -> None:
    for plan, before in (("free", "paid"), ("free", "free"), ("paid", "free")):
        workspace, had = await operator.set_plan("acme", plan)
        assert (workspace.plan, had) == (plan, before)
        fake_clock.advance(1)
    assert [(action, details) for _, action, _, _, details in await log(database)] == [
        ("workspace.plan", '{"from":"paid","to":"free"}'),
        ("workspace.plan", '{"from":"free","to":"paid"}'),
    ]


async def test_workspaces_are_listed_with_their_members(operator: Operator) -> None:
    assert [(workspace.id, members) for workspace, members in await operator.list_workspaces()] == [
        ("acme", 4),
        ("other", 0),
    ]
