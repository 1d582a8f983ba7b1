"""What the Statistics API takes and refuses, in paths and queries.

The rules: rules/statistics#ids, rules/statistics#missing-bots, rules/statistics#search.
"""

import httpx
import pytest

from harness.builders.four_bots import GONE, HIDDEN, HISTORY, UNKNOWN, USER, A, B
from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.suite.few import few


@pytest.mark.parametrize(
    "bot",
    ["1234567890123456", "12345678901234567890", "x" * 17, "٠" * 17, f"{A}%0A", f"%20{A}", f"-{A[1:]}", f"{A[:-2]}.0"],
)
@pytest.mark.parametrize(
    "path",
    ["/bots/{}", f"/bots/{{}}/historical?{HISTORY}", "/bots/{}/recent", "/bots/{}/leaderboard", "/users/{}/bots"],
)
def test_what_is_no_id_is_400(member: httpx.Client, path: str, bot: str) -> None:
    body = check_refusal(member.get("/v1/statistics" + path.format(bot)), 400)
    assert [detail["path"] for detail in body["details"]] == [["id"]]


@pytest.mark.parametrize("user", ["1234567890123456", "x", f"{USER}%0A"])
def test_what_is_no_id_of_a_user_is_400(member: httpx.Client, user: str) -> None:
    body = check_refusal(member.get(f"/v1/statistics/bots/{A}/leaderboard/{user}"), 400)
    assert [detail["path"] for detail in body["details"]] == [["userId"]]


TEN = [str(10**17 + number) for number in range(10)]


@pytest.mark.parametrize("path", [A, f"{A}/{A}", f"{A}/x", f"{A},{B}", "/".join([*TEN, A])])
@pytest.mark.parametrize("base", ["/v1/statistics/compare/", "/v1/statistics/compare/historical/"])
def test_what_cannot_be_compared_is_400(member: httpx.Client, base: str, path: str) -> None:
    query = f"?{HISTORY}" if "historical" in base else ""
    body = check_refusal(member.get(base + path + query), 400)
    assert [detail["path"] for detail in body["details"]] == [["ids"]]


@pytest.mark.long
def test_ten_are_compared(workspace: Workspace) -> None:
    with workspace.client(workspace.make_stats_token("write")[0]) as client:
        rows = [{"id": bot, "name": "n", "server_count": at} for at, bot in enumerate(TEN)]
        assert client.post("/chat/import", json={"rows": rows}).json() == {
            "bots": 10,
            "votes": 0,
            "repeated": 0,
            "known": 0,
        }
        found = client.get(f"/chat/compare/{'/'.join(reversed(TEN))}").json()["data"]
    assert [each["server_count_rank"] for each in found] == list(range(1, 11))


@few(
    4,
    "path",
    [
        f"/bots/{UNKNOWN}",
        f"/bots/{UNKNOWN}/historical?{HISTORY}",
        f"/bots/{UNKNOWN}/recent",
        f"/bots/{UNKNOWN}/leaderboard",
        f"/bots/{UNKNOWN}/leaderboard/{USER}",
        f"/compare/{A}/{UNKNOWN}",
        f"/compare/historical/{A}/{UNKNOWN}?{HISTORY}",
        f"/bots/{HIDDEN}",
        f"/bots/{HIDDEN}/recent",
        f"/bots/{HIDDEN}/historical?{HISTORY}",
        f"/compare/{A}/{HIDDEN}",
        f"/bots/{HIDDEN}/leaderboard",
        f"/compare/historical/{A}/{HIDDEN}?{HISTORY}",
    ],
)
def test_an_unknown_or_unlisted_bot_is_404_with_code_and_message(reader: httpx.Client, path: str) -> None:
    body = check_refusal(reader.get(f"/chat{path}"), 404)
    assert (body["code"], body["message"]) == (404, "No bot exists with the ID provided.")


def test_an_unknown_user_is_404(member: httpx.Client) -> None:
    body = check_refusal(member.get(f"/v1/statistics/users/{UNKNOWN}/bots"), 404)
    assert body["message"] == "The user does not exist, or no data exists for the ID."
    check_refusal(member.get(f"/v1/statistics/bots/{A}/leaderboard/{UNKNOWN}"), 404)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("unlisted=true", 200),
        ("unlisted=true&unlisted_reason=spam", 200),
        ("unlisted=true&unlisted_reason=abuse", 404),
        ("unlisted=false", 404),
        ("unlisted_reason=spam", 404),
        ("unlisted=maybe", 400),
        ("unlisted=", 400),
    ],
)
def test_the_history_of_an_unlisted_bot(member: httpx.Client, query: str, status: int) -> None:
    answer = member.get(f"/v1/statistics/bots/{HIDDEN}/historical?{HISTORY}&{query}")
    assert answer.status_code == status
    if status == 200:
        assert [point["server_count"] for point in answer.json()["data"]] == [30]


def test_unlisted_parameters_leave_a_listed_bot_as_it_is(member: httpx.Client) -> None:
    for query in ("", "&unlisted=true", "&unlisted=false", "&unlisted=true&unlisted_reason=spam"):
        assert member.get(f"/v1/statistics/bots/{A}/historical?{HISTORY}{query}").status_code == 200


def test_deleted_and_unlisted_bots_are_in_no_ranking(member: httpx.Client) -> None:
    found = member.get("/v1/statistics/rankings/bots?sortBy=server_count_rank").json()
    assert (found["totalBotCount"], [entry["id"] for entry in found["data"]]) == (2, [B, A])
    gone = member.get(f"/v1/statistics/bots/{GONE}").json()
    assert (gone["deleted"], gone["server_count"], gone["server_count_rank"], gone["monthly_votes_rank"]) == (
        True,
        40,
        0,
        0,
    )
    bots = member.get(f"/v1/statistics/users/{USER}/bots").json()["bots"]
    assert [bot["id"] for bot in bots] == [A, B, GONE]


@pytest.mark.parametrize(
    ("query", "found"), [("", [A, B]), ("&includeDeleted=false", [A, B]), ("&includeDeleted=true", [A, B, GONE])]
)
def test_searches_leave_out_what_is_unlisted_and_usually_what_is_deleted(
    member: httpx.Client, query: str, found: list[str]
) -> None:
    for path in ("/search?query=BOT", "/tags?query=FUN"):
        answer = member.get(f"/v1/statistics{path}{query}").json()["data"]
        assert (answer["total"], [bot["id"] for bot in answer["results"]]) == (len(found), found)


LISTS = [("/rankings/bots?", 500), (f"/bots/{A}/leaderboard?", 500), ("/search?query=b&", 100), ("/tags?query=b&", 50)]


@pytest.mark.parametrize(("path", "most"), LISTS)
def test_limits(member: httpx.Client, path: str, most: int) -> None:
    url = f"/v1/statistics{path}"
    for limit in ("1", str(most), "001"):
        assert member.get(f"{url}limit={limit}").status_code == 200, limit
    for limit in ("0", "-1", str(most + 1), "1e2", "1.0", "%2B1", "%201", "1%20", "1_0", "٣", "x", "", "9" * 5000):
        body = check_refusal(member.get(f"{url}limit={limit}"), 400)
        assert [detail["path"] for detail in body["details"]] == [["limit"]]


@pytest.mark.parametrize(("path", "most"), LISTS)
def test_offsets(member: httpx.Client, path: str, most: int) -> None:
    url = f"/v1/statistics{path}"
    for offset in ("0", "1", "1000000"):
        assert member.get(f"{url}offset={offset}").status_code == 200, offset
    for offset in ("-1", "1e2", "0.0", "%2B1", "%201", "١", "", "9" * 5000):
        body = check_refusal(member.get(f"{url}offset={offset}"), 400)
        assert [detail["path"] for detail in body["details"]] == [["offset"]]


def test_pages_of_rankings(member: httpx.Client) -> None:
    def ids(query: str) -> list[str]:
        return [entry["id"] for entry in member.get(f"/v1/statistics/rankings/bots?{query}").json()["data"]]

    assert ids("sortBy=server_count_rank") == ids("sortBy=server_count_rank&sortMethod=asc") == [B, A]
    assert ids("sortBy=server_count_rank&sortMethod=desc") == [A, B]
    assert (
        ids("sortBy=server_count_rank&limit=1&offset=1")
        == ids("sortBy=server_count_rank&limit=1&sortMethod=desc")
        == [A]
    )
    assert ids("offset=2") == []
    assert ids("") == ids("sortBy=monthly_votes_rank") == ids("sortBy=total_votes_rank") == [A, B]
    assert ids("sortBy=review_count_rank") == [A, B]


@few(
    5,
    ("path", "name"),
    [
        (f"/bots/{A}/historical?timeFrame=7d", "type"),
        (f"/bots/{A}/historical?type=server_count", "timeFrame"),
        (f"/bots/{A}/historical?type=shard_count&timeFrame=7d", "type"),
        (f"/bots/{A}/historical?type=&timeFrame=7d", "type"),
        (f"/bots/{A}/historical?type=server_count&timeFrame=2d", "timeFrame"),
        (f"/bots/{A}/historical?type=server_count&timeFrame=7D", "timeFrame"),
        (f"/bots/{A}/historical?type=server_count&timeframe=7d", "timeframe"),
        (f"/bots/{A}/historical?{HISTORY}&limit=5", "limit"),
        (f"/bots/{A}/historical?{HISTORY}&type=server_count", "type"),
        (f"/bots/{A}?shape=full", "shape"),
        (f"/bots/{A}/recent?limit=5", "limit"),
        (f"/bots/{A}/leaderboard?sortBy=x", "sortBy"),
        (f"/compare/{A}/{B}?shape=keyed", "shape"),
        (f"/compare/historical/{A}/{B}?{HISTORY}&shape=full", "shape"),
        (f"/compare/historical/{A}/{B}?timeFrame=7d", "type"),
        ("/rankings/bots?sortBy=shard_count_rank", "sortBy"),
        ("/rankings/bots?sortBy=server_count", "sortBy"),
        ("/rankings/bots?sortMethod=ASC", "sortMethod"),
        ("/rankings/bots?sort=asc", "sort"),
        ("/tags", "query"),
        ("/tags?query=", "query"),
        (f"/tags?query={'x' * 101}", "query"),
        ("/tags?query=x&includeDeleted=2", "includeDeleted"),
        (f"/users/{USER}/bots?limit=1", "limit"),
    ],
)
def test_a_wrong_parameter_is_400_by_its_name(reader: httpx.Client, path: str, name: str) -> None:
    for base in ("/chat", "/discord"):
        body = check_refusal(reader.get(base + path), 400)
        assert name in {detail["path"][0] for detail in body["details"]}
