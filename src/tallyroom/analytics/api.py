"""Every path of the Analytics API, and those of the server itself; ingest has its own (app.py)."""

from litestar.types import ControllerRouterHandler

from tallyroom.analytics.actors.routes import routes as actor_routes
from tallyroom.analytics.alert_channels.routes import routes as alert_channel_routes
from tallyroom.analytics.alerts.routes import routes as alert_routes
from tallyroom.analytics.annotations.routes import routes as annotation_routes
from tallyroom.analytics.audit.routes import routes as audit_routes
from tallyroom.analytics.auth.routes import open_sign_in_link
from tallyroom.analytics.auth.routes import routes as auth_routes
from tallyroom.analytics.dashboards.routes import routes as dashboard_routes
from tallyroom.analytics.digests.routes import routes as digest_routes
from tallyroom.analytics.digests.unsubscribing import confirm_unsubscribe, show_unsubscribe
from tallyroom.analytics.environments.routes import routes as environment_routes
from tallyroom.analytics.events.routes import routes as event_routes
from tallyroom.analytics.export.routes import routes as export_routes
from tallyroom.analytics.external_sources.routes import routes as external_source_routes
from tallyroom.analytics.groups.routes import routes as group_routes
from tallyroom.analytics.invites.routes import routes as invite_routes
from tallyroom.analytics.keys.routes import routes as key_routes
from tallyroom.analytics.listing.routes import routes as listing_routes
from tallyroom.analytics.members.routes import routes as member_routes
from tallyroom.analytics.public.routes import routes as public_routes
from tallyroom.analytics.query import routes as query_routes
from tallyroom.analytics.schema.routes import routes as schema_routes
from tallyroom.analytics.segments.routes import routes as segment_routes
from tallyroom.analytics.stats_tokens.routes import routes as stats_token_routes
from tallyroom.analytics.system.routes import routes as system_routes
from tallyroom.analytics.tokens.routes import routes as token_routes
from tallyroom.analytics.usage import routes as usage_routes
from tallyroom.analytics.widgets.routes import routes as widget_routes
from tallyroom.analytics.workspaces.routes import routes as workspace_routes

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
