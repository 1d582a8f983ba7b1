"""Dashboards, sign-ins, and what is left."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from bench.hostile.patterns import costly_filters, funnel
from bench.hostile.request import URL_BYTES, VARIANTS, Attack, Site, get, head, post


def on_dashboards() -> Iterator[Attack]:
    """Dashboards, published or not, and what stands on them."""

    def sent(path: str, body: Any) -> Callable[[Site], list[bytes]]:
        return lambda site: [post(path.format(site.dashboard_id), json.dumps(body).encode(), site.session)]

    yield Attack(
        "public",
        "data of a widget with costly patterns",
        lambda site: [post(f"/v1/public/dashboards/{site.slug}/widgets/{site.widget_id}/data", b"")],
    )
    yield Attack("public", "a page of 50 widgets", lambda site: [get(f"/v1/public/dashboards/{site.slug}")])
    yield Attack(
        "dashboards", "a page of 50 widgets", lambda site: [get(f"/v1/dashboards/{site.dashboard_id}", site.session)]
    )
    yield Attack(
        "dashboards",
        "an order of 90,000 ids",
        sent("/v1/dashboards/{}/widgets/reorder", {"widgetIds": ["x" * 8] * 80_000}),
    )
    yield Attack(
        "dashboards",
        "a widget with costly patterns",
        lambda site: [
            post(
                f"/v1/dashboards/{site.dashboard_id}/widgets",
                json.dumps({"type": "funnel", "config": funnel(at)}).encode(),
                site.session,
            )
            for at in range(VARIANTS)
        ],
    )
    yield Attack(
        "dashboards",
        "a note of 900 kB",
        sent("/v1/dashboards/{}/widgets", {"type": "note", "config": {"text": "x" * 900_000}}),
    )
    yield Attack(
        "segments",
        "20 costly patterns",
        lambda site: [
            post(
                "/v1/segments",
                json.dumps({"name": "x", "environment": "production", "filters": costly_filters(at)}).encode(),
                site.session,
            )
            for at in range(VARIANTS)
        ],
    )
    yield Attack("annotations", "a text of 900 kB", sent("/v1/annotations", {"text": "\u00e9" * 150_000}))


def on_sign_ins() -> Iterator[Attack]:
    """`/v1/auth`."""

    def sent(path: str, body: bytes) -> Callable[[Site], list[bytes]]:
        return lambda _: [post(path, body)]

    wrong = [
        post("/v1/auth/login", b'{"email":"a%d@example.com","password":"wrong password"}' % at)
        for at in range(VARIANTS)
    ]
    yield Attack("auth", "wrong passwords", lambda _: wrong)
    yield Attack(
        "auth",
        "an address of 900 kB",
        sent("/v1/auth/login", b'{"email":"%b@","password":"wrong password"}' % (b"a" * 900_000)),
    )
    yield Attack("auth", "nested 400,000 deep", sent("/v1/auth/login", b"[" * 900_000))
    yield Attack(
        "auth",
        "40,000 unknown fields",
        sent("/v1/auth/login", b"{%b}" % b",".join(b'"k%d":[]' % at for at in range(40_000))),
    )
    yield Attack("auth", "resets", sent("/v1/auth/reset", b'{"email":"bench@example.com"}'))
    yield Attack(
        "auth",
        "cookies of 60 kB",
        lambda _: [head("GET", "/v1/auth/me", {"cookie": "; ".join(f"c{at}=1" for at in range(7_000))})],
    )


def on_the_rest() -> Iterator[Attack]:
    """Exports, the system, and lists."""

    def asked(path: str, method: str = "GET") -> Callable[[Site], list[bytes]]:
        return lambda site: [get(path, site.session, method)]

    yield Attack("export", "all events as CSV", asked("/v1/export?environment=production&format=csv"))
    yield Attack("export", "all events as Parquet", asked("/v1/export?environment=production&format=parquet"))
    yield Attack("system", "metrics", asked("/metrics"))
    yield Attack("system", "the API's description", asked("/openapi.json"))
    yield Attack("system", "readiness", asked("/readyz"))
    yield Attack("system", "a path of 60 kB", asked("/" + "a/" * (URL_BYTES // 2)))
    yield Attack("system", "a path of 60 kB of percent signs", asked("/v1/actors/" + "%41" * (URL_BYTES // 3)))
    yield Attack("actors", "a search of 60 kB", asked("/v1/actors?search=" + "a" * URL_BYTES))
    yield Attack("schema", "names", asked("/v1/schema?environment=production"))
    yield Attack("system", "7,000 headers", lambda _: [head("GET", "/healthz", {f"h{at}": "" for at in range(6_000)})])
