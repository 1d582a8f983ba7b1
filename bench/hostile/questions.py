"""Questions, lists and streams of events."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

from bench.hostile.ingest import batch
from bench.hostile.patterns import costly_filters, funnel
from bench.hostile.request import URL_BYTES, VARIANTS, Attack, Site, get, post
from tallyroom.core.event_limits import MAX_EVENTS


def on_questions() -> Iterator[Attack]:
    """`POST /v1/query`."""

    def asked(*configs: Any, kind: str = "funnel") -> Callable[[Site], list[bytes]]:
        def make(site: Site) -> list[bytes]:
            heads = {"environment": "production", "timeRange": "7d", "type": kind}
            return [
                post("/v1/query", json.dumps(heads | {"config": config}).encode(), site.session) for config in configs
            ]

        return make

    variants = range(VARIANTS)
    yield Attack("query", "160 costly patterns", asked(*[funnel(at) for at in variants]))
    yield Attack(
        "query", "160 patterns that are refused", asked(*[funnel(at, r"(?:[\pL\pN]?){999}") for at in variants])
    )
    yield Attack("query", "160 patterns of classes", asked(*[funnel(at, r"\pL" * 300) for at in variants]))
    yield Attack("query", "160 counted patterns", asked(*[funnel(at, r"x{0,990}") for at in variants]))
    yield Attack("query", "160 patterns that cancel", asked(*[funnel(at, r"(?:x{0,990}){0}" * 60) for at in variants]))
    usual = [
        {"event": "x", "filters": [{"key": "page", "op": "regex", "value": rf"^/docs/\d+{at}$"}]} for at in range(8)
    ]
    yield Attack("query", "8 usual patterns", asked({"steps": usual}))
    texts = [{"key": "a", "op": "in", "value": ["\u00e9" * 200] * 100} for _ in range(20)]
    yield Attack(
        "query", "2,000 long values", asked({"event": "x", "measure": "count", "filters": texts}, kind="metric")
    )
    wrong = [{"key": "a", "op": "gt", "value": "x"}] * 20
    yield Attack("query", "160 wrong filters", asked({"steps": [{"event": "x", "filters": wrong}] * 8}))
    yield Attack("query", "100,000 unknown fields", asked({f"f{at}": 1 for at in range(60_000)}))
    yield Attack("query", "300,000 lists", asked({"steps": [[]] * 230_000}))
    yield Attack("query", "a long unknown field", asked({"f" * 900_000: 1}))
    yield Attack("query", "a long unknown type", asked({}, kind="t" * 900_000))
    yield Attack(
        "query", "long event names", asked({"event": "\U0001f600" * 70_000, "measure": "count"}, kind="metric")
    )
    deep = b'{"config":' + b'{"a":' * 150_000
    yield Attack("query", "nested 150,000 deep", lambda site: [post("/v1/query", deep, site.session)])
    hands = b'{"environment":"production","config":{%b}}' % b",".join(b'"\\u0041%d":0' % at for at in range(60_000))
    yield Attack("query", "60,000 escaped keys", lambda site: [post("/v1/query", hands, site.session)])


def on_events() -> Iterator[Attack]:
    """`GET /v1/events` and its stream."""

    def listed(query: str, path: str = "/v1/events") -> Callable[[Site], list[bytes]]:
        return lambda site: [get(f"{path}?{query}", site.session)]

    filters = [json.dumps(costly_filters(at)) for at in range(VARIANTS)]
    yield Attack(
        "events",
        "20 costly patterns",
        lambda site: [get(f"/v1/events?filters={quote(each)}", site.session) for each in filters],
    )
    yield Attack(
        "events", "a filter of 60 kB", listed("filters=" + quote('[{"key":"a","op":"eq","value":"' + "x" * URL_BYTES))
    )
    yield Attack("events", "filters nested 20,000 deep", listed("filters=" + "[" * URL_BYTES))
    yield Attack("events", "30,000 parameters", listed("&".join(["a"] * (URL_BYTES // 2))))
    yield Attack("events", "12,000 names", listed("&".join(f"a{at}" for at in range(URL_BYTES // 7))))
    yield Attack("events", "20,000 percent signs", listed("name=" + "%41" * (URL_BYTES // 3)))
    yield Attack("events", "a wrong byte at the end", listed("name=" + "%41" * (URL_BYTES // 3) + "%ff"))
    yield Attack("events", "a cursor of 60 kB", listed("cursor=" + "A" * URL_BYTES))
    yield Attack("events", "a limit of 60 kB", listed("limit=" + "9" * URL_BYTES))
    yield Attack(
        "events", "an id of 60 kB", lambda site: [post(f"/v1/events/{'9' * URL_BYTES}/hide", b"", site.session)]
    )
    yield Attack("events", "the list of refusals", lambda site: [get("/v1/events/refusals", site.session)])
    arriving = batch([b'{"name":"x","properties":{"a":"%b"}}' % (b"b" * 3_000)] * MAX_EVENTS)
    yield Attack(
        "stream",
        "20 listeners and 500 events at once",
        lambda site: [post("/v1/events", arriving, site.key)],
        streams=20,
    )
