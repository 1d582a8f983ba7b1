"""One request is one transaction, and the framework ends it where the project relies on it."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from litestar import Litestar, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from sqlalchemy import func, select, text

from tallyroom.rest.transaction import provide_transaction, roll_back
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Membership, Workspace


async def _insert(db: Session) -> None:
    db.add(Workspace(id="w", name="w", plan="paid", timezone="UTC", created_at_ms=0))
    await db.flush()


@post("/insert")
async def insert(db: NamedDependency[Session]) -> str:
    await _insert(db)
    return "done"


@post("/insert-and-fail")
async def insert_and_fail(db: NamedDependency[Session]) -> str:
    await _insert(db)
    raise ZeroDivisionError


@post("/fail-at-commit")
async def fail_at_commit(db: NamedDependency[Session]) -> str:
    await db.execute(text("PRAGMA defer_foreign_keys = ON"))
    db.add(Membership(user_id="nobody", workspace_id="nothing", role="owner"))
    await db.flush()
    return "done"


@get("/insert-by-get")
async def insert_by_get(db: NamedDependency[Session]) -> str:
    await _insert(db)
    return "done"


async def provide_late_failure() -> str:
    await asyncio.sleep(0.02)  # the transaction has begun by now
    raise ZeroDivisionError


async def provide_failure_after_use(db: NamedDependency[Session]) -> str:
    await _insert(db)
    raise ZeroDivisionError


@post("/fail-beside-the-transaction")
async def fail_beside(db: NamedDependency[Session], late: NamedDependency[str]) -> str:
    return late


@post("/fail-after-the-transaction")
async def fail_after(db: NamedDependency[Session], used: NamedDependency[str]) -> str:
    return used


@pytest.fixture
async def app(database: Database) -> Litestar:
    handlers = [insert, insert_and_fail, fail_at_commit, insert_by_get, fail_beside, fail_after]
    return Litestar(
        handlers,
        state=State({"database": database}),
        dependencies={
            "db": Provide(provide_transaction),
            "late": Provide(provide_late_failure),
            "used": Provide(provide_failure_after_use),
        },
        after_exception=[roll_back],
        openapi_config=None,
    )


@pytest.fixture
async def client(app: Litestar) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)  # type: ignore[arg-type] # httpx describes ASGI more loosely
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        yield client


async def count(database: Database) -> int:
    async with database.session(write=False) as db:
        return await db.scalar(select(func.count()).select_from(Workspace)) or 0


async def test_the_commit_stands_before_the_first_byte_of_the_answer(app: Litestar, database: Database) -> None:
    seen: list[int] = []

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            seen.append(await count(database))

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope: Any = {
        "type": "http", "method": "POST", "path": "/insert", "raw_path": b"/insert", "query_string": b"",
        "headers": [], "scheme": "http", "server": ("testserver", 80), "client": ("127.0.0.1", 1), "root_path": "",
    }  # fmt: skip # one case a line
    await app(scope, receive, send)
    assert seen == [1]


async def test_an_exception_of_the_handler_rolls_back(client: httpx.AsyncClient, database: Database) -> None:
    assert (await client.post("/insert-and-fail")).status_code == 500
    assert await count(database) == 0
    assert (await client.post("/insert")).status_code == 201


async def test_a_commit_that_fails_is_an_error_to_the_client(client: httpx.AsyncClient, database: Database) -> None:
    assert (await client.post("/fail-at-commit")).status_code == 500
    assert (await client.post("/insert")).status_code == 201


@pytest.mark.parametrize("route", ["/fail-beside-the-transaction", "/fail-after-the-transaction"])
async def test_a_dependency_that_fails_does_not_keep_the_lock(
    client: httpx.AsyncClient, database: Database, route: str
) -> None:
    for _ in range(3):
        assert (await client.post(route)).status_code == 500
    assert await count(database) == 0
    assert (await client.post("/insert")).status_code == 201


async def test_a_read_takes_no_write_lock(client: httpx.AsyncClient, database: Database) -> None:
    assert (await client.get("/insert-by-get")).status_code == 500
    assert await count(database) == 0
