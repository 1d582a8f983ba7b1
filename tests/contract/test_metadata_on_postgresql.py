"""A real server whose metadata is in PostgreSQL: it starts again, and loses connections without a fault of its own."""

import asyncio
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import asyncpg
import pytest

from harness.clients.at_once import at_once
from harness.clients.member import add_member
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server
from harness.stores.metadata import Places, on_postgresql
from harness.suite.patience import PATIENCE
from tallyroom.core.data_directory import DATABASE_FILE

EVENT = {"name": "order.placed", "_actor": "ann"}
END_ALL = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database()
"""


@pytest.fixture(scope="module")
def served(postgresql_places: Places, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with on_postgresql(postgresql_places):
        data = tmp_path_factory.mktemp("served") / "data"
        started = Server(data, open_signup="true", trusted_proxies="127.0.0.0/8").start()
        yield started
        started.stop()


@pytest.fixture
def dsn(postgresql_places: Places, served: Server) -> str:
    return postgresql_places.dsn(served.data / DATABASE_FILE, stays=True)


@pytest.fixture
def owner(served: Server) -> Workspace:
    return sign_up(served.url)


def ask(dsn: str, query: str) -> Any:
    async def asked() -> Any:
        connection = await asyncpg.connect(dsn)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close()

    return asyncio.run(asked())


@pytest.mark.long
def test_a_start_finds_what_an_earlier_one_left(served: Server, owner: Workspace, dsn: str) -> None:
    epoch = "SELECT epoch FROM installation"
    starts = ask(dsn, epoch)
    assert owner.send(EVENT).status_code == 202
    served.stop()
    served.start()
    assert owner.send(EVENT).status_code == 202
    assert [actor["eventCount"] for actor in owner.get("/v1/actors").json()["actors"]] == [2]
    assert ask(dsn, f"SELECT count(*) FROM users WHERE email = '{owner.email}'") == 1
    assert not (served.data / DATABASE_FILE).exists()
    assert ask(dsn, epoch) == starts + 1
    assert ask(dsn, "SELECT epoch FROM spools") == starts + 1


@pytest.mark.long
def test_ended_connections_are_no_fault_of_the_server(served: Server, owner: Workspace, dsn: str) -> None:
    for _ in range(20):
        ask(dsn, END_ALL)
        assert owner.send(EVENT).status_code in {202, 503}
        assert owner.get("/v1/keys", token=owner.session_token).status_code in {200, 503}
    assert served.ready_within(PATIENCE)
    assert owner.send(EVENT).status_code == 202
    assert "Traceback" not in served.text()


def test_a_key_that_another_program_revokes_stops_working(owner: Workspace, dsn: str) -> None:
    assert owner.send(EVENT).status_code == 202
    ask(dsn, "UPDATE api_keys SET revoked_at_ms = 1")
    deadline = time.monotonic() + PATIENCE
    while owner.send(EVENT).status_code != 401:
        assert time.monotonic() < deadline


def test_the_last_two_owners_cannot_both_leave(served: Server) -> None:
    for _ in range(5):
        one = sign_up(served.url)
        two = add_member(one, "owner")
        me = one.get("/v1/auth/me").json()["user"]["id"]
        with one.client() as first, two.client() as second:
            statuses = at_once(
                partial(first.delete, f"/v1/members/{me}"), partial(second.delete, f"/v1/members/{two.user_id}")
            )
        assert statuses == [204, 409]
