"""The field tables of the Statistics API, walked as data: each field is there, of its type, and nothing else.

The rules: rules/statistics#bot-record, rules/statistics#recent-data.
"""

import itertools
import re
import time
from typing import Any

import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.oracles.listing_history import DAY, HOUR, METRICS
from harness.servers.server import Server
from harness.suite.few import few

A, B, C, USER, OTHER_USER = (
    "583807014896140293",
    "646937666251915264",
    "00000000000000042",
    "205680187394752512",
    "0000000000000000001",
)

ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def is_time(value: Any) -> bool:
    return isinstance(value, str) and ISO.fullmatch(value) is not None


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_integer(value: Any) -> bool:
    return type(value) is int


def is_number(value: Any) -> bool:
    return type(value) in {int, float}


def is_id(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9]{17,19}", value) is not None


def is_digits(value: Any) -> bool:
    return isinstance(value, str) and value.isdigit()


def is_flag(value: Any) -> bool:
    return type(value) is bool


def is_source(value: Any) -> bool:
    return value in {"posted", "votes"}


def texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


COUNTERS = dict.fromkeys(METRICS, is_integer)
RANKS = dict.fromkeys(("monthly_votes_rank", "server_count_rank", "total_votes_rank"), is_integer)
RECORD = {
    "id": is_id,
    "listingId": is_id,
    "topGGId": is_id,
    "certified": is_flag,
    "owners": texts,
    "deleted": is_flag,
    **dict.fromkeys(("name", "def_avatar", "avatar", "short_desc", "lib", "prefix", "website"), is_text),
    "approved_at": is_time,
    **COUNTERS,
    **RANKS,
    "timestamp": is_time,
    "unix_timestamp": is_digits,
    "tags": texts,
    "avg_review_rating": is_number,
    "counter_source": is_source,
    "percentage_changes": {"daily": is_number, "monthly": is_number},
    "unreported": texts,
}
COMPARED = RECORD | {"shard_count": is_integer, "shard_count_rank": is_integer}
COMPACT = {"id": is_id, "name": is_text, "avatar": is_text, "unreported": texts} | COUNTERS | RANKS
RANKING = (
    {"id": is_id, "name": is_text, "unreported": texts}
    | COUNTERS
    | RANKS
    | {f"{name}_change": is_integer for name in RANKS}
)
RECENT = {"time": is_time, "monthly_votes_change_perc": is_number, **COUNTERS} | {
    f"{name}_change": is_integer for name in METRICS
}
VOTER = {
    "position": is_digits,
    "connectionId": is_text,
    "userId": is_id,
    "voteCount": is_integer,
    "totalVotesByWeight": is_integer,
    "streakCount": is_integer,
    "lastVote": is_time,
    "user": {"listingId": is_id, "chatId": is_id, "username": is_text, "avatar": is_text},
}


def check(value: dict[str, Any], table: dict[str, Any]) -> None:
    assert set(value) == set(table)
    for name, kind in table.items():
        if isinstance(kind, dict):
            check(value[name], kind)
        else:
            assert kind(value[name]), (name, value[name])


@pytest.fixture(scope="module")
def listing(server: Server) -> Workspace:
    """Three bots with votes and counters; C is known by its name alone."""
    workspace = sign_up(server.url)
    token, _ = workspace.make_stats_token("write")
    now = int(time.time() * 1000)
    with workspace.client(token) as client:
        for number, bot in enumerate((A, B), 1):
            assert client.put(f"/chat/bots/{bot}", json={"name": f"Bot {number}"}).is_success
            for ago in (0, 5 * HOUR, 26 * HOUR, 40 * DAY):
                counters = {metric: number * 1000 + at - ago // HOUR for at, metric in enumerate(METRICS)}
                body = counters | {"shard_count": 2, "avg_review_rating": 4.5, "timestamp": now - ago}
                assert client.post(f"/chat/bots/{bot}/stats", json=body).is_success
        assert client.put(f"/chat/bots/{C}", json={"name": "C"}).is_success
        for user in (USER, OTHER_USER):
            assert client.post(f"/chat/bots/{A}/votes", json={"userId": user}).json()["counted"]
    return workspace


def ask(listing: Workspace, path: str, **params: Any) -> Any:
    answer = listing.get(f"/v1/statistics{path}", **params)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/json")
    return answer.json()


@pytest.mark.long
@pytest.mark.parametrize("bot", [A, C])
def test_a_bot_record(listing: Workspace, bot: str) -> None:
    record = ask(listing, f"/bots/{bot}")
    check(record, RECORD)
    assert record["listingId"] == record["topGGId"] == bot


def test_comparisons(listing: Workspace) -> None:
    for shape in ({}, {"shape": "full"}):
        answer = ask(listing, f"/compare/{B}/{A}/{C}", **shape)
        assert [each["id"] for each in answer["data"]] == [B, A, C]
        for each in answer["data"]:
            check(each, COMPARED)
    answer = ask(listing, f"/compare/{A}/{B}", shape="compact")
    assert set(answer) == {"data"}
    for each in answer["data"]:
        check(each, COMPACT)


@pytest.mark.parametrize("metric", METRICS)
def test_histories(listing: Workspace, metric: str) -> None:
    query = {"type": metric, "timeFrame": "90d"}
    single = ask(listing, f"/bots/{A}/historical", **query)
    keyed = ask(listing, f"/compare/historical/{B}/{A}", **query)
    listed = ask(listing, f"/compare/historical/{B}/{A}", shape="list", **query)
    assert keyed["data"][A] == single["data"]
    assert listed["data"] == [{"id": bot, "data": keyed["data"][bot]} for bot in (B, A)]
    assert len(single["data"]) == 41
    for point in single["data"]:
        check(point, {"time": is_time, "id": is_id, metric: is_integer})
    times = [point["time"] for point in single["data"]]
    assert times == sorted(times, reverse=True)
    assert all(at.endswith("T00:00:00.000Z") for at in times)
    assert ask(listing, f"/bots/{C}/historical", **query) == {"data": []}


@few(
    4,
    ("frame", "hours"),
    [("6h", 6), ("6hr", 6), ("12h", 12), ("12hr", 12), ("1d", 24), ("3d", 72), ("7d", 168), ("30d", 720)],
)
def test_hours(listing: Workspace, frame: str, hours: int) -> None:
    points = ask(listing, f"/bots/{A}/historical", type="server_count", timeFrame=frame)["data"]
    assert len(points) == hours
    assert all(point["time"].endswith(":00:00.000Z") for point in points)
    assert points[0]["server_count"] == 1002


@pytest.mark.parametrize("frame", ["90d", "180d", "270d", "1y", "3y", "5y", "alltime"])
def test_days_from_the_first_that_is_known(listing: Workspace, frame: str) -> None:
    points = ask(listing, f"/bots/{A}/historical", type="server_count", timeFrame=frame)["data"]
    assert (len(points), points[-1]["server_count"]) == (41, 1002 - 960)


def test_recent(listing: Workspace) -> None:
    recent = ask(listing, f"/bots/{A}/recent")
    assert set(recent) == {"hourlyData", "dailyData"}
    for entries, end in ((recent["hourlyData"], ":00:00.000Z"), (recent["dailyData"], "T00:00:00.000Z")):
        assert len(entries) == 30
        times = [entry["time"] for entry in entries]
        assert times == sorted(set(times), reverse=True)
        for entry, before in itertools.pairwise(entries):
            check(entry, RECENT)
            assert entry["time"].endswith(end)
            assert all(entry[f"{name}_change"] == entry[name] - before[name] for name in METRICS)
            votes = before["monthly_votes"]
            assert entry["monthly_votes_change_perc"] == pytest.approx(entry["monthly_votes_change"] / votes * 100)
    assert ask(listing, f"/bots/{C}/recent") == {"hourlyData": [], "dailyData": []}


def test_a_leaderboard(listing: Workspace) -> None:
    answer = ask(listing, f"/bots/{A}/leaderboard")
    assert set(answer) == {"code", "data"}
    assert (answer["code"], set(answer["data"]), answer["data"]["total"]) == (200, {"total", "leaderboard"}, 2)
    for entry in answer["data"]["leaderboard"]:
        check(entry, VOTER)
        single = ask(listing, f"/bots/{A}/leaderboard/{entry['userId']}")
        assert single == {"code": 200, "total": "2", "data": entry}
    assert [entry["position"] for entry in answer["data"]["leaderboard"]] == ["1", "2"]
    assert ask(listing, f"/bots/{C}/leaderboard") == {"code": 200, "data": {"total": 0, "leaderboard": []}}


def test_rankings(listing: Workspace) -> None:
    answer = ask(listing, "/rankings/bots")
    assert set(answer) == {"totalBotCount", "data"}
    assert answer["totalBotCount"] == 3
    for entry in answer["data"]:
        check(entry, RANKING)
    assert [entry["id"] for entry in answer["data"]] == [B, A, C]
    assert [entry["monthly_votes_rank"] for entry in answer["data"]] == [1, 2, 3]


def test_users_bots_and_searches_have_whole_records(listing: Workspace) -> None:
    token, _ = listing.make_stats_token("write")
    with listing.client(token) as client:
        assert client.put(f"/chat/bots/{A}", json={"owners": [USER], "tags": ["T"], "name": "Ä1"}).is_success
    (record,) = ask(listing, f"/users/{USER}/bots")["bots"]
    assert record == ask(listing, f"/bots/{A}")
    for path, query in (("/search", "ä1"), ("/tags", "t")):
        assert ask(listing, path, query=query) == {"data": {"total": 1, "results": [record]}}
