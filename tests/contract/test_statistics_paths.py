"""Where the Statistics API is found and who may ask: platforms, tokens, members (rules/statistics#paths)."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from harness.builders.four_bots import PATHS, A
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few


@few(3, "path", [*PATHS, "/search?query=bot"])
def test_members_and_tokens_of_each_platform_get_the_same(
    reader: httpx.Client, member: httpx.Client, path: str
) -> None:
    platforms = [""] if path.startswith("/search") else ["/chat", "/discord"]
    answers = [reader.get(platform + path) for platform in platforms]
    members_answer = member.get(f"/v1/statistics{path}")
    assert {answer.status_code for answer in (*answers, members_answer)} == {200}
    assert len({answer.text for answer in answers}) == 1
    # Only members are told which counters were never sent (rules/statistics#unreported-counters).
    assert without_unreported(members_answer.json()) == answers[0].json()


def without_unreported(value: Any) -> Any:
    """An answer for members as it would be for clients."""
    if isinstance(value, dict):
        return {name: without_unreported(entry) for name, entry in value.items() if name != "unreported"}
    return [without_unreported(entry) for entry in value] if isinstance(value, list) else value


@few(3, "path", PATHS)
def test_another_workspace_sees_nothing_of_it(server: Server, member: httpx.Client, path: str) -> None:
    stranger = sign_up(server.url)
    for base, token in (("/v1/statistics", None), ("/chat", stranger.make_stats_token("read")[0])):
        with stranger.client(token) as client:
            answer = client.get(base + path)
        if path.startswith(("/rankings", "/tags")):
            body = answer.json()
            assert body in ({"totalBotCount": 0, "data": []}, {"data": {"total": 0, "results": []}})
        else:
            check_refusal(answer, 404)


def test_the_token_is_taken_raw_and_as_a_bearer(bots: Workspace) -> None:
    token, _ = bots.make_stats_token("read")
    for header in (token, f"Bearer {token}", f"bearer {token}"):
        answer = httpx.get(f"{bots.url}/chat/bots/{A}", headers={"authorization": header})
        assert answer.status_code == 200, header
    for header in ("", "x", token[:-1], token + "x", f"Basic {token}"):
        check_refusal(httpx.get(f"{bots.url}/chat/bots/{A}", headers={"authorization": header}), 401)


@pytest.mark.parametrize(
    "path",
    ["/chat/rankings/users", "/chat/rankings", "/chat/bots", f"/chat/bots/{A}/x", "/chat", "/matrix/rankings/bots"],
)
def test_other_paths_are_404(reader: httpx.Client, path: str) -> None:
    check_refusal(reader.get(path), 404)


@few(2, "path", [path for path in PATHS if "?" not in path])
def test_other_methods(reader: httpx.Client, path: str) -> None:
    url = f"/chat{path}"
    got, head, options = reader.get(url), reader.head(url), reader.options(url)
    assert (head.status_code, head.content) == (200, b"")
    assert options.status_code == 204
    for method in ("PATCH", "DELETE"):
        body: Any = check_refusal(reader.request(method, url), 405)
        assert body["code"] == 405
    assert reader.get(url + "/").text == got.text
    assert got.json()


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Names its platforms itself."""
    data = tmp_path_factory.mktemp("renamed") / "data"
    server = Server(data, open_signup="true", stats_platforms="chat,slack").start()
    yield server
    server.stop()


@pytest.mark.long
def test_the_first_segment_is_a_matter_of_settings(renamed: Server) -> None:
    workspace = sign_up(renamed.url)
    with workspace.client(workspace.make_stats_token("write")[0]) as client:
        assert client.put(f"/slack/bots/{A}", json={"name": "One"}).is_success
        for platform, status in (("chat", 200), ("slack", 200), ("discord", 404)):
            assert client.get(f"/{platform}/bots/{A}").status_code == status
            assert client.get(f"/{platform}/tags?query=x").status_code == status
