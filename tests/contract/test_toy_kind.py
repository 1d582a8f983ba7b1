"""One more kind of widget is one more line in the registry: nothing else has to know of it (decision 0036)."""

from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest

from harness.builders.moments import ago
from harness.clients.dashboards import make, make_dashboard, make_widget
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server


class ToyServer(Server):
    """A server that has the kind `pulse`."""

    def _program(self, servers: Mapping[str, str]) -> list[str]:
        assert not servers
        return ["harness.servers.serve_toy_kind"]


@pytest.fixture(scope="module")
def toy_workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    server = ToyServer(tmp_path_factory.mktemp("toy"))
    server.start()
    try:
        workspace = sign_up(server.url)
        events = [{"name": "beat", "_actor": f"u{number}", "_timestamp": ago(hours=1)} for number in range(17)]
        assert workspace.send({"events": events}).status_code == 202
        yield workspace
    finally:
        server.stop()


@pytest.fixture(scope="module")
def board(toy_workspace: Workspace) -> Any:
    return make_dashboard(toy_workspace, isPublic=True)


@pytest.fixture(scope="module")
def widget(toy_workspace: Workspace, board: Any) -> Any:
    return make_widget(toy_workspace, board["id"], type="pulse", config={"event": "beat"}, title="")


@pytest.mark.long
def test_its_config_is_checked(toy_workspace: Workspace, board: Any) -> None:
    with toy_workspace.client() as client:
        refusal = client.post(f"/v1/dashboards/{board['id']}/widgets", json={"type": "pulse", "config": {"event": ""}})
    assert refusal.status_code == 400
    assert refusal.json()["details"][0]["path"] == ["config", "event"]


@pytest.mark.long
def test_it_has_data_and_actors_behind_it(toy_workspace: Workspace, widget: Any) -> None:
    with toy_workspace.client() as client:
        answer = client.post(f"/v1/widgets/{widget['id']}/data", json={"timeRange": "24h"}).json()
        assert (answer["kind"], answer["actors"]) == ("pulse", 17)
        page = client.post(f"/v1/widgets/{widget['id']}/actors", json={"timeRange": "24h", "at": {}}).json()
    assert page["total"] == 17


def test_an_empty_answer_is_explained(toy_workspace: Workspace) -> None:
    question = {"environment": "production", "type": "pulse", "config": {"event": "baet"}, "timeRange": "24h"}
    with toy_workspace.client() as client:
        answer = client.post("/v1/query", json=question).json()
    assert answer["actors"] == 0
    assert [notice["code"] for notice in answer["notices"]] == ["unknown_event"]


def test_the_public_sees_its_public_form_and_its_picture(toy_workspace: Workspace, board: Any, widget: Any) -> None:
    with httpx.Client(base_url=toy_workspace.url) as anybody:
        public = anybody.post(f"/v1/public/dashboards/{board['slug']}/widgets/{widget['id']}/data").json()
        assert public["actors"] == 10
        picture = anybody.get(f"/custom/widgets/{board['slug']}/{widget['id']}.svg")
        assert (picture.status_code, ">10<" in picture.text) == (200, True)
        preview = anybody.get(f"/custom/dashboards/{board['slug']}.svg")
        assert (preview.status_code, ">10<" in preview.text) == (200, True)


def test_a_mail_shows_it(toy_workspace: Workspace, board: Any, widget: Any) -> None:
    digest = make(
        toy_workspace,
        "/v1/digests",
        {
            "dashboardId": board["id"],
            "sendHour": 9,
            "timezone": "UTC",
            "cadence": "daily",
            "recipients": ["ann@example.com"],
        },
    )
    with toy_workspace.client() as client:
        mail = client.get(f"/v1/digests/{digest['id']}/preview").json()
    assert "Pulse of beat" in mail["text"]
    assert "17" in mail["text"]


def test_its_config_is_in_the_description_of_the_api(toy_workspace: Workspace) -> None:
    schemas = httpx.get(f"{toy_workspace.url}/openapi.json").json()["components"]["schemas"]
    assert "PulseConfig" in schemas
    assert "Pulse" in schemas
