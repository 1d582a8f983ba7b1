"""Who was removed does nothing any more, not even by a request that was on its way (rules/people#members)."""

import re
import uuid
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack

import httpx
import pytest

from harness.clients.member import add_member
from harness.clients.workspace import Workspace
from harness.oracles.rights import BY_PROGRAM, TABLE, RouteCase
from harness.oracles.token_rights import NEEDED, SCOPES, SESSION_ROUTES
from harness.servers.server import Server
from harness.stores.metadata_edits import writing
from tallyroom.auth.guards import GUARDS

BY_SESSION = {guard.__name__ for guard in GUARDS} - {"public", *BY_PROGRAM}


def ask(client: httpx.Client, row: RouteCase) -> httpx.Response:
    """The request of the row, about nothing that there is."""
    body = row.body and {name: uuid.uuid4().hex if value == "{new}" else value for name, value in row.body.items()}
    return client.request(row.method, re.sub(r"\{\w+\}", "x", row.ask or row.path), json=body)


def _writes(row: RouteCase) -> bool:
    """Whether the request waits for the write lock before it does anything; an export does, for its audit entry."""
    if row.method == "GET":
        return row.path == "/v1/export"
    asks = {"/v1/query", "/v1/query/actors", "/v1/query/differences"}
    asks |= {"/v1/widgets/:id/data", "/v1/widgets/:id/actors", "/v1/widgets/:id/differences"}
    asks_the_store_first = {"/v1/groups/keys", "/v1/events/:id/hide"}
    return row.method != "HEAD" and row.path not in asks | asks_the_store_first


@pytest.mark.long
def test_a_write_that_waited_while_its_sender_was_removed_does_nothing(server: Server, workspace: Workspace) -> None:
    """Its guard let it in, and its transaction began after the removal."""
    rows = [row for row in TABLE if row.guard in BY_SESSION]
    removed = add_member(workspace, "owner")
    before = workspace.get("/v1/audit").json()["entries"]
    loss = "DELETE FROM memberships WHERE user_id = :who", removed.user_id
    statuses = outrun(server, removed.session_token, rows, *loss)
    assert set(statuses.values()) == {401}, statuses
    assert {"POST /v1/keys", "PATCH /v1/workspace", "DELETE /v1/actors/:key", "GET /v1/export"} <= set(statuses)
    assert workspace.get("/v1/audit").json()["entries"] == before


@pytest.mark.parametrize(
    ("change", "status"), [("revoked_at_ms = 1", 401), ("expires_at_ms = 1", 401)], ids=["revoked", "expired"]
)
def test_a_write_that_waited_while_its_token_ended_does_nothing(
    server: Server, workspace: Workspace, change: str, status: int
) -> None:
    """The same by a personal access token (rules/people#token-expiry)."""
    rows = [row for row in SESSION_ROUTES if NEEDED[str(row)]]
    token, token_id = workspace.make_token(*SCOPES)
    before = workspace.get("/v1/audit").json()["entries"]
    statuses = outrun(server, token, rows, f"UPDATE personal_tokens SET {change} WHERE id = :who", token_id)
    assert set(statuses.values()) == {status}, statuses
    expected = {"POST /v1/annotations", "POST /v1/dashboards", "DELETE /v1/actors/:key", "GET /v1/export"}
    assert expected <= set(statuses)
    assert workspace.get("/v1/audit").json()["entries"] == before


def outrun(server: Server, token: str, rows: list[RouteCase], statement: str, who: str) -> dict[str, int]:
    """What the writes among the rows are answered that waited for the lock while the statement was carried out."""
    rows = [row for row in rows if row.body != {} and _writes(row)]
    headers = {"authorization": f"Bearer {token}"}
    with ExitStack() as stack:
        threads = stack.enter_context(ThreadPoolExecutor(len(rows)))
        clients = [stack.enter_context(httpx.Client(base_url=server.url, headers=headers, timeout=30)) for _ in rows]
        with writing(server.data) as run:
            asked = {str(row): threads.submit(ask, client, row) for row, client in zip(rows, clients, strict=True)}
            wait(asked.values(), timeout=1)
            waited = {name: answer for name, answer in asked.items() if not answer.done()}
            run(statement, {"who": who})
        return {name: answer.result().status_code for name, answer in waited.items()}
