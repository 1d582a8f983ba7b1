"""Statistics of bots, and pictures."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

from bench.graphs import build_worst_case
from bench.hostile.request import VARIANTS, Attack, Site, get, post
from bench.listed import FIRST_USER, bot_id
from tallyroom.bots.limits import MAX_ROWS


def on_statistics() -> Iterator[Attack]:
    """The Statistics API, fed and asked."""

    def sent(path: str, body: Any) -> Callable[[Site], list[bytes]]:
        return lambda site: [post(path, body if isinstance(body, bytes) else json.dumps(body).encode(), site.feeder)]

    def asked(path: str) -> Callable[[Site], list[bytes]]:
        return lambda site: [get(path, site.feeder)]

    fields = {
        "name": "Bot",
        "lib": "x",
        "tags": ["a", "b"],
        "owners": [bot_id(1)],
        "server_count": 1,
        "total_votes": 2,
        "review_count": 3,
        "monthly_votes": 4,
    }
    bots = [{"id": bot_id(at)} | fields for at in range(MAX_ROWS)]
    yield Attack("feed", "5,000 bots", sent("/chat/import", {"rows": bots}))
    yield Attack(
        "feed",
        "5,000 counters of one bot",
        sent(
            "/chat/import",
            {
                "rows": [
                    {"id": bot_id(1), "server_count": 1, "timestamp": 1_600_000_000_000 + at} for at in range(MAX_ROWS)
                ]
            },
        ),
    )
    votes = [
        {"bot": bot_id(at), "userId": str(FIRST_USER + at), "timestamp": "2026-11-01T00:00:00Z"}
        for at in range(MAX_ROWS)
    ]
    yield Attack("feed", "5,000 votes", sent("/chat/import", {"rows": votes}))
    wrong = [{"id": bot_id(at), "server_count": "many"} for at in range(MAX_ROWS)]
    yield Attack("feed", "5,000 wrong rows", sent("/chat/import", {"rows": wrong}))
    yield Attack("feed", "5,000 empty rows", sent("/chat/import", {"rows": [{}] * MAX_ROWS}))
    yield Attack(
        "feed",
        "5,000 rows of 1.5 kB",
        sent("/chat/import", {"rows": [{"id": bot_id(at), "tags": ["\u00e9" * 20] * 11} for at in range(MAX_ROWS)]}),
    )
    yield Attack(
        "feed", "8 MB of lists", sent("/chat/import", b'{"rows":[{"a":[%b]}]}' % b",".join([b"[]"] * 2_600_000))
    )
    yield Attack(
        "feed",
        "8 MB of keys",
        sent("/chat/import", b'{"rows":[{%b}]}' % b",".join(b'"k%d":0' % at for at in range(650_000))),
    )
    yield Attack(
        "feed",
        "5,000 rows with 100 fields",
        sent("/chat/import", {"rows": [{"id": bot_id(1)} | {f"f{at}": 0 for at in range(100)}] * MAX_ROWS}),
    )
    yield Attack("feed", "100,000 shards", sent(f"/api/bots/{bot_id(1)}/stats", {"server_count": [1] * 100_000}))
    yield Attack(
        "feed", "200,000 texts for shards", sent(f"/api/bots/{bot_id(1)}/stats", {"server_count": ["x"] * 150_000})
    )
    yield Attack("statistics", "search", asked("/search?query=bot&limit=100"))
    yield Attack("statistics", "search for nothing", asked("/search?query=zzzz"))
    yield Attack("statistics", "tags", asked("/chat/tags?query=fun"))
    pages = [f"/chat/rankings/bots?limit=500&offset={at}" for at in range(0, 20_000, 50)]
    yield Attack("statistics", "rankings, a page each", lambda site: [get(path, site.feeder) for path in pages])
    ten = "/".join(bot_id(at) for at in range(10))
    yield Attack("statistics", "comparison", asked(f"/chat/compare/{ten}"))
    yield Attack(
        "statistics",
        "comparison of all history",
        asked(f"/chat/compare/historical/{ten}?type=monthly_votes&timeFrame=alltime"),
    )
    yield Attack(
        "statistics", "a comparison of 3,000 ids", asked("/chat/compare/" + "/".join(bot_id(at) for at in range(3_000)))
    )
    yield Attack("statistics", "leaderboard", asked(f"/chat/bots/{bot_id(0)}/leaderboard?limit=500&offset=99000"))
    yield Attack(
        "statistics", "a place on a leaderboard", asked(f"/chat/bots/{bot_id(0)}/leaderboard/{FIRST_USER + 99_999}")
    )
    yield Attack("statistics", "recent", asked(f"/chat/bots/{bot_id(0)}/recent"))
    yield Attack("statistics", "bots of a user", asked(f"/chat/users/{FIRST_USER}/bots"))


def on_pictures() -> Iterator[Attack]:
    """`/custom`."""
    points = quote(json.dumps([{"id": "a", "x": at, "y": at} for at in range(1_100)], separators=(",", ":")))
    urls = [f"/custom/graph.png?name={at}&data_points={points}"[:64_000] for at in range(VARIANTS)]
    yield Attack("images", "a URL of 60 kB", lambda _: [get(url) for url in urls])
    yield Attack(
        "images",
        "the most costly picture",
        lambda _: [post("/custom/render.png", b'{"name":"%d",' % at + build_worst_case()) for at in range(VARIANTS)],
    )
    yield Attack(
        "images", "10,000 colors", lambda _: [get("/custom/graph?data_points=[]&" + "&".join(["color=f"] * 8_000))]
    )
    yield Attack(
        "images",
        "1 MB of lists",
        lambda _: [post("/custom/render.png", b'{"data_points":[%b]}' % b",".join([b"[]"] * 300_000))],
    )
    yield Attack(
        "images",
        "a wrong number at the end",
        lambda _: [
            post("/custom/render.png", b'{"data_points":[%b,1]}' % b",".join([b'{"id":"a","x":1,"y":1}'] * 9_999))
        ],
    )
