"""A listing that is published: pictures of its bots for anybody who has the slug (rules/pictures#public-listing)."""

import io
import re
import time
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest
from PIL import Image

from harness.builders.four_bots import GONE, HIDDEN, UNKNOWN, A, B, four_bots
from harness.clients.pictures import texts_of
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.listing_history import HOUR
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

SVG = "{http://www.w3.org/2000/svg}"
C = "432610292342587392"
WHOLE = r'<path class="s0" fill="none" stroke-width="2.25" stroke-linejoin="round" stroke-linecap="round" d="(?P<path>[^"]+)"'
DOTTED = r'stroke-dasharray="1 5" opacity="0.45" d="(?P<path>[^"]+)"'
METRICS = {
    "monthly_votes": "Monthly votes",
    "total_votes": "Total votes",
    "server_count": "Servers",
    "review_count": "Reviews",
}


def publish(workspace: Workspace, *, is_public: bool = True) -> Any:
    with workspace.client() as client:
        answer = client.patch("/v1/listing", json={"isPublic": is_public})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def bots(server: Server) -> Workspace:
    """Four bots, one of which has a past."""
    workspace = four_bots(server)
    now_ms = int(time.time() * 1000)
    rows = [
        {"id": A, "timestamp": now_ms - hours * HOUR, "server_count": 4000 - 10 * hours} for hours in range(1, 300, 7)
    ]
    with workspace.client(workspace.make_stats_token("write")[0]) as client:
        assert client.post("/chat/import", json={"rows": rows}).is_success
        assert client.post(f"/chat/bots/{A}/stats", json={"server_count": 4321}).is_success
    return workspace


@pytest.fixture(scope="module")
def slug(bots: Workspace) -> str:
    return str(publish(bots)["slug"])


def test_a_listing_is_private_until_it_is_published(workspace: Workspace) -> None:
    with workspace.client() as client:
        assert client.get("/v1/listing").json() == {"isPublic": False, "slug": None}
        assert client.patch("/v1/listing", json={"isPublic": False}).json() == {"isPublic": False, "slug": None}
        check_refusal(client.post("/v1/listing/slug"), 409)


def test_the_slug_comes_with_the_first_publication_and_stays(workspace: Workspace) -> None:
    made = publish(workspace)
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", made["slug"])  # 128 bits
    for is_public in (False, True, True):
        assert publish(workspace, is_public=is_public) == {"isPublic": is_public, "slug": made["slug"]}
    assert workspace.get("/v1/listing").json() == made


@pytest.mark.parametrize("body", [{}, {"isPublic": None}, {"isPublic": 1}, {"slug": "mine"}, []], ids=str)
def test_a_wrong_change_changes_nothing(workspace: Workspace, body: Any) -> None:
    with workspace.client() as client:
        check_refusal(client.patch("/v1/listing", json=body), 400)
        assert client.get("/v1/listing").json() == {"isPublic": False, "slug": None}


def test_feeding_goes_on_after_publishing_an_empty_listing(workspace: Workspace, anybody: httpx.Client) -> None:
    slug = publish(workspace)["slug"]
    with workspace.client(workspace.make_stats_token("write")[0]) as client:
        assert client.put(f"/chat/bots/{A}", json={"name": "A"}).is_success
        assert client.post(f"/chat/bots/{A}/stats", json={"server_count": 7}).is_success
        assert client.get(f"/chat/bots/{A}").json()["server_count"] == 7
    assert "7" in texts_of(anybody.get(f"/custom/bots/{slug}/{A}/server_count"))
    assert workspace.get("/v1/listing").json() == {"isPublic": True, "slug": slug}


@pytest.mark.long
def test_the_picture_shows_the_bot_and_what_the_history_tells(
    bots: Workspace, slug: str, anybody: httpx.Client
) -> None:
    shown = texts_of(anybody.get(f"/custom/bots/{slug}/{A}/server_count"))
    assert shown[0] == "Bot 1"
    assert {"Servers", "4,321"} <= set(shown)
    with bots.client(bots.make_stats_token("read")[0]) as client:
        told = client.get(f"/chat/bots/{A}/historical", params={"type": "server_count", "timeFrame": "30d"}).json()
    values = [point["server_count"] for point in told["data"]]
    assert values[0] == 4321
    description = ET.fromstring(anybody.get(f"/custom/bots/{slug}/{A}/server_count").text).find(f"{SVG}desc")
    assert description is not None
    assert f"from {min(values):,} to 4,321" in str(description.text)


def fed(workspace: Workspace, hours_ago: Iterable[int]) -> str:
    """The path of the picture of a bot that was fed so many hours ago."""
    now_ms = int(time.time() * 1000)
    rows = [{"id": C, "timestamp": now_ms - hours * HOUR, "server_count": 100 + hours} for hours in hours_ago]
    with workspace.client(workspace.make_stats_token("write")[0]) as client:
        assert client.post("/chat/import", json={"rows": rows}).is_success
    return f"/custom/bots/{publish(workspace)['slug']}/{C}/server_count.svg"


@pytest.mark.long
def test_a_line_is_dotted_where_nothing_was_fed(workspace: Workspace, anybody: httpx.Client) -> None:
    shown = anybody.get(fed(workspace, [*range(30), *range(90, 120)])).text
    dotted, whole = re.search(DOTTED, shown), re.search(WHOLE, shown)
    assert dotted
    assert whole
    assert [whole["path"].count(command) for command in "ML"] == [2, 58]
    assert dotted["path"].count("M") == dotted["path"].count("L") == 1
    assert len(re.findall("<circle", shown)) == 1


def test_a_bot_that_is_fed_once_a_day_is_dotted_nowhere(workspace: Workspace, anybody: httpx.Client) -> None:
    shown = anybody.get(fed(workspace, range(2, 700, 24))).text
    assert not re.search(DOTTED, shown)
    assert len(re.findall("<circle", shown)) == 1


def test_a_line_that_ended_long_ago_has_no_end_dot(workspace: Workspace, anybody: httpx.Client) -> None:
    shown = anybody.get(fed(workspace, range(200, 300))).text
    whole = re.search(WHOLE, shown)
    assert whole
    ends = [float(x) for x in re.findall(r"[ML]([\d.]+) ", whole["path"])]
    assert 590 < min(ends) < max(ends) < 730, "hours 420 to 520 of the 720 that the picture shows"
    assert "<circle" not in shown
    assert not re.search(DOTTED, shown)


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_has_a_picture(slug: str, anybody: httpx.Client, metric: str) -> None:
    for end in ("", ".svg"):
        shown = texts_of(anybody.get(f"/custom/bots/{slug}/{A}/{metric}{end}"))
        assert METRICS[metric] in shown or "No data" in shown
    assert ("No data" in shown) == (metric == "review_count")
    answer = anybody.get(f"/custom/bots/{slug}/{A}/{metric}.png", params={"width": 320, "height": 160, "scale": 2})
    assert Image.open(io.BytesIO(answer.content)).size == (640, 320)


@pytest.mark.parametrize("frame", ["6h", "7d", "90d", "5y", "alltime"])
def test_it_goes_as_far_back_as_asked(slug: str, anybody: httpx.Client, frame: str) -> None:
    assert "4,321" in texts_of(anybody.get(f"/custom/bots/{slug}/{A}/server_count?timeFrame={frame}"))


def test_it_looks_as_asked(slug: str, anybody: httpx.Client) -> None:
    look = {"name": "Our bot", "color": "f00", "theme": "dark", "fill": "false"}
    answer = anybody.get(f"/custom/bots/{slug}/{A}/server_count", params=look)
    assert texts_of(answer)[0] == "Our bot"
    assert "#ff0000" in answer.text


@pytest.mark.long
def test_a_tag_is_of_what_is_shown_and_changes_with_it(server: Server, anybody: httpx.Client) -> None:
    workspace = sign_up(server.url)
    slug = publish(workspace)["slug"]
    with workspace.client(workspace.make_stats_token("write")[0]) as client:
        assert client.put(f"/chat/bots/{A}", json={"name": "A"}).is_success
        assert client.post(f"/chat/bots/{A}/stats", json={"server_count": 1}).is_success
        asked = [f"/custom/bots/{slug}/{A}/server_count", f"/custom/bots/{slug}/{A}/server_count?timeFrame=7d"]
        first = anybody.get(asked[0])
        again = anybody.get(asked[0], headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert client.post(f"/chat/bots/{A}/stats", json={"server_count": 2}).is_success
    assert anybody.get(asked[1]).headers["etag"] != first.headers["etag"]


@pytest.mark.parametrize("bot", [UNKNOWN, HIDDEN, "0", "x" * 200])
def test_a_bot_that_is_not_listed_has_no_picture(slug: str, anybody: httpx.Client, bot: str) -> None:
    body = check_refusal(anybody.get(f"/custom/bots/{slug}/{bot}/server_count"), 404)
    assert body["message"] == "No bot exists with the ID provided."


def test_the_others_have(slug: str, anybody: httpx.Client) -> None:
    assert "20" in texts_of(anybody.get(f"/custom/bots/{slug}/{B}/server_count"))
    assert "40" in texts_of(anybody.get(f"/custom/bots/{slug}/{GONE}/server_count"))


def test_an_unknown_slug_and_a_private_one_are_the_same_404(workspace: Workspace, anybody: httpx.Client) -> None:
    slug = publish(workspace)["slug"]
    publish(workspace, is_public=False)
    refusals = [
        check_refusal(anybody.get(f"/custom/bots/{each}/{A}/server_count"), 404)["message"]
        for each in (slug, "none", "%00", workspace.workspace_id)
    ]
    assert set(refusals) == {"This public listing does not exist."}


def test_a_replaced_slug_leads_nowhere_at_once(workspace: Workspace, anybody: httpx.Client) -> None:
    before = publish(workspace)["slug"]
    with workspace.client() as client:
        after = client.post("/v1/listing/slug").json()
    assert after["isPublic"]
    assert after["slug"] != before
    for slug, message in ((before, "This public listing does not exist."), (after["slug"], "No bot exists")):
        answer = anybody.get(f"/custom/bots/{slug}/{A}/server_count")
        assert check_refusal(answer, 404)["message"].startswith(message)


@few(
    4,
    ("rest", "field"),
    [
        ("avg_review_rating", "metric"),
        ("server_count.gif", "metric"),
        ("server_count.png.svg", "metric"),
        ("SERVER_COUNT", "metric"),
        ("server_count?timeFrame=2d", "timeFrame"),
        ("server_count?width=1", "width"),
        ("server_count?color=red", "color[0]"),
        ("server_count?theme=dark&theme=light", "theme"),
    ],
)
def test_400_names_what_is_wrong(slug: str, anybody: httpx.Client, rest: str, field: str) -> None:
    assert check_refusal(anybody.get(f"/custom/bots/{slug}/{A}/{rest}"), 400)["message"].startswith(field)


def test_headers_and_other_origins(slug: str, anybody: httpx.Client) -> None:
    answer = anybody.get(f"/custom/bots/{slug}/{A}/server_count", headers={"origin": "https://elsewhere.example"})
    assert answer.headers["cache-control"] == "public, max-age=60"
    assert answer.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert answer.headers["access-control-allow-origin"] == "*"
