"""Members are told which counters of a bot were never sent; published clients see 0 as before.

The rule: rules/statistics#unreported-counters.
"""

from typing import Any

import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server

FED, VOTED, SILENT = "583807014896140293", "646937666251915264", "700000000000000042"
USER = "205680187394752512"
VOTES = ["monthly_votes", "total_votes"]
REST = ["server_count", "review_count", "avg_review_rating"]


@pytest.fixture(scope="module")
def token(listing: Workspace) -> str:
    return listing.make_stats_token("write")[0]


@pytest.fixture(scope="module")
def listing(server: Server) -> Workspace:
    """A bot with servers, of which there are none, one with a vote alone, and one with nothing."""
    workspace = sign_up(server.url)
    token, _ = workspace.make_stats_token("write")
    with workspace.client(token) as client:
        for bot in (FED, VOTED, SILENT):
            assert client.put(f"/chat/bots/{bot}", json={"name": f"Bot {bot}"}).is_success
        assert client.post(f"/chat/bots/{FED}/stats", json={"server_count": 0, "shard_count": 2}).is_success
        assert client.post(f"/chat/bots/{VOTED}/votes", json={"userId": USER}).json()["counted"]
    return workspace


def records(answer: Any) -> list[dict[str, Any]]:
    """The records of any answer."""
    if isinstance(answer, dict) and "id" in answer:
        return [answer]
    parts = answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else []
    return [record for part in parts for record in records(part)]


QUESTIONS = [
    (f"/bots/{SILENT}", {}),
    (f"/compare/{FED}/{VOTED}/{SILENT}", {}),
    (f"/compare/{FED}/{SILENT}", {"shape": "compact"}),
    ("/rankings/bots", {}),
    ("/search", {"query": "Bot"}),
]


@pytest.mark.parametrize(("path", "params"), QUESTIONS)
def test_a_published_client_gets_the_same_without_them(
    listing: Workspace, token: str, path: str, params: dict[str, str]
) -> None:
    with listing.client(token) as client:
        for_clients = client.get(path if path == "/search" else f"/chat{path}", params=params).json()
    for_members = listing.get(f"/v1/statistics{path}", **params).json()
    assert all("unreported" not in record for record in records(for_clients))
    found = records(for_members)
    assert found
    for record in found:
        unreported = record.pop("unreported")
        assert all(record[name] == 0 for name in unreported)
    assert for_members == for_clients


@pytest.mark.parametrize(
    ("bot", "unreported"),
    [
        (FED, [*VOTES, "review_count", "avg_review_rating"]),  # no servers were reported, which is a report
        (VOTED, REST),
        (SILENT, [*VOTES, *REST]),
    ],
)
def test_a_counter_is_unreported_until_it_is_sent(listing: Workspace, bot: str, unreported: list[str]) -> None:
    assert listing.get(f"/v1/statistics/bots/{bot}").json()["unreported"] == unreported
    path = f"/v1/statistics/compare/{bot}/{VOTED if bot != VOTED else FED}"
    both = listing.get(path).json()["data"]
    assert both[0]["unreported"] == unreported + ([] if bot == FED else ["shard_count"])
    compact = listing.get(path, shape="compact").json()["data"]
    assert compact[0]["unreported"] == [name for name in unreported if name != "avg_review_rating"]
    [entry] = [each for each in listing.get("/v1/statistics/rankings/bots").json()["data"] if each["id"] == bot]
    assert set(entry["unreported"]) == set(unreported) - {"avg_review_rating"}
