"""All routes of the Analytics API and the server itself, except ingest, which is in `app.py`."""

from litestar.types import ControllerRouterHandler

from tallyroom.alerts.channels.routes import routes as alert_channel_routes
from tallyroom.alerts.rules.routes import routes as alert_routes
from tallyroom.auth.sign_in.routes import open_sign_in_link
from tallyroom.auth.sign_in.routes import routes as auth_routes
from tallyroom.bots.listing.routes import routes as listing_routes
from tallyroom.bots.tokens.routes import routes as stats_token_routes
from tallyroom.dashboards.annotations.routes import routes as annotation_routes
from tallyroom.dashboards.dashboards.routes import routes as dashboard_routes
from tallyroom.dashboards.external_sources.routes import routes as external_source_routes
from tallyroom.dashboards.public.routes import routes as public_routes
from tallyroom.dashboards.query import routes as query_routes
from tallyroom.dashboards.segments.routes import routes as segment_routes
from tallyroom.dashboards.widgets.routes import routes as widget_routes
from tallyroom.digests.routes import routes as digest_routes
from tallyroom.digests.unsubscribe_page import confirm_unsubscribe, show_unsubscribe
from tallyroom.events.actors.routes import routes as actor_routes
from tallyroom.events.export.routes import routes as export_routes
from tallyroom.events.groups.routes import routes as group_routes
from tallyroom.events.list.routes import routes as event_routes
from tallyroom.events.schema.routes import routes as schema_routes
from tallyroom.events.stream.routes import routes as stream_routes
from tallyroom.server.system.routes import routes as system_routes
from tallyroom.workspaces.api_keys.routes import routes as key_routes
from tallyroom.workspaces.api_tokens.routes import routes as token_routes
from tallyroom.workspaces.audit.routes import routes as audit_routes
from tallyroom.workspaces.environments.routes import routes as environment_routes
from tallyroom.workspaces.invites.routes import routes as invite_routes
from tallyroom.workspaces.members.routes import routes as member_routes
from tallyroom.workspaces.usage import routes as usage_routes
from tallyroom.workspaces.workspaces.routes import routes as workspace_routes

analytics_routes: list[ControllerRouterHandler] = [
    *system_routes,
    auth_routes,
    open_sign_in_link,
    show_unsubscribe,
    confirm_unsubscribe,
    workspace_routes,
    member_routes,
    invite_routes,
    environment_routes,
    key_routes,
    stats_token_routes,
    token_routes,
    listing_routes,
    audit_routes,
    actor_routes,
    event_routes,
    stream_routes,
    export_routes,
    group_routes,
    dashboard_routes,
    widget_routes,
    query_routes,
    annotation_routes,
    segment_routes,
    digest_routes,
    alert_routes,
    external_source_routes,
    alert_channel_routes,
    schema_routes,
    usage_routes,
    public_routes,
]
