"""What a personal access token may do on each route that takes a session (rules/people#what-a-token-may-do)."""

from harness.oracles.rights import BY_PROGRAM, TABLE, RouteCase

SCOPES = ("read", "write", "annotate", "export")

NEVER = """
GET /v1/auth/me
POST /v1/auth/links
POST /v1/auth/password
POST /v1/auth/workspace
DELETE /v1/auth/sessions
GET /v1/workspaces
POST /v1/workspaces
GET /v1/workspace
PATCH /v1/workspace
GET /v1/members
PATCH /v1/members/:id
DELETE /v1/members/:id
GET /v1/invites
POST /v1/invites
DELETE /v1/invites/:id
POST /v1/environments
PATCH /v1/environments/:name
DELETE /v1/environments/:name
GET /v1/audit
GET /v1/keys
POST /v1/keys
PATCH /v1/keys/:id
DELETE /v1/keys/:id
GET /v1/stats-tokens
POST /v1/stats-tokens
DELETE /v1/stats-tokens/:id
GET /v1/tokens
POST /v1/tokens
DELETE /v1/tokens/:id
"""
"""The routes that take no token."""

READ = """
GET /v1/environments
GET /v1/listing
GET /v1/events
GET /v1/events/stream
GET /v1/events/refusals
GET /v1/schema
GET /v1/actors
GET /v1/actors/:key
GET /v1/actor
GET /v1/usage
GET /v1/groups/keys
GET /v1/groups
GET /v1/groups/:key
GET /v1/group
GET /v1/dashboards
GET /v1/dashboards/:id
POST /v1/widgets/:id/data
POST /v1/widgets/:id/actors
POST /v1/widgets/:id/differences
POST /v1/query
POST /v1/query/actors
POST /v1/query/differences
GET /v1/annotations
GET /v1/segments
GET /v1/external-sources
GET /v1/digests
GET /v1/digests/:id/sendings
GET /v1/digests/:id/preview
GET /v1/digests/:id/preview.html
GET /v1/alerts
GET /v1/alerts/activity
GET /v1/alerts/history
POST /v1/alerts/preview
GET /v1/alerts/:id
GET /v1/alert-channels
GET /v1/statistics/bots/:id
GET /v1/statistics/bots/:id/historical
GET /v1/statistics/bots/:id/recent
GET /v1/statistics/bots/:id/leaderboard
GET /v1/statistics/bots/:id/leaderboard/:userId
GET /v1/statistics/bots/:id/webhook-secret
GET /v1/statistics/compare/:ids
GET /v1/statistics/compare/historical/:ids
GET /v1/statistics/rankings/bots
GET /v1/statistics/users/:id/bots
GET /v1/statistics/tags
GET /v1/statistics/search
"""

READ_AND_WRITE = """
GET /v1/alert-channels/:id/deliveries
"""
"""What only developers may read."""

WRITE = """
PATCH /v1/listing
POST /v1/listing/slug
PUT /v1/statistics/bots/:id/counter-source
PUT /v1/statistics/bots/:id/webhook-secret
DELETE /v1/statistics/bots/:id/webhook-secret
POST /v1/events/:id/hide
DELETE /v1/events/:id/hide
DELETE /v1/actors/:key
DELETE /v1/actor
POST /v1/groups/keys
PATCH /v1/groups/keys/:id
DELETE /v1/groups/keys/:id
POST /v1/dashboards
PATCH /v1/dashboards/:id
DELETE /v1/dashboards/:id
POST /v1/dashboards/:id/slug
POST /v1/dashboards/:id/widgets
POST /v1/dashboards/:id/widgets/reorder
PATCH /v1/widgets/:id
DELETE /v1/widgets/:id
POST /v1/segments
PATCH /v1/segments/:id
DELETE /v1/segments/:id
POST /v1/external-sources
PATCH /v1/external-sources/:id
DELETE /v1/external-sources/:id
POST /v1/digests
PATCH /v1/digests/:id
DELETE /v1/digests/:id
POST /v1/digests/:id/send
POST /v1/alerts
PATCH /v1/alerts/:id
DELETE /v1/alerts/:id
POST /v1/alerts/:id/resolve
POST /v1/alert-channels
PATCH /v1/alert-channels/:id
DELETE /v1/alert-channels/:id
POST /v1/alert-channels/:id/test
POST /v1/alert-channels/:id/secret
POST /v1/alert-channels/:id/deliveries/:id/retry
"""

ANNOTATE = """
POST /v1/annotations
PATCH /v1/annotations/:id
DELETE /v1/annotations/:id
"""

EXPORT = """
GET /v1/export
"""

UNLIMITED = ("/v1/listing", "/v1/statistics", "/v1/usage", "/v1/external-sources", "/v1/alert-channels")
"""What belongs to the whole workspace: a token that is limited to an environment gets nowhere below these paths."""
UNLIMITED_ROUTES = {
    "GET /v1/events/refusals",
    "POST /v1/groups/keys",
    "PATCH /v1/groups/keys/:id",
    "DELETE /v1/groups/keys/:id",
}

NEEDED = {
    row: needed
    for rows, needed in [
        (NEVER, ()),
        (READ, ("read",)),
        (READ_AND_WRITE, ("read and write",)),
        (WRITE, ("write",)),
        (ANNOTATE, ("annotate", "write")),
        (EXPORT, ("export",)),
    ]
    for row in rows.strip().splitlines()
}
"""The scopes of which a token needs one, for each route that takes a session."""

SESSION_ROUTES = [row for row in TABLE if row.guard not in {"public", *BY_PROGRAM}]


def covers(scopes: str, row: RouteCase) -> bool:
    """Whether a token with these scopes, such as ``read and write``, has those that a route needs."""
    return any(set(needed.split(" and ")) <= set(scopes.split(" and ")) for needed in NEEDED[str(row)])


def takes_limited(row: RouteCase) -> bool:
    """Whether the route takes a token that is limited to an environment."""
    return str(row) not in UNLIMITED_ROUTES and not row.path.startswith(UNLIMITED)
