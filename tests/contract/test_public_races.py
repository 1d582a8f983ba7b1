"""A race by URL: the numbers of the histories, for anybody who has the slug of a published listing (rules/pictures#race)."""

import io
import re
import time
from typing import Any

import httpx
import pytest
from PIL import Image

from harness.builders.four_bots import HIDDEN, UNKNOWN, A, B, four_bots
from harness.clients.pictures import texts_of
from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

DAY_MS = 86_400_000
VOTES = {A: [100, 120, 125, 300], B: [200, 190, 180, 200]}
"""Monthly votes of two bots, a day apart, the last now."""


def publish(workspace: Workspace, *, is_public: bool = True) -> str:
    with workspace.client() as client:
        answer = client.patch("/v1/listing", json={"isPublic": is_public})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["slug"])


@pytest.fixture(scope="module")
def bots(server: Server) -> Workspace:
    workspace = four_bots(server)
    now_ms = int(time.time() * 1000)
    rows = [
        {"id": bot, "timestamp": now_ms - (len(values) - 1 - at) * DAY_MS, "monthly_votes": value}
        for bot, values in VOTES.items()
        for at, value in enumerate(values)
    ]
    with workspace.client(workspace.make_stats_token("write")[0]) as client:
        assert client.post("/chat/import", json={"rows": rows}).is_success
    return workspace


@pytest.fixture(scope="module")
def path(bots: Workspace) -> str:
    return f"/custom/bots/{publish(bots)}/race"


def histories(bots: Workspace, time_frame: str) -> dict[str, dict[str, int]]:
    """The monthly votes of each bot by moment, as the Statistics API has them."""
    answer = bots.get(f"/v1/statistics/compare/historical/{A}/{B}", type="monthly_votes", timeFrame=time_frame).json()[
        "data"
    ]
    return {bot: {point["time"]: point["monthly_votes"] for point in reversed(answer[bot])} for bot in (A, B)}


@pytest.mark.parametrize("time_frame", ["7d", "90d"])
def test_the_ends_are_what_the_histories_say(
    bots: Workspace, path: str, anybody: httpx.Client, time_frame: str
) -> None:
    lines = histories(bots, time_frame)
    start = max(min(line) for line in lines.values())
    ends = {bot: list(line.values())[-1] for bot, line in lines.items()}
    grown = {bot: (ends[bot] - lines[bot][start]) / lines[bot][start] * 100 for bot in lines}
    assert (ends, grown) == ({A: 300, B: 200}, {A: 200.0, B: 0.0})
    asked = {"ids": f"{A},{B}", "timeFrame": time_frame}
    shown = texts_of(anybody.get(path, params=asked))
    assert {"Monthly votes", "Bot 1 300", "Bot 2 200"} <= set(shown)
    shown = texts_of(anybody.get(path, params=asked | {"as": "growth"}))
    assert {"Bot 1 +200\u2009%", "300", "Bot 2 0\u2009%", "200"} <= set(shown)
    assert shown[0].startswith("Monthly votes, growth since")
    shown = texts_of(anybody.get(path, params=asked | {"as": "gap"}))
    assert {"Monthly votes, gap to Bot 1", "Bot 1 0", "Bot 2 \u2212100"} <= set(shown)
    assert any(re.fullmatch(r"Bot 1 passes Bot 2, \d+ \w{3}", text) for text in shown)


@pytest.mark.parametrize("end", ["", ".svg", ".png"])
def test_the_path_decides_the_format(path: str, anybody: httpx.Client, end: str) -> None:
    answer = anybody.get(path + end, params={"ids": f"{A},{B}", "width": 640, "height": 320})
    if end == ".png":
        assert Image.open(io.BytesIO(answer.content)).size == (640, 320)
    else:
        assert texts_of(answer)[0] == "Monthly votes"
    assert answer.headers["cache-control"] == "public, max-age=60"
    assert answer.headers["access-control-allow-origin"] == "*"


def test_it_looks_as_requested(path: str, anybody: httpx.Client) -> None:
    asked = {"ids": f"{B},{A}", "name": "Our race", "color": "f00", "theme": "dark", "metric": "server_count"}
    answer = anybody.get(path, params=asked)
    shown = texts_of(answer)
    assert shown[0] == "Our race"
    assert {"Bot 1 10", "Bot 2 20"} <= set(shown)
    assert "#ff0000" in answer.text
    assert "#17171b" in answer.text


def test_a_client_that_has_it_gets_304(path: str, anybody: httpx.Client) -> None:
    asked = {"ids": f"{A},{B}", "as": "growth"}
    first = anybody.get(path, params=asked)
    again = anybody.get(path, params=asked, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = anybody.get(path, params=asked | {"as": "gap"})
    assert other.headers["etag"] != first.headers["etag"]


def test_bots_without_this_counter_have_a_picture_that_says_so(path: str, anybody: httpx.Client) -> None:
    assert "No data" in texts_of(anybody.get(path, params={"ids": f"{A},{B}", "metric": "review_count"}))


@pytest.mark.parametrize("bot", [UNKNOWN, HIDDEN])
def test_a_race_with_a_bot_that_is_not_listed_is_not_there(path: str, anybody: httpx.Client, bot: str) -> None:
    body = check_refusal(anybody.get(path, params={"ids": f"{A},{bot}"}), 404)
    assert body["message"] == "No bot exists with the ID provided."


def test_a_private_listing_is_the_same_404_as_an_unknown_one(workspace: Workspace, anybody: httpx.Client) -> None:
    slug = publish(workspace)
    publish(workspace, is_public=False)
    refusals = {
        check_refusal(anybody.get(f"/custom/bots/{each}/race.svg", params={"ids": f"{A},{B}"}), 404)["message"]
        for each in (slug, "none", workspace.workspace_id)
    }
    assert refusals == {"This public listing does not exist."}


@few(
    5,
    ("asked", "field"),
    [
        ({}, "ids"),
        ({"ids": A}, "ids"),
        ({"ids": f"{A},{A}"}, "ids"),
        ({"ids": f"{A},5"}, "ids"),
        ({"ids": ",".join(str(10**17 + number) for number in range(11))}, "ids"),
        ({"ids": f"{A}/{B}"}, "ids"),
        ({"ids": f"{A},{B}", "metric": "shard_count"}, "metric"),
        ({"ids": f"{A},{B}", "as": "rank"}, "as"),
        ({"ids": f"{A},{B}", "timeFrame": "2d"}, "timeFrame"),
        ({"ids": f"{A},{B}", "color": "red"}, "color[0]"),
        ({"ids": f"{A},{B}", "width": 1}, "width"),
        ({"ids": f"{A},{B}", "width": 2000, "height": 2000, "scale": 2}, "scale"),
    ],
)
def test_400_names_what_is_wrong(path: str, anybody: httpx.Client, asked: dict[str, Any], field: str) -> None:
    assert check_refusal(anybody.get(path, params=asked), 400)["message"].startswith(field)


def test_the_format_is_one_of_two(path: str, anybody: httpx.Client) -> None:
    assert anybody.get(f"{path}.gif", params={"ids": f"{A},{B}"}).status_code == 404
