"""The rows of a table are public only where somebody says so (rules/boards#published-rows)."""

from typing import Any

import httpx
import pytest

from harness.clients.dashboards import CONFIGS, make_dashboard, make_widget
from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

SECRET = "canary"
COLUMNS = ["time", "event", "actor", "prop:note"]
TABLE = {"type": "table", "config": {"columns": COLUMNS}, "title": "Newest"}
NUMBER = {"type": "metric", "config": CONFIGS["metric"]}
PUBLISHED, CHANGES = {"publishRows": True}, {"publishRows": False}


class Shared:
    """A public dashboard over events with a secret in each."""

    def __init__(self, workspace: Workspace) -> None:
        event = {"name": f"{SECRET}.event", "_actor": f"{SECRET}-actor", "properties": {"note": f"{SECRET}-note"}}
        assert workspace.send({"events": [event] * 3}).status_code == 202
        self.workspace = workspace
        self.board = make_dashboard(workspace, isPublic=True)
        self.url = f"{workspace.url}/v1/public/dashboards/{self.board['slug']}"

    def add(self, **fields: Any) -> Any:
        return make_widget(self.workspace, self.board["id"], **fields)

    def change(self, widget: Any, body: Any) -> httpx.Response:
        with self.workspace.client() as client:
            return client.patch(f"/v1/widgets/{widget['id']}", json=body)

    def seen(self, widget: Any) -> Any:
        """What anybody gets of a widget."""
        answer = httpx.post(f"{self.url}/widgets/{widget['id']}/data")
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def shared_board(workspace: Workspace) -> Shared:
    return Shared(workspace)


def test_a_table_publishes_its_columns_and_no_rows(shared_board: Shared) -> None:
    table = shared_board.add(**TABLE)
    assert table["publishRows"] is False
    seen = shared_board.seen(table)
    assert seen.pop("computedAt")
    assert seen == {"kind": "table", "columns": COLUMNS, "rows": [], "rowsWithheld": True}
    with shared_board.workspace.client() as client:
        mine = client.post(f"/v1/widgets/{table['id']}/data").json()
    assert len(mine["rows"]) == 3
    assert "rowsWithheld" not in mine


def test_rows_are_public_from_the_moment_somebody_says_so_until_they_take_it_back(shared_board: Shared) -> None:
    table = shared_board.add(**TABLE)
    assert shared_board.seen(table)["rows"] == []
    for publishes, rows in ((True, 3), (False, 0), (True, 3)):
        changed = shared_board.change(table, {"publishRows": publishes}).json()
        assert changed["publishRows"] is publishes
        seen = shared_board.seen(table)
        assert (len(seen["rows"]), "rowsWithheld" in seen) == (rows, not publishes)


def test_the_rest_of_a_change_leaves_it_as_it_is(shared_board: Shared) -> None:
    table = shared_board.add(**TABLE | PUBLISHED)
    for body in ({"title": "Others"}, {"type": "table"}, {"config": {"columns": ["event"]}}, {"layout": {"w": 12}}):
        assert shared_board.change(table, body).json()["publishRows"] is True
    assert len(shared_board.seen(table)["rows"]) == 3


@few(2, "kind", sorted(set(CONFIGS) - {"table", "external"}))
def test_only_a_table_has_rows_to_publish(shared_board: Shared, kind: str) -> None:
    board, body = shared_board.board["id"], {"type": kind, "config": CONFIGS[kind]}
    with shared_board.workspace.client() as client:
        refused = client.post(f"/v1/dashboards/{board}/widgets", json=body | PUBLISHED)
        assert client.get(f"/v1/dashboards/{board}").json()["widgets"] == []
    made = shared_board.add(**body | CHANGES)
    table = shared_board.add(**TABLE)
    for answer in (refused, shared_board.change(made, PUBLISHED), shared_board.change(table, body | PUBLISHED)):
        [detail] = check_refusal(answer, 400)["details"]
        assert detail["path"] == ["publishRows"]
        assert "only for tables" in detail["message"]
    assert shared_board.change(table, {}).json() == table


@pytest.mark.parametrize("value", [None, "true", 1, []])
def test_it_is_true_or_false(shared_board: Shared, value: Any) -> None:
    table = shared_board.add(**TABLE)
    [detail] = check_refusal(shared_board.change(table, {"publishRows": value}), 400)["details"]
    assert detail["path"] == ["publishRows"]


def test_a_table_that_becomes_something_else_and_a_table_again_publishes_nothing(shared_board: Shared) -> None:
    table = shared_board.add(**TABLE | PUBLISHED)
    assert shared_board.change(table, NUMBER).json()["publishRows"] is False
    again = shared_board.change(table, {"type": "table", "config": TABLE["config"]}).json()
    assert again["publishRows"] is False
    assert shared_board.seen(table)["rows"] == []
    shared_board.change(table, NUMBER)
    assert shared_board.change(table, TABLE | PUBLISHED).json()["publishRows"] is True
    assert len(shared_board.seen(table)["rows"]) == 3


def test_nothing_of_a_row_is_anywhere_in_public(shared_board: Shared) -> None:
    """The data, the page, its plain form and its frame, pictures and the preview."""
    table, slug = shared_board.add(**TABLE), shared_board.board["slug"]
    url = shared_board.workspace.url
    answers = [
        httpx.get(shared_board.url),
        httpx.post(f"{shared_board.url}/widgets/{table['id']}/data"),
        httpx.post(f"{shared_board.url}/widgets/{table['id']}/data", headers={"accept": "text/csv"}),
        httpx.get(f"{url}/p/{slug}"),
        httpx.get(f"{url}/p/{slug}?embed=1"),
        *(httpx.get(f"{url}/custom/widgets/{slug}/{table['id']}{end}") for end in ("", ".svg", ".png")),
        *(httpx.get(f"{url}/custom/dashboards/{slug}{end}") for end in ("", ".svg", ".png")),
    ]
    assert [answer.status_code for answer in answers] == [200] * 5 + [404] * 6
    for answer in answers:
        assert SECRET not in answer.text + str(answer.headers)


def test_a_board_that_becomes_public_publishes_what_its_tables_say(workspace: Workspace) -> None:
    made = Shared(workspace)
    quiet, told = made.add(**TABLE), made.add(**TABLE | PUBLISHED)
    with workspace.client() as client:
        for is_public in (False, True):
            assert client.patch(f"/v1/dashboards/{made.board['id']}", json={"isPublic": is_public}).status_code == 200
    assert [len(made.seen(table)["rows"]) for table in (quiet, told)] == [0, 3]
