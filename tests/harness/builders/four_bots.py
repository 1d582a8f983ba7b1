"""Four bots of a listing and their paths, for tests of the Statistics API (rules/statistics#listing)."""

from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server

A, B, HIDDEN, GONE, UNKNOWN = (
    "583807014896140293",
    "646937666251915264",
    "432610292342587392",
    "264811613708746752",
    "00000000000000000",
)
USER = "205680187394752512"
HISTORY = "type=server_count&timeFrame=7d"

PATHS = [
    f"/bots/{A}",
    f"/bots/{A}/historical?{HISTORY}",
    f"/bots/{A}/recent",
    f"/bots/{A}/leaderboard",
    f"/bots/{A}/leaderboard/{USER}",
    f"/compare/{A}/{B}",
    f"/compare/historical/{A}/{B}?{HISTORY}",
    "/rankings/bots",
    f"/users/{USER}/bots",
    "/tags?query=fun",
]
"""All that is below a platform and `/v1/statistics` alike."""


def four_bots(server: Server) -> Workspace:
    """Two bots, one that was taken off the list for spam, and one that was deleted."""
    workspace = sign_up(server.url)
    token, _ = workspace.make_stats_token("write")
    profile = {"owners": [USER], "tags": ["Fun"]}
    with workspace.client(token) as client:
        for number, bot in enumerate((A, B, HIDDEN, GONE), 1):
            assert client.put(f"/chat/bots/{bot}", json=profile | {"name": f"Bot {number}"}).is_success
            assert client.post(f"/chat/bots/{bot}/stats", json={"server_count": number * 10}).is_success
        assert client.put(f"/chat/bots/{HIDDEN}", json={"unlisted": True, "unlisted_reason": "spam"}).is_success
        assert client.put(f"/chat/bots/{GONE}", json={"deleted": True}).is_success
        assert client.post(f"/chat/bots/{A}/votes", json={"userId": USER}).is_success
    return workspace
