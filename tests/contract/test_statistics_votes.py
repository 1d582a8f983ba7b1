"""Votes: in each of their shapes, which of them count, and what they come to.

The rules: rules/statistics#votes, rules/statistics#counter-source.
"""

import asyncio
import json
import time
from typing import Any

import httpx
import pytest

from harness.builders.listing import signature
from harness.clients.workspace import Workspace
from harness.oracles.listing_history import DAY, HOUR, MINUTE
from harness.oracles.refusal import check_refusal

A, B = "583807014896140293", "646937666251915264"
USER, OTHER_USER = "205680187394752512", "00000000000000001"
SECRET = "whs_0123456789"
SATURDAY, MONDAY = "2026-11-14T23:59:59.999Z", "2026-11-16T00:00:00.000Z"


@pytest.fixture
def feeder(feeder: httpx.Client) -> httpx.Client:
    """The listing knows two bots."""
    for bot in (A, B):
        assert feeder.put(f"/chat/bots/{bot}", json={"name": "Bot"}).is_success
    return feeder


def vote(feeder: httpx.Client, bot: str = A, **body: Any) -> dict[str, Any]:
    answer = feeder.post(f"/chat/bots/{bot}/votes", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def voters(feeder: httpx.Client, bot: str = A) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = feeder.get(f"/chat/bots/{bot}/leaderboard").json()["data"]["leaderboard"]
    return found


def test_a_vote_of_a_user_counts_once_in_twelve_hours_less_a_minute(feeder: httpx.Client) -> None:
    at = int(time.time() * 1000) - 3 * DAY
    near = 12 * HOUR - MINUTE - 1
    assert [
        vote(feeder, userId=USER, timestamp=at + step)["counted"] for step in (0, near, -near, near + 1, -near - 1)
    ] == [
        True,
        False,
        False,
        True,
        True,
    ]
    assert vote(feeder, userId=OTHER_USER, timestamp=at)["counted"]
    assert vote(feeder, B, userId=USER, timestamp=at)["counted"]
    assert [(entry["userId"], entry["voteCount"]) for entry in voters(feeder)] == [(USER, 3), (OTHER_USER, 1)]


def test_a_vote_at_a_weekend_is_worth_two(feeder: httpx.Client) -> None:
    for user, body in (
        ("10000000000000001", {"timestamp": SATURDAY}),
        ("10000000000000002", {"timestamp": MONDAY}),
        ("10000000000000003", {"timestamp": SATURDAY, "isWeekend": False}),
        ("10000000000000004", {"timestamp": MONDAY, "isWeekend": True}),
    ):
        assert vote(feeder, userId=user, **body)["counted"]
    weights = {entry["userId"][-1]: entry["totalVotesByWeight"] for entry in voters(feeder)}
    assert weights == {"1": 2, "2": 1, "3": 1, "4": 2}
    # By weight, then votes, then the earlier last vote.
    assert [entry["userId"][-1] for entry in voters(feeder)] == ["1", "4", "3", "2"]


@pytest.mark.long
def test_a_streak_is_of_days_up_to_the_last_vote(feeder: httpx.Client) -> None:
    for day, streak in ((10, 1), (11, 2), (13, 1), (12, 4), (9, 5), (20, 1)):
        assert vote(feeder, userId=USER, timestamp=f"2026-01-{day:02d}T12:00:00Z")["counted"]
        (entry,) = voters(feeder)
        assert entry["streakCount"] == streak
    assert entry["lastVote"] == "2026-01-20T12:00:00.000Z"


def test_a_richer_vote_tells_who_the_user_is(feeder: httpx.Client) -> None:
    vote(feeder, userId=USER, timestamp="2026-01-01T00:00:00Z")
    assert voters(feeder)[0]["user"] == {"listingId": USER, "chatId": USER, "username": USER, "avatar": ""}
    told = {"username": "Ann", "avatar": "https://a.example/b.png", "listingId": OTHER_USER}
    vote(feeder, userId=USER, timestamp="2026-01-02T00:00:00Z", **told)
    vote(feeder, userId=USER, timestamp="2026-01-03T00:00:00Z")
    expected = {"listingId": OTHER_USER, "chatId": USER, "username": "Ann", "avatar": "https://a.example/b.png"}
    assert voters(feeder)[0]["user"] == expected


@pytest.mark.long
@pytest.mark.parametrize("kind", ["test", "webhook.test"])
def test_a_test_vote_never_counts(feeder: httpx.Client, kind: str) -> None:
    assert vote(feeder, user=USER, bot=A, type=kind, isWeekend=True) == {"counted": False, "reason": "test"}
    assert voters(feeder) == []


def test_an_unsigned_webhook_of_a_bot_list(feeder: httpx.Client) -> None:
    body: dict[str, Any] = {
        "bot": A,
        "user": USER,
        "type": "upvote",
        "isWeekend": True,
        "query": "?ref=x",
        "guild": None,
    }
    assert vote(feeder, **body)["counted"]
    assert vote(feeder, **body) == {"counted": False, "reason": "repeated"}
    assert [(each["userId"], each["totalVotesByWeight"]) for each in voters(feeder)] == [(USER, 2)]
    check_refusal(feeder.post(f"/chat/bots/{B}/votes", json=body), 400)


def event(event_id: str, user: str = USER, bot: str = A, at: str = SATURDAY) -> dict[str, Any]:
    project = {"id": "9", "type": "bot", "platform": "discord", "platform_id": bot}
    voter = {"id": "12", "platform_id": user, "name": "Ann", "avatar_url": "https://a.example/b.png"}
    times = {"created_at": at, "expires_at": at}
    return {"type": "vote.create", "data": {"id": event_id, "weight": 2, **times, "project": project, "user": voter}}


@pytest.mark.long
def test_a_signed_webhook_of_a_bot_list_counts_by_its_id(workspace: Workspace, feeder: httpx.Client) -> None:
    with workspace.client() as owner:
        path = f"/v1/statistics/bots/{A}/webhook-secret"
        assert owner.put(path, json={"secret": SECRET + workspace.workspace_id}).status_code == 204

    def send(body: dict[str, Any], secret: str = SECRET + workspace.workspace_id) -> httpx.Response:
        content = json.dumps(body).encode()
        signed = {"x-topgg-signature": signature(secret, int(time.time()), content), "content-type": "application/json"}
        return httpx.post(f"{workspace.url}/chat/bots/{A}/votes", content=content, headers=signed)

    counted = [send(event(event_id)).json()["counted"] for event_id in ("1", "2", "1", "3", "2", "3")]
    assert counted == [True, True, False, True, False, False]
    check_refusal(send(event("4"), "forged secret"), 401)
    check_refusal(send(event("5", bot=B)), 400)
    assert [(each["voteCount"], each["user"]["username"]) for each in voters(feeder)] == [(3, "Ann")]


@pytest.mark.long
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"userId": 1},
        {"userId": "x"},
        {"userId": USER, "extra": 1},
        {"userId": USER, "timestamp": "x"},
        {"user": USER},
        {"user": "x", "type": "upvote"},
        {"user": USER, "type": ["test"]},
        {"userId": USER, "type": {}},
        {"type": "vote.create", "data": {}},
        {"userId": USER, "id": ""},
        {"userId": f"{USER}\n"},
    ],
    ids=json.dumps,
)
def test_a_wrong_vote_is_refused(feeder: httpx.Client, body: dict[str, Any]) -> None:
    check_refusal(feeder.post(f"/chat/bots/{A}/votes", json=body), 400)
    assert voters(feeder) == []


def told(feeder: httpx.Client, bot: str = A) -> tuple[int, int, str]:
    """Monthly votes, all votes, and what makes them."""
    record = feeder.get(f"/chat/bots/{bot}").json()
    return record["monthly_votes"], record["total_votes"], record["counter_source"]


@pytest.mark.long
def test_votes_make_counters_until_some_were_posted(feeder: httpx.Client) -> None:
    now = int(time.time() * 1000)
    assert told(feeder) == (0, 0, "votes")
    assert vote(feeder, userId=USER)["counted"]
    assert vote(feeder, userId=OTHER_USER, timestamp=now - 100 * DAY)["counted"]
    assert told(feeder) == (1, 2, "votes")
    # However long ago; what was never posted is still counted.
    feeder.post(f"/chat/bots/{A}/stats", json={"total_votes": 70, "timestamp": now - 48 * HOUR - MINUTE})
    assert told(feeder) == (1, 70, "posted")
    feeder.post(f"/chat/bots/{A}/stats", json={"monthly_votes": 9, "timestamp": now - 60 * DAY})
    assert told(feeder) == (9, 70, "posted")
    assert vote(feeder, userId="10000000000000001")["counted"]
    assert told(feeder) == (9, 70, "posted")


@pytest.mark.long
def test_what_makes_the_counters_can_be_said(feeder: httpx.Client) -> None:
    feeder.post("/chat/import", json={"rows": [{"id": A, "monthly_votes": 9, "total_votes": 70}]})
    assert vote(feeder, userId=USER)["counted"]
    changed = feeder.put(f"/chat/bots/{A}", json={"counter_source": "votes"}).json()
    assert (changed["monthly_votes"], changed["total_votes"], changed["counter_source"]) == (1, 1, "votes")
    feeder.post(f"/chat/bots/{A}/stats", json={"monthly_votes": 10, "total_votes": 80})
    assert told(feeder) == (1, 1, "votes")
    assert [entry["monthly_votes"] for entry in feeder.get("/chat/rankings/bots").json()["data"]] == [1, 0]
    points = feeder.get(f"/chat/bots/{A}/historical?type=total_votes&timeFrame=6h").json()["data"]
    assert points[0]["total_votes"] == 1
    assert feeder.get(f"/chat/bots/{A}/recent").json()["hourlyData"][0]["monthly_votes"] == 1
    feeder.put(f"/chat/bots/{A}", json={"name": "A", "counter_source": "posted"})
    assert told(feeder) == (10, 80, "posted")
    for wrong in ("counted", "", None, 1):
        body = check_refusal(feeder.put(f"/chat/bots/{A}", json={"counter_source": wrong}), 400)
        assert body["details"][0]["path"] == ["counter_source"]
    assert told(feeder) == (10, 80, "posted")


def test_a_member_reads_what_makes_the_counters(workspace: Workspace, feeder: httpx.Client) -> None:
    assert vote(feeder, userId=USER)["counted"]
    assert workspace.get(f"/v1/statistics/bots/{A}").json()["counter_source"] == "votes"


def test_a_member_chooses_what_makes_the_counters(workspace: Workspace, feeder: httpx.Client) -> None:
    assert vote(feeder, userId=USER)["counted"]
    assert feeder.post(f"/chat/bots/{A}/stats", json={"monthly_votes": 10, "total_votes": 80}).status_code == 200
    path = f"/v1/statistics/bots/{A}/counter-source"
    with workspace.client() as member:
        for source, votes in (("votes", 1), ("posted", 10)):
            answer = member.put(path, json={"counter_source": source})
            assert answer.status_code == 200, answer.text
            assert (answer.json()["counter_source"], answer.json()["monthly_votes"]) == (source, votes)
            assert told(feeder)[2] == source
        for wrong in ({"counter_source": "counted"}, {}, {"counter_source": "votes", "name": "B"}):
            check_refusal(member.put(path, json=wrong), 400)
        check_refusal(member.put("/v1/statistics/bots/1/counter-source", json={"counter_source": "votes"}), 400)
    entries = workspace.get("/v1/audit").json()["entries"]
    deeds = [(each["subject"], each["details"]) for each in entries if each["action"] == "counter_source.choose"]
    assert deeds == [(A, {"source": "posted"}), (A, {"source": "votes"})]


async def deliver(workspace: Workspace, times: int, senders: int = 50) -> list[dict[str, Any]]:
    """The same vote, over and over by many senders at once, in two shapes."""
    tokens = [(await asyncio.to_thread(workspace.make_stats_token, "write"))[0] for _ in range(senders)]
    bodies = [{"userId": USER}, {"user": USER, "bot": A, "type": "upvote"}]

    async def send(first: int) -> list[dict[str, Any]]:
        headers = {"authorization": tokens[first]}  # each may ask 120 times a minute
        async with httpx.AsyncClient(base_url=workspace.url, headers=headers, timeout=60) as client:
            path = f"/chat/bots/{A}/votes"
            return [(await client.post(path, json=bodies[at % 2])).json() for at in range(first, times, senders)]

    return [answer for answers in await asyncio.gather(*map(send, range(senders))) for answer in answers]


async def check_deliveries(workspace: Workspace, times: int) -> None:
    answers = await deliver(workspace, times)
    assert [answer.get("counted") for answer in answers].count(True) == 1
    assert [answer.get("reason") for answer in answers].count("repeated") == times - 1
    token, _ = await asyncio.to_thread(workspace.make_stats_token, "write")
    with workspace.client(token) as client:
        assert [(each["userId"], each["voteCount"]) for each in voters(client)] == [(USER, 1)]
        assert client.get(f"/chat/bots/{A}").json()["total_votes"] == 1
        points = client.get(f"/chat/bots/{A}/historical?type=total_votes&timeFrame=6h").json()["data"]
        assert [point["total_votes"] for point in points] == [1]


@pytest.mark.long
@pytest.mark.usefixtures("feeder")
async def test_many_deliveries_of_one_vote_count_once(workspace: Workspace) -> None:
    await check_deliveries(workspace, 200)
