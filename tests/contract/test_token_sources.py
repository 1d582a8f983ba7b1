"""A token that is limited to an environment uses no external source (rules/people#limited-token)."""

from typing import Any

import pytest

from harness.clients.dashboards import config_of, make_dashboard, make_digest, make_widget
from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.oracles.token_rights import SCOPES
from harness.suite.few import few

QUESTION = {"environment": "development", "timeRange": "7d", "type": "external"}
ADDRESS = "a@example.com"


@pytest.fixture(scope="module")
def board(shared: Workspace) -> dict[str, Any]:
    return made_board(shared)


def made_board(shared: Workspace) -> dict[str, Any]:
    """The ids of a board of development, on which others put an External widget, and of its digest."""
    board = make_dashboard(shared, environment="development")
    config = config_of(shared, "external")
    return {
        "board": board["id"],
        "external": make_widget(shared, board["id"], type="external", config=config)["id"],
        "note": make_widget(shared, board["id"])["id"],
        "digest": make_digest(shared, board["id"])["id"],
        "config": config,
    }


USES: list[tuple[str, str, Any]] = [
    ("POST", "/v1/query", QUESTION),
    ("POST", "/v1/query/actors", QUESTION),
    ("POST", "/v1/query/differences", QUESTION),
    ("POST", "/v1/widgets/{external}/data", None),
    ("POST", "/v1/widgets/{external}/actors", {}),
    ("POST", "/v1/widgets/{external}/differences", {}),
    ("PATCH", "/v1/widgets/{external}", {}),
    ("PATCH", "/v1/widgets/{note}", {"type": "external"}),
    ("POST", "/v1/dashboards/{board}/widgets", {"title": "t", "type": "external", "layout": {"w": 3, "h": 2}}),
    ("PATCH", "/v1/dashboards/{board}", {"isPublic": True}),
    ("GET", "/v1/digests/{digest}/preview", None),
    ("GET", "/v1/digests/{digest}/preview.html", None),
    ("POST", "/v1/digests/{digest}/send", None),
    ("PATCH", "/v1/digests/{digest}", {"recipients": [ADDRESS]}),
    ("POST", "/v1/digests", {"dashboardId": "{board}", "cadence": "daily", "recipients": [ADDRESS]}),
]
"""Each with its body; where a config belongs into it, it is the External widget's."""


def body_of(path: str, body: Any, board: dict[str, Any]) -> Any:
    if body is None:
        return None
    chooses = (
        "query" in path
        or path.endswith("/widgets")
        or ("widgets" in path and not path.endswith(("/actors", "/differences")))
    )
    filled = {name: board["board"] if value == "{board}" else value for name, value in body.items()}
    return filled | ({"config": board["config"]} if chooses else {})


@few(4, ("method", "path", "body"), USES)
def test_a_limited_token_uses_no_source(
    shared: Workspace, board: dict[str, Any], method: str, path: str, body: Any
) -> None:
    before = seen(shared, board)
    secret, _ = shared.make_token(*SCOPES, environment="development")
    with shared.client(secret) as client:
        answer = client.request(method, path.format_map(board), json=body_of(path, body, board))
    message = check_refusal(answer, 403, "forbidden")["message"]
    assert message == "This token is limited to the development environment, but this concerns the whole workspace."
    assert seen(shared, board) == before


@few(2, ("method", "path", "body"), USES)
def test_another_token_of_the_same_maker_may(shared: Workspace, method: str, path: str, body: Any) -> None:
    """So that none of the requests above is refused for another reason."""
    made = made_board(shared)
    with shared.client(shared.make_token(*SCOPES)[0]) as client:
        answer = client.request(method, path.format_map(made), json=body_of(path, body, made))
    if path.endswith("/actors"):  # an External widget has none
        check_refusal(answer, 400)
    else:
        assert answer.is_success, answer.text


def test_the_rest_of_such_a_board_is_there(shared: Workspace, board: dict[str, Any]) -> None:
    with shared.client(shared.make_token(*SCOPES, environment="development")[0]) as client:
        assert client.post(f"/v1/widgets/{board['note']}/data").status_code == 200
        assert client.get(f"/v1/dashboards/{board['board']}").status_code == 200
        assert client.patch(f"/v1/widgets/{board['external']}", json={"title": "Shop"}).status_code == 200
        assert client.patch(f"/v1/dashboards/{board['board']}", json={"isPublic": False}).status_code == 200
        assert client.get(f"/v1/digests/{board['digest']}/sendings").status_code == 200


def seen(workspace: Workspace, board: dict[str, Any]) -> list[Any]:
    paths = (f"dashboards/{board['board']}", "digests", f"digests/{board['digest']}/sendings")
    return [workspace.get(f"/v1/{path}").json() for path in paths]
