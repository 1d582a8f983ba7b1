"""Feeding a listing: profiles that merge, counters, imports, and what SDKs post (rules/statistics#counters)."""

import json
import time
from typing import Any

import httpx
import pytest

from harness.clients.workspace import Workspace
from harness.oracles.listing_history import HOUR, MINUTE
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

A, B = "583807014896140293", "646937666251915264"
USER = "205680187394752512"


def test_a_profile_is_merged(feeder: httpx.Client) -> None:
    first = feeder.put(f"/chat/bots/{A}", json={"name": "One", "tags": ["x"], "certified": True}).json()
    second = feeder.put(f"/chat/bots/{A}", json={"name": "Two", "owners": [USER], "lib": ""}).json()
    volatile = {"timestamp", "unix_timestamp", "name", "owners"}
    assert {key: value for key, value in first.items() if key not in volatile} == {
        key: value for key, value in second.items() if key not in volatile
    }
    assert (second["name"], second["tags"], second["certified"], second["owners"]) == ("Two", ["x"], True, [USER])
    assert feeder.get(f"/chat/bots/{A}").json() == second


@few(
    4,
    "body",
    [
        {"name": None},
        {"owners": [1]},
        {"owners": ["x"]},
        {"website": "javascript:alert(1)"},
        {"tags": "x"},
        {"deleted": 1},
        {"surprise": 1},
        {"server_count": 1},
        {"id": A},
        {"approved_at": "soon"},
        {"listingId": "1"},
        [],
    ],
    ids=json.dumps,
)
def test_a_wrong_profile_changes_nothing(feeder: httpx.Client, body: Any) -> None:
    check_refusal(feeder.put(f"/chat/bots/{A}", json=body), 400)
    check_refusal(feeder.get(f"/chat/bots/{A}"), 404)


@few(
    4,
    "body",
    [
        {},
        {"timestamp": 0},
        {"server_count": -1},
        {"server_count": 1.5},
        {"server_count": "5"},
        {"server_count": True},
        {"server_count": 2**53},
        {"server_count": None},
        {"servers": 5},
        {"server_count": 5, "timestamp": "never"},
        {"server_count": 5, "timestamp": 4000000000000},
        {"server_count": 5, "timestamp": 0},
        {"avg_review_rating": -1},
    ],
    ids=json.dumps,
)
def test_wrong_counters_change_nothing(feeder: httpx.Client, body: Any) -> None:
    check_refusal(feeder.post(f"/chat/bots/{A}/stats", json=body), 400)
    check_refusal(feeder.get(f"/chat/bots/{A}"), 404)


def test_counters_are_of_their_moment(feeder: httpx.Client) -> None:
    assert feeder.put(f"/chat/bots/{A}", json={"name": "A"}).is_success
    now = int(time.time() * 1000)
    for value, ago in ((5, 0), (3, HOUR), (1, 3 * HOUR)):
        assert feeder.post(f"/chat/bots/{A}/stats", json={"server_count": value, "timestamp": now - ago}).is_success
    assert feeder.get(f"/chat/bots/{A}").json()["server_count"] == 5
    points = feeder.get(f"/chat/bots/{A}/historical?type=server_count&timeFrame=6h").json()["data"]
    assert [point["server_count"] for point in points] == [5, 3, 1, 1]


def test_a_clock_that_is_a_little_ahead_tells_of_now(feeder: httpx.Client) -> None:
    assert feeder.put(f"/chat/bots/{A}", json={"name": "A"}).is_success
    ahead = int(time.time() * 1000) + 4 * MINUTE
    for value in (4, 5):
        told = feeder.post(f"/chat/bots/{A}/stats", json={"server_count": value, "timestamp": ahead}).json()[
            "timestamp"
        ]
    record = feeder.get(f"/chat/bots/{A}").json()
    assert (record["timestamp"], record["server_count"]) == (told, 5)
    assert int(record["unix_timestamp"]) < ahead
    check_refusal(feeder.post(f"/chat/bots/{A}/stats", json={"server_count": 5, "timestamp": ahead + 2 * MINUTE}), 400)


@pytest.mark.long
def test_an_import_is_all_or_nothing(feeder: httpx.Client) -> None:
    good = [
        {"id": A, "name": "A", "server_count": 5, "timestamp": "2026-01-01T00:00:00Z"},
        {"id": A, "server_count": 7, "timestamp": "2026-01-02T00:00:00Z"},
        {"bot": A, "userId": USER, "timestamp": "2026-01-02T00:00:00Z"},
    ]
    for bad in (
        {"id": "1"},
        {"id": B, "server_count": -1},
        {"bot": A, "userId": "x"},
        {"userId": USER},
        {"id": B, "x": 1},
    ):
        for rows in ([*good, bad], [bad, *good]):
            body = check_refusal(feeder.post("/chat/import", json={"rows": rows}), 400)
            assert {tuple(detail["path"][:2]) for detail in body["details"]} == {("rows", rows.index(bad))}
    check_refusal(feeder.get(f"/chat/bots/{A}"), 404)
    assert feeder.post("/chat/import", json={"rows": good}).json() == {"bots": 2, "votes": 1, "repeated": 0, "known": 0}
    before = feeder.get(f"/chat/bots/{A}").json()
    history = f"/chat/bots/{A}/historical?type=server_count&timeFrame=alltime"
    points = feeder.get(history).json()
    assert [point["server_count"] for point in points["data"][-3:]] == [7, 7, 5]
    assert feeder.post("/chat/import", json={"rows": good}).json() == {"bots": 2, "votes": 0, "repeated": 1, "known": 3}
    assert feeder.get(history).json() == points
    volatile = {"timestamp", "unix_timestamp"}
    again = feeder.get(f"/chat/bots/{A}").json()
    assert {key: again[key] for key in again.keys() - volatile} == {key: before[key] for key in again.keys() - volatile}


@pytest.mark.long
def test_an_import_tells_how_many_of_its_rows_changed_nothing(feeder: httpx.Client) -> None:
    def known(*rows: dict[str, Any]) -> int:
        found: int = feeder.post("/chat/import", json={"rows": rows}).json()["known"]
        return found

    profile = {"id": A, "name": "A", "owners": [USER], "tags": [], "approved_at": "2026-01-01T00:00:00Z"}
    points = [
        {"id": A, "server_count": at, "review_count": 0, "timestamp": f"2026-01-0{at}T00:00:00Z"} for at in (3, 2, 1)
    ]
    vote = {"bot": A, "userId": USER, "timestamp": "2026-01-02T00:00:00Z"}
    assert known(profile, *points, vote) == 0
    assert known(profile, *points, vote) == 5
    # One row of each kind says something else, or something more.
    assert known(profile | {"name": "B"}, profile | {"lib": ""}, {"id": B, "name": ""}) == 1
    assert known(points[0] | {"server_count": 9}, points[1] | {"server_count": 9}, points[2] | {"total_votes": 1}) == 0
    assert known(points[0] | {"server_count": 9}, points[1] | {"server_count": 9}, points[2]) == 3
    assert known(points[2] | {"timestamp": "2026-01-04T00:00:00Z"}, points[2] | {"avg_review_rating": 4.5}) == 0
    assert known({"id": A, "counter_source": "votes"}) == 0
    assert known({"id": A, "counter_source": "votes"}, {"id": A, "counter_source": "posted"}) == 1


def test_an_import_has_a_size(feeder: httpx.Client) -> None:
    row = {"id": A, "server_count": 1}
    check_refusal(feeder.post("/chat/import", json={"rows": []}), 400)
    check_refusal(feeder.post("/chat/import", json={"rows": [row] * 5001}), 400)
    check_refusal(
        feeder.post("/chat/import", content=b" " * 8_000_001, headers={"content-type": "application/json"}), 413
    )
    assert feeder.post("/chat/import", json={"rows": [row] * 5000}).json()["bots"] == 5000


@pytest.mark.long
def test_sixteen_years_come_in_one_import(feeder: httpx.Client) -> None:
    """Each month of the event store is a part of its own."""
    months = [f"{year}-{month:02d}-15T12:00:00Z" for year in range(2010, 2026) for month in range(1, 13)]
    rows: list[dict[str, Any]] = [
        {"id": A, "server_count": at, "timestamp": moment} for at, moment in enumerate(months)
    ]
    rows += [{"bot": A, "userId": USER, "timestamp": moment} for moment in months]
    assert feeder.post("/chat/import", json={"rows": rows}).json() == {
        "bots": 192,
        "votes": 192,
        "repeated": 0,
        "known": 0,
    }
    deadline = time.monotonic() + 20  # nearly 400 parts, each of which is synced; nobody waits so long for an answer
    points: list[dict[str, Any]] = []
    while not points or points[0]["total_votes"] < 192:
        assert time.monotonic() < deadline
        points = feeder.get(f"/chat/bots/{A}/historical?type=total_votes&timeFrame=alltime").json()["data"]
    assert points[0]["total_votes"] == 192
    assert (points[-1]["total_votes"], points[-1]["time"]) == (1, "2010-01-15T00:00:00.000Z")


def test_a_token_of_one_bot_feeds_that_bot_alone(workspace: Workspace) -> None:
    with workspace.client(workspace.make_stats_token("bot", A)[0]) as own:
        assert own.put(f"/chat/bots/{A}", json={"name": "A"}).is_success
        assert own.post("/api/bots/stats", json={"server_count": 4, "shards": [1], "extra": 1}).is_success
        assert own.get(f"/chat/bots/{A}").json()["server_count"] == 4
        for answer in (
            own.put(f"/chat/bots/{B}", json={"name": "B"}),
            own.post(f"/chat/bots/{B}/stats", json={"server_count": 1}),
            own.post(f"/chat/bots/{B}/votes", json={"userId": USER}),
            own.post(f"/api/bots/{B}/stats", json={"server_count": 1}),
            own.post("/chat/import", json={"rows": [{"id": A, "name": "x"}]}),
        ):
            check_refusal(answer, 403)


@few(
    2,
    ("body", "servers", "shards"),
    [
        ({"server_count": [1, 2, 3]}, 6, 3),
        ({"shards": [4, 5]}, 9, 2),
        ({"server_count": 7, "shard_count": 3}, 7, 3),
        ({"server_count": 7, "shard_id": None, "shard_count": None}, 7, 0),
        ({"server_count": 3, "shard_id": 0, "shard_count": 2}, 3, 2),
    ],
    ids=json.dumps,
)
def test_counters_as_sdks_post_them(feeder: httpx.Client, body: dict[str, Any], servers: int, shards: int) -> None:
    for bot in (A, B):
        assert feeder.put(f"/chat/bots/{bot}", json={"name": "Bot"}).is_success
    assert feeder.post(f"/api/bots/{A}/stats", json=body).is_success
    record = feeder.get(f"/chat/compare/{A}/{B}").json()["data"][0]
    assert (record["server_count"], record["shard_count"]) == (servers, shards)


@pytest.mark.long
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"shards": []},
        {"shard_count": 3},
        {"server_count": [-1]},
        {"server_count": "x"},
        {"server_count": None},
        {"server_count": []},
        {"server_count": [], "shards": [1]},
        {"server_count": 1, "shard_id": 3, "shard_count": 3},
        {"server_count": 1, "shard_id": 0, "shard_count": 0},
        {"server_count": 1, "shard_id": -1, "shard_count": 3},
        {"server_count": 1, "shard_id": 2},
    ],
    ids=json.dumps,
)
def test_wrong_counters_of_sdks_change_nothing(workspace: Workspace, body: dict[str, Any]) -> None:
    with workspace.client(workspace.make_stats_token("bot", A)[0]) as own:
        assert own.post("/api/bots/stats", json={"server_count": [4, 5]}).is_success
        before = own.get(f"/chat/bots/{A}").json()
        for path in ("/api/bots/stats", f"/api/bots/{A}/stats"):
            check_refusal(own.post(path, json=body), 400)
        assert own.get(f"/chat/bots/{A}").json() == before


def test_no_servers_of_shards_beside_a_number_of_servers(feeder: httpx.Client) -> None:
    """As some SDKs post them: the number counts."""
    assert feeder.put(f"/chat/bots/{A}", json={"name": "Bot"}).is_success
    assert feeder.post(f"/api/bots/{A}/stats", json={"server_count": 4, "shards": []}).is_success
    assert feeder.get(f"/discord/bots/{A}").json()["server_count"] == 4


def test_a_starting_bot_keeps_its_servers_until_all_shards_have_posted(feeder: httpx.Client) -> None:
    """rules/statistics#shards."""
    assert feeder.put(f"/chat/bots/{A}", json={"name": "Bot"}).is_success
    assert feeder.post(f"/discord/bots/{A}/stats", json={"server_count": 900, "shard_count": 2}).is_success
    counted = []
    for shard, servers in ((0, 10), (0, 450), (1, 455), (1, 460)):
        body = {"server_count": servers, "shard_id": shard, "shard_count": 2}
        assert feeder.post(f"/api/bots/{A}/stats", json=body).is_success
        counted.append(feeder.get(f"/chat/bots/{A}").json()["server_count"])
    assert counted == [900, 900, 905, 910]
    newest, *_ = feeder.get(f"/chat/bots/{A}/historical?type=server_count&timeFrame=6h").json()["data"]
    assert newest["server_count"] == 910


def test_a_token_of_many_bots_has_to_name_the_one(feeder: httpx.Client) -> None:
    check_refusal(feeder.post("/api/bots/stats", json={"server_count": 1}), 400)
