"""Every route with its one guard, a request to it, and what it answers to whom (rules/people#guards)."""

from dataclasses import dataclass, field
from typing import Any

from harness.builders.alert_messages import MAILBOX
from harness.clients.dashboards import FILTERS, NOTE, SOURCE

MEMBERS = ("viewer", "developer", "admin", "owner")
KEYS = ("production key", "development key")
INGEST_KEY = "ingest key"
TOKENS = ("read token", "write token", "bot token")
BOT = "264811613708746752"
"""What the bot token is about."""
ELSEWHERE = "owner elsewhere"
"""The owner of another workspace: what the path names is not there for them."""
NOBODY = ("anonymous", "revoked key", "revoked token", "removed member")
WHO = (*NOBODY, *KEYS, INGEST_KEY, *TOKENS, *MEMBERS, ELSEWHERE)

LET_IN: dict[str, tuple[str, ...]] = {
    "public": WHO,
    "require_scraper": WHO,  # the numbers of the shared server are open to everybody
    "require_session": (*MEMBERS, ELSEWHERE),
    "require_member": (*MEMBERS, ELSEWHERE),
    "require_developer": (*MEMBERS[1:], ELSEWHERE),
    "require_admin": (*MEMBERS[2:], ELSEWHERE),
    "require_key": (*KEYS, INGEST_KEY),
    "require_member_or_key": (*KEYS, *MEMBERS, ELSEWHERE),
    "require_paid_member": (*MEMBERS, ELSEWHERE),
    "require_paid_developer": (*MEMBERS[1:], ELSEWHERE),
    "require_stats_reader": TOKENS,
    "require_stats_feeder": TOKENS[1:],
    "require_vote_sender": TOKENS[1:],
}
BY_TOKEN = {guard for guard, who in LET_IN.items() if set(who) <= set(TOKENS)}
BY_PROGRAM = {"require_key", "require_scraper", *BY_TOKEN}
"""Guards to whom a session is nothing."""


@dataclass(frozen=True)
class RouteCase:
    """A route and a request to it.

    Attributes:
        status: what those whom the guard lets in are answered.
        but: what some of them are answered instead.
        ask: path of the request when it is not the route's; ``{key_id}`` and its like are made in the workspace.
        body: JSON; ``{new}`` in it is a name that nobody has.
        otlp: whether it refuses as OpenTelemetry has it.
    """

    method: str
    path: str
    guard: str
    status: int = 200
    but: dict[str, int] = field(default_factory=dict)
    ask: str = ""
    body: dict[str, Any] | None = None
    otlp: bool = False

    def expected(self, who: str) -> int:
        """The status for one of `WHO`."""
        if who in LET_IN[self.guard]:
            return self.but.get(who, self.status)
        known = TOKENS if self.guard in BY_TOKEN else () if self.guard in BY_PROGRAM else MEMBERS
        may_send_only = who == INGEST_KEY and self.guard == "require_member_or_key"
        return 403 if who in known or may_send_only else 401

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


NOT_THERE = {ELSEWHERE: 404}
NOT_IN_DEVELOPMENT = {ELSEWHERE: 404, "development key": 404}
KEY = {"name": "k", "environment": "production"}
RANGE = "environment=production&timeRange=7d"
PREVIEW = {"environment": "production", "timeRange": "7d"} | NOTE
CELL = PREVIEW | {"type": "heatmap", "config": {"event": "x"}, "at": {"cell": [0, 0]}}
COUNTED = PREVIEW | {"type": "metric", "config": {"event": "x", "measure": "count"}}
MARK = {"environment": "production", "label": "v1", "time": "2026-11-20T12:00:00Z"}
WATCHED = {"environment": "production", "event": "x", "condition": "nodata"}
ALERT = WATCHED | {"name": "Silence"}
SAVED = {"name": "s", "environment": "production", "filters": FILTERS}
MAILED = {"dashboardId": "none", "cadence": "daily", "recipients": ["new@example.com"]}

NO_BOT = "00000000000000000"
HISTORY = "type=server_count&timeFrame=7d"
READ_OF_A_LISTING = [
    ("/bots/:id", f"/bots/{NO_BOT}", 404),
    ("/bots/:id/historical", f"/bots/{NO_BOT}/historical?{HISTORY}", 404),
    ("/bots/:id/recent", f"/bots/{NO_BOT}/recent", 404),
    ("/bots/:id/leaderboard", f"/bots/{NO_BOT}/leaderboard", 404),
    ("/bots/:id/leaderboard/:userId", f"/bots/{NO_BOT}/leaderboard/{NO_BOT}", 404),
    ("/compare/:ids", f"/compare/{NO_BOT}/{BOT}", 404),
    ("/compare/historical/:ids", f"/compare/historical/{NO_BOT}/{BOT}?{HISTORY}", 404),
    ("/rankings/bots", "/rankings/bots", 200),
    ("/users/:id/bots", f"/users/{NO_BOT}/bots", 404),
    ("/tags", "/tags?query=x", 200),
]
"""Path, request and status of what is told of a listing, below a platform and for members alike."""


def _statistics(platform: str) -> list[RouteCase]:
    """The routes below a platform."""
    bot = f"{platform}/bots/{BOT}"
    feeder, reader = "require_stats_feeder", "require_stats_reader"
    rows = {"rows": [{"id": BOT, "name": "b"}]}
    return [
        *(
            RouteCase("GET", platform + path, reader, status, ask=platform + ask)
            for path, ask, status in READ_OF_A_LISTING
        ),
        RouteCase("PUT", f"{platform}/bots/:id", feeder, ask=bot, body={"name": "b"}),
        RouteCase("POST", f"{platform}/bots/:id/stats", feeder, ask=f"{bot}/stats", body={"server_count": 1}),
        RouteCase(
            "POST", f"{platform}/bots/:id/votes", "require_vote_sender", ask=f"{bot}/votes", body={"type": "test"}
        ),
        RouteCase("POST", f"{platform}/import", feeder, 200, {"bot token": 403}, body=rows),
    ]


PICTURES = ("/custom/graph", "/custom/graph.svg", "/custom/graph.png")
RENDERED = ("/custom/render", "/custom/render.svg", "/custom/render.png")

TABLE = [
    RouteCase("GET", "/", "public"),
    RouteCase("GET", "/healthz", "public"),
    RouteCase("GET", "/readyz", "public"),
    RouteCase("GET", "/metrics", "require_scraper"),
    RouteCase("GET", "/docs", "public"),
    RouteCase("GET", "/docs/:asset", "public", ask="/docs/swagger-ui.css"),
    RouteCase("GET", "/openapi.json", "public"),
    RouteCase("GET", "/v1/auth/signup", "public"),
    RouteCase("POST", "/v1/auth/signup", "public", 400, body={}),
    RouteCase("POST", "/v1/auth/login", "public", 400, body={}),
    RouteCase("POST", "/v1/auth/logout", "public", 204),  # a session that has ended is signed out, too
    RouteCase("POST", "/v1/auth/reset", "public", 400, body={}),
    RouteCase("POST", "/v1/auth/reset/confirm", "public", 400, body={}),
    RouteCase("GET", "/v1/auth/me", "require_session"),
    RouteCase("DELETE", "/v1/auth/sessions", "require_session", 204),
    RouteCase("POST", "/v1/auth/links", "require_session", 201),
    RouteCase("GET", "/sign-in/:token", "public", 404, ask="/sign-in/nothing"),
    RouteCase("POST", "/v1/auth/password", "require_session", 400, body={}),
    RouteCase("POST", "/v1/auth/workspace", "require_session", 404, body={"workspaceId": "nowhere"}),
    RouteCase("GET", "/v1/workspaces", "require_session"),
    RouteCase("POST", "/v1/workspaces", "require_session", 201, body={"name": "another"}),
    RouteCase("GET", "/v1/workspace", "require_member"),
    RouteCase("PATCH", "/v1/workspace", "require_admin", body={"timezone": "UTC"}),
    RouteCase("GET", "/v1/members", "require_member"),
    RouteCase("PATCH", "/v1/members/:id", "require_admin", 404, ask="/v1/members/nobody", body={"role": "viewer"}),
    # Everybody may leave; to remove somebody else takes an admin.
    RouteCase(
        "DELETE", "/v1/members/:id", "require_member", 404, {"viewer": 403, "developer": 403}, "/v1/members/nobody"
    ),
    RouteCase("GET", "/v1/invites", "require_admin"),
    RouteCase("POST", "/v1/invites", "require_admin", 201, body={"email": "new@example.com", "role": "viewer"}),
    RouteCase("DELETE", "/v1/invites/:id", "require_admin", 404, ask="/v1/invites/none"),
    RouteCase("POST", "/v1/invites/accept", "public", 400, body={}),
    RouteCase("GET", "/v1/environments", "require_member"),
    RouteCase("POST", "/v1/environments", "require_admin", 201, body={"name": "{new}"}),
    RouteCase(
        "PATCH",
        "/v1/environments/:name",
        "require_admin",
        ask="/v1/environments/development",
        body={"retentionDays": 30},
    ),
    RouteCase("DELETE", "/v1/environments/:name", "require_admin", 400, ask="/v1/environments/production"),
    RouteCase("GET", "/v1/audit", "require_admin"),
    RouteCase("GET", "/v1/key", "require_key"),
    RouteCase("GET", "/v1/keys", "require_member"),
    RouteCase("POST", "/v1/keys", "require_developer", 201, body=KEY),
    RouteCase("PATCH", "/v1/keys/:id", "require_developer", 200, NOT_THERE, "/v1/keys/{key_id}", {"name": "n"}),
    RouteCase("DELETE", "/v1/keys/:id", "require_developer", 204, NOT_THERE, "/v1/keys/{key_id}"),
    RouteCase("GET", "/v1/stats-tokens", "require_member"),
    RouteCase("POST", "/v1/stats-tokens", "require_developer", 201, body={"name": "t", "scope": "read"}),
    RouteCase(
        "DELETE", "/v1/stats-tokens/:id", "require_developer", 204, NOT_THERE, "/v1/stats-tokens/{stats_token_id}"
    ),
    RouteCase("GET", "/v1/tokens", "require_member"),
    RouteCase("POST", "/v1/tokens", "require_member", 201, body={"name": "t", "scopes": ["read"]}),
    # Only admins see the tokens of others.
    RouteCase(
        "DELETE",
        "/v1/tokens/:id",
        "require_member",
        204,
        {"viewer": 404, "developer": 404} | NOT_THERE,
        "/v1/tokens/{token_id}",
    ),
    RouteCase("GET", "/v1/listing", "require_member"),
    RouteCase("PATCH", "/v1/listing", "require_developer", body={"isPublic": True}),
    RouteCase("POST", "/v1/listing/slug", "require_developer"),
    RouteCase(
        "PUT",
        "/v1/statistics/bots/:id/counter-source",
        "require_developer",
        404,
        ask="/v1/statistics/bots/00000000000000000/counter-source",
        body={"counter_source": "votes"},
    ),
    RouteCase(
        "GET",
        "/v1/statistics/bots/:id/webhook-secret",
        "require_member",
        404,
        ask="/v1/statistics/bots/00000000000000000/webhook-secret",
    ),
    RouteCase(
        "PUT",
        "/v1/statistics/bots/:id/webhook-secret",
        "require_developer",
        404,
        ask="/v1/statistics/bots/00000000000000000/webhook-secret",
        body={"secret": "long enough"},
    ),
    RouteCase(
        "DELETE",
        "/v1/statistics/bots/:id/webhook-secret",
        "require_developer",
        404,
        ask="/v1/statistics/bots/00000000000000000/webhook-secret",
    ),
    RouteCase("POST", "/v1/events", "require_key", 202, body={"name": "x"}),
    RouteCase("POST", "/v1/traces", "require_key", body={}, otlp=True),
    RouteCase("POST", "/v1/logs", "require_key", body={}, otlp=True),
    RouteCase("POST", "/v1/metrics", "require_key", body={}, otlp=True),
    RouteCase("GET", "/v1/events", "require_member"),
    # An answer without an end is not waited for here.
    RouteCase("GET", "/v1/events/stream", "require_member", 400, ask="/v1/events/stream?environment=nowhere"),
    RouteCase("POST", "/v1/events/:id/hide", "require_developer", 404, ask="/v1/events/none/hide"),
    RouteCase("DELETE", "/v1/events/:id/hide", "require_developer", 404, ask="/v1/events/none/hide"),
    RouteCase("GET", "/v1/schema", "require_member"),
    RouteCase("GET", "/v1/events/refusals", "require_member"),
    RouteCase("GET", "/v1/actors", "require_member_or_key"),
    RouteCase("GET", "/v1/actors/:key", "require_member_or_key", 200, NOT_IN_DEVELOPMENT, "/v1/actors/alice"),
    RouteCase("GET", "/v1/actor", "require_member_or_key", 200, NOT_IN_DEVELOPMENT, "/v1/actor?actorKey=alice"),
    RouteCase("DELETE", "/v1/actors/:key", "require_developer", ask="/v1/actors/bob"),
    RouteCase("DELETE", "/v1/actor", "require_developer", ask="/v1/actor?actorKey=bob"),
    RouteCase("GET", "/v1/export", "require_member"),
    RouteCase("GET", "/v1/usage", "require_member"),
    RouteCase("GET", "/v1/groups/keys", "require_paid_member", ask=f"/v1/groups/keys?{RANGE}"),
    RouteCase("POST", "/v1/groups/keys", "require_paid_developer", 400, body={"propKey": "never sent"}),
    RouteCase(
        "PATCH", "/v1/groups/keys/:id", "require_paid_developer", 404, ask="/v1/groups/keys/none", body={"label": "x"}
    ),
    RouteCase("DELETE", "/v1/groups/keys/:id", "require_paid_developer", 404, ask="/v1/groups/keys/none"),
    RouteCase("GET", "/v1/groups", "require_paid_member", ask=f"/v1/groups?{RANGE}"),
    RouteCase("GET", "/v1/groups/:key", "require_paid_member", 404, ask=f"/v1/groups/acme?{RANGE}"),
    RouteCase("GET", "/v1/group", "require_paid_member", 404, ask=f"/v1/group?groupKey=acme&{RANGE}"),
    RouteCase("GET", "/v1/dashboards", "require_member"),
    RouteCase("POST", "/v1/dashboards", "require_developer", 201, body={"name": "d"}),
    RouteCase("GET", "/v1/dashboards/:id", "require_member", 200, NOT_THERE, "/v1/dashboards/{dashboard_id}"),
    RouteCase(
        "PATCH",
        "/v1/dashboards/:id",
        "require_developer",
        200,
        NOT_THERE,
        "/v1/dashboards/{dashboard_id}",
        {"icon": "🚀"},
    ),
    RouteCase("DELETE", "/v1/dashboards/:id", "require_developer", 204, NOT_THERE, "/v1/dashboards/{dashboard_id}"),
    RouteCase(
        "POST", "/v1/dashboards/:id/slug", "require_developer", 200, NOT_THERE, "/v1/dashboards/{public_id}/slug"
    ),
    RouteCase(
        "POST",
        "/v1/dashboards/:id/widgets",
        "require_developer",
        201,
        NOT_THERE,
        "/v1/dashboards/{dashboard_id}/widgets",
        NOTE,
    ),
    RouteCase(
        "POST",
        "/v1/dashboards/:id/widgets/reorder",
        "require_developer",
        200,
        NOT_THERE,
        "/v1/dashboards/{dashboard_id}/widgets/reorder",
        {"widgetIds": []},
    ),
    RouteCase(
        "PATCH", "/v1/widgets/:id", "require_developer", 200, NOT_THERE, "/v1/widgets/{widget_id}", {"title": "t"}
    ),
    RouteCase("DELETE", "/v1/widgets/:id", "require_developer", 204, NOT_THERE, "/v1/widgets/{widget_id}"),
    RouteCase("POST", "/v1/widgets/:id/data", "require_member", 200, NOT_THERE, "/v1/widgets/{widget_id}/data"),
    RouteCase("POST", "/v1/query", "require_member", body=PREVIEW),
    # Nobody is behind a note, which is refused only to those who have it.
    RouteCase("POST", "/v1/widgets/:id/actors", "require_member", 400, NOT_THERE, "/v1/widgets/{widget_id}/actors"),
    RouteCase("POST", "/v1/query/actors", "require_member", body=COUNTED),
    RouteCase(
        "POST",
        "/v1/widgets/:id/differences",
        "require_member",
        400,
        NOT_THERE,
        "/v1/widgets/{widget_id}/differences",
        {},
    ),
    RouteCase("POST", "/v1/query/differences", "require_member", body=CELL),
    RouteCase("GET", "/v1/public/dashboards/:slug", "public", ask="/v1/public/dashboards/{slug}"),
    RouteCase(
        "POST",
        "/v1/public/dashboards/:slug/widgets/:widgetId/data",
        "public",
        404,
        ask="/v1/public/dashboards/none/widgets/none/data",
    ),
    RouteCase("GET", "/v1/annotations", "require_member", ask="/v1/annotations?environment=production"),
    RouteCase("POST", "/v1/annotations", "require_developer", 201, body=MARK),
    RouteCase(
        "PATCH",
        "/v1/annotations/:id",
        "require_developer",
        200,
        NOT_THERE,
        "/v1/annotations/{annotation_id}",
        {"label": "v2"},
    ),
    RouteCase("DELETE", "/v1/annotations/:id", "require_developer", 204, NOT_THERE, "/v1/annotations/{annotation_id}"),
    RouteCase("GET", "/v1/segments", "require_member_or_key"),
    RouteCase("POST", "/v1/segments", "require_developer", 201, body=SAVED),
    RouteCase(
        "PATCH", "/v1/segments/:id", "require_developer", 200, NOT_THERE, "/v1/segments/{segment_id}", {"name": "n"}
    ),
    RouteCase("DELETE", "/v1/segments/:id", "require_developer", 204, NOT_THERE, "/v1/segments/{segment_id}"),
    RouteCase("GET", "/v1/external-sources", "require_member"),
    RouteCase("POST", "/v1/external-sources", "require_developer", 201, body=SOURCE),
    RouteCase(
        "PATCH",
        "/v1/external-sources/:id",
        "require_developer",
        200,
        NOT_THERE,
        "/v1/external-sources/{external_source_id}",
        {"name": "n"},
    ),
    RouteCase(
        "DELETE",
        "/v1/external-sources/:id",
        "require_developer",
        204,
        NOT_THERE,
        "/v1/external-sources/{external_source_id}",
    ),
    RouteCase("GET", "/v1/digests", "require_member_or_key"),
    RouteCase("POST", "/v1/digests", "require_developer", 404, body=MAILED),
    RouteCase(
        "PATCH", "/v1/digests/:id", "require_developer", 200, NOT_THERE, "/v1/digests/{digest_id}", {"name": "n"}
    ),
    RouteCase("DELETE", "/v1/digests/:id", "require_developer", 204, NOT_THERE, "/v1/digests/{digest_id}"),
    RouteCase("POST", "/v1/digests/:id/send", "require_developer", 202, NOT_THERE, "/v1/digests/{digest_id}/send"),
    RouteCase("GET", "/v1/digests/:id/sendings", "require_member", 200, NOT_THERE, "/v1/digests/{digest_id}/sendings"),
    RouteCase("GET", "/v1/digests/:id/preview", "require_member", 200, NOT_THERE, "/v1/digests/{digest_id}/preview"),
    RouteCase(
        "GET",
        "/v1/digests/:id/preview.html",
        "require_member",
        200,
        NOT_THERE,
        "/v1/digests/{digest_id}/preview.html",
    ),
    RouteCase("GET", "/unsubscribe/:token", "public", ask="/unsubscribe/none"),
    RouteCase("POST", "/unsubscribe/:token", "public", ask="/unsubscribe/none"),
    RouteCase("GET", "/v1/alerts", "require_member"),
    RouteCase("POST", "/v1/alerts", "require_developer", 201, body=ALERT),
    RouteCase("GET", "/v1/alerts/activity", "require_member"),
    RouteCase("GET", "/v1/alerts/history", "require_member"),
    RouteCase("POST", "/v1/alerts/preview", "require_member", body=WATCHED),
    RouteCase("GET", "/v1/alerts/:id", "require_member", 200, NOT_THERE, "/v1/alerts/{alert_id}"),
    RouteCase("PATCH", "/v1/alerts/:id", "require_developer", 200, NOT_THERE, "/v1/alerts/{alert_id}", {"name": "n"}),
    RouteCase("DELETE", "/v1/alerts/:id", "require_developer", 204, NOT_THERE, "/v1/alerts/{alert_id}"),
    RouteCase("POST", "/v1/alerts/:id/resolve", "require_developer", 409, NOT_THERE, "/v1/alerts/{alert_id}/resolve"),
    RouteCase("GET", "/v1/alert-channels", "require_member"),
    RouteCase("POST", "/v1/alert-channels", "require_developer", 201, body=MAILBOX),
    *(
        RouteCase(method, f"/v1/alert-channels/:id{path}", "require_developer", status, NOT_THERE, ask, body)
        for method, path, status, ask, body in [
            ("PATCH", "", 200, "/v1/alert-channels/{channel_id}", {"name": "n"}),
            ("DELETE", "", 204, "/v1/alert-channels/{channel_id}", None),
            ("POST", "/test", 200, "/v1/alert-channels/{channel_id}/test", None),
            ("POST", "/secret", 200, "/v1/alert-channels/{webhook_id}/secret", None),
            ("GET", "/deliveries", 200, "/v1/alert-channels/{channel_id}/deliveries", None),
            ("POST", "/deliveries/:id/retry", 404, "/v1/alert-channels/{channel_id}/deliveries/none/retry", None),
        ]
    ),
    *_statistics("/chat"),
    *_statistics("/discord"),
    RouteCase("GET", "/search", "require_stats_reader", ask="/search?query=x"),
    *(
        RouteCase("GET", f"/v1/statistics{path}", "require_member", status, ask=f"/v1/statistics{ask}")
        for path, ask, status in READ_OF_A_LISTING
    ),
    RouteCase("GET", "/v1/statistics/search", "require_member", ask="/v1/statistics/search?query=x"),
    *(RouteCase("GET", path, "public", ask=f"{path}?data_points=[]") for path in PICTURES),
    *(RouteCase("POST", path, "public", body={"data_points": []}) for path in RENDERED),
    RouteCase("GET", "/custom/widgets/:slug/:widgetId", "public", 404, ask="/custom/widgets/none/none"),
    RouteCase("GET", "/custom/dashboards/:slug", "public", 404, ask="/custom/dashboards/none"),
    RouteCase("GET", "/p/:slug", "public", 404, ask="/p/none"),
    RouteCase("GET", "/public/:slug", "public", 308, ask="/public/none"),
    RouteCase("GET", "/custom/bots/:slug/:id/:metric", "public", 404, ask=f"/custom/bots/none/{BOT}/server_count"),
    *(
        RouteCase(
            "GET", f"/custom/bots/:slug/race{end}", "public", 404, ask=f"/custom/bots/none/race{end}?ids={NO_BOT},{BOT}"
        )
        for end in ("", ".svg", ".png")
    ),
    # Only the token of one bot tells whose counters these are.
    RouteCase("POST", "/api/bots/stats", "require_stats_feeder", 200, {"write token": 400}, body={"server_count": 1}),
    RouteCase(
        "POST",
        "/api/bots/:id/stats",
        "require_stats_feeder",
        ask=f"/api/bots/{BOT}/stats",
        body={"server_count": 1},
    ),
]
