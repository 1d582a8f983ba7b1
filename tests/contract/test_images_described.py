"""What the OpenAPI document says of pictures is what they answer, and all of it."""

import json
import re
from http.client import HTTPConnection
from itertools import product
from typing import Any

import httpx
import pytest

from harness.builders.four_bots import A, B
from harness.clients.dashboards import make_dashboard, make_widget
from harness.clients.workspace import JSON, Workspace
from harness.servers.server import Server
from harness.suite.few import few
from tallyroom.images.schemas import MAX_QUERY_BYTES

NO_DATA = "data_points=[]"
OF_EVERY_ANSWER = {"date", "content-type", "content-length", "x-request-id"}
OF_EVERY_REFUSAL = OF_EVERY_ANSWER | {"access-control-allow-origin", "cache-control", "x-content-type-options"}

ENDS = ("", ".svg", ".png")
GRAPHS = [f"/custom/graph{end}" for end in ENDS]
RENDERS = [f"/custom/render{end}" for end in ENDS]
BOT = "/custom/bots/{slug}/{bot_id}/{metric}"
RACES = [f"/custom/bots/{{slug}}/race{end}" for end in ENDS]
WIDGET, BOARD = "/custom/widgets/{slug}/{widget_id}", "/custom/dashboards/{slug}"


@pytest.fixture(scope="module")
def described(server: Server) -> Any:
    document = httpx.get(f"{server.url}/openapi.json", timeout=30).json()
    return {path: methods for path, methods in document["paths"].items() if path.startswith("/custom/")}


@pytest.fixture(scope="module")
def slug(bots: Workspace) -> str:
    with bots.client() as client:
        found: str = client.patch("/v1/listing", json={"isPublic": True}).json()["slug"]
    return found


def check(response: Any, answer: httpx.Response) -> None:
    """That an answer has the type, a body and the headers that are described, and no others."""
    assert answer.headers.get("content-type") in (response.get("content") or {None})
    assert bool(answer.content) == ("content" in response)
    headers = response.get("headers", {})
    if answer.is_error:
        assert set(answer.headers) - OF_EVERY_REFUSAL == set(headers)
        return
    assert set(answer.headers) - OF_EVERY_ANSWER == set(headers)
    told = {name: header["schema"]["const"] for name, header in headers.items() if "const" in header["schema"]}
    assert {name: answer.headers[name] for name in told} == told


def test_all_routes_are_described(described: Any) -> None:
    found = {
        (path, method): set(operation["responses"])
        for path, methods in described.items()
        for method, operation in methods.items()
    }
    assert found == {
        **{(path, "get"): {"200", "304", "400", "413", "503", "default"} for path in GRAPHS},
        **{(path, "post"): {"200", "400", "413", "415", "503", "default"} for path in RENDERS},
        **{(path, "get"): {"200", "304", "400", "404", "503", "default"} for path in (BOT, *RACES, WIDGET, BOARD)},
    }


@pytest.mark.parametrize("path", GRAPHS)
def test_graphs(described: Any, anybody: httpx.Client, server: Server, path: str) -> None:
    responses = described[path]["get"]["responses"]
    drawn = anybody.get(f"{path}?{NO_DATA}")
    known = anybody.get(f"{path}?{NO_DATA}", headers={"if-none-match": drawn.headers["etag"]})
    wrong = anybody.get(f"{path}?data_points=x")
    for answer, status in ((drawn, 200), (known, 304), (wrong, 400)):
        assert answer.status_code == status
        check(responses[str(status)], answer)
    connection = HTTPConnection("127.0.0.1", server.port)  # the other client refuses so long a URL itself
    connection.request("GET", f"{path}?{NO_DATA}&name={'x' * MAX_QUERY_BYTES}"[: MAX_QUERY_BYTES + len(path) + 2])
    assert connection.getresponse().status == 413
    connection.close()


@pytest.mark.parametrize("path", RENDERS)
def test_renders(described: Any, anybody: httpx.Client, path: str) -> None:
    responses = described[path]["post"]["responses"]
    body = json.dumps({"data_points": []})
    large = body + " " * 1_000_000
    for content, content_type, status in (
        (body, JSON, 200),
        ("{}", JSON, 400),
        (large, JSON, 413),
        (body, "text/x", 415),
    ):
        answer = anybody.post(path, content=content, headers={"content-type": content_type})
        assert answer.status_code == status
        check(responses[str(status)], answer)


@pytest.mark.long
@pytest.mark.parametrize("end", ENDS)
def test_bots(described: Any, anybody: httpx.Client, slug: str, end: str) -> None:
    responses = described[BOT]["get"]["responses"]
    path = f"/custom/bots/{slug}/{A}/server_count{end}"
    drawn = anybody.get(path)
    known = anybody.get(path, headers={"if-none-match": drawn.headers["etag"]})
    wrong = anybody.get(path.replace("server_count", "servers"))
    gone = anybody.get(path.replace(slug, "none"))
    for answer, status in ((drawn, 200), (known, 304), (wrong, 400), (gone, 404)):
        assert answer.status_code == status
        check(responses[str(status)], answer)


@pytest.mark.parametrize("path", RACES)
def test_races(described: Any, anybody: httpx.Client, slug: str, path: str) -> None:
    responses = described[path]["get"]["responses"]
    shown = path.replace("{slug}", slug) + f"?metric=server_count&ids={A},{B}"
    drawn = anybody.get(shown)
    known = anybody.get(shown, headers={"if-none-match": drawn.headers["etag"]})
    wrong = anybody.get(f"{shown}&as=rank")
    gone = anybody.get(shown.replace(slug, "none"))
    for answer, status in ((drawn, 200), (known, 304), (wrong, 400), (gone, 404)):
        assert answer.status_code == status
        check(responses[str(status)], answer)


@few(2, ("path", "end"), product([WIDGET, BOARD], ENDS))
def test_public_dashboards(described: Any, anybody: httpx.Client, workspace: Workspace, path: str, end: str) -> None:
    responses = described[path]["get"]["responses"]
    board = make_dashboard(workspace, isPublic=True)
    widget = make_widget(workspace, board["id"], type="metric", config={"event": "x", "measure": "count"})
    shown = path.replace("{slug}", board["slug"]).replace("{widget_id}", widget["id"]) + end
    drawn = anybody.get(shown)
    known = anybody.get(shown, headers={"if-none-match": drawn.headers["etag"]})
    wrong = anybody.get(f"{shown}?width=1")
    gone = anybody.get(shown.replace(board["slug"], "none"))
    for answer, status in ((drawn, 200), (known, 304), (wrong, 400), (gone, 404)):
        assert answer.status_code == status
        check(responses[str(status)], answer)


def test_the_types_are_those_of_the_paths(described: Any) -> None:
    for path, methods in described.items():
        for operation in methods.values():
            kinds = list(operation["responses"]["200"]["content"])
            if path in {BOT, WIDGET, BOARD}:
                assert kinds == ["image/svg+xml", "image/png"]
            else:
                assert kinds == ["image/png" if re.search(r"\.png$", path) else "image/svg+xml"]


def test_a_refusal_while_too_many_are_drawn_says_when_to_come_back(described: Any) -> None:
    for methods in described.values():
        for operation in methods.values():
            assert set(operation["responses"]["503"]["headers"]) == {"retry-after"}
