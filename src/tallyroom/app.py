"""Wires up the server: the only place that knows every part."""

import warnings
from collections.abc import Callable
from functools import cache, partial

from cachetools import LRUCache
from litestar import Litestar
from litestar.di import Provide
from litestar.exceptions import LitestarDeprecationWarning
from litestar.openapi import OpenAPIConfig

from tallyroom import __version__
from tallyroom.analytics.actors.routes import routes as actor_routes
from tallyroom.analytics.actors.service import Actors
from tallyroom.analytics.annotations.routes import routes as annotation_routes
from tallyroom.analytics.audit.routes import routes as audit_routes
from tallyroom.analytics.auth.routes import open_sign_in_link
from tallyroom.analytics.auth.routes import routes as auth_routes
from tallyroom.analytics.dashboards.routes import routes as dashboard_routes
from tallyroom.analytics.environments.routes import routes as environment_routes
from tallyroom.analytics.events.ingest import IngestEvents
from tallyroom.analytics.events.routes import routes as event_routes
from tallyroom.analytics.events.service import Events
from tallyroom.analytics.events.stream import Streams
from tallyroom.analytics.export.routes import routes as export_routes
from tallyroom.analytics.export.service import Exports
from tallyroom.analytics.groups.routes import routes as group_routes
from tallyroom.analytics.groups.service import Groups
from tallyroom.analytics.ingest_admission import IngestAdmission
from tallyroom.analytics.invites.routes import routes as invite_routes
from tallyroom.analytics.keys.routes import routes as key_routes
from tallyroom.analytics.listing.routes import routes as listing_routes
from tallyroom.analytics.members.routes import routes as member_routes
from tallyroom.analytics.otlp.receive import OtlpBounds, ReceiveOtlp
from tallyroom.analytics.public.routes import routes as public_routes
from tallyroom.analytics.public.service import PublicDashboards
from tallyroom.analytics.query.routes import routes as query_routes
from tallyroom.analytics.schema.routes import routes as schema_routes
from tallyroom.analytics.schema.service import Schemas
from tallyroom.analytics.segments.routes import routes as segment_routes
from tallyroom.analytics.stats_tokens.routes import routes as stats_token_routes
from tallyroom.analytics.system.metrics import Metrics
from tallyroom.analytics.system.reference import Reference
from tallyroom.analytics.system.routes import routes as system_routes
from tallyroom.analytics.usage.routes import routes as usage_routes
from tallyroom.analytics.widgets.routes import routes as widget_routes
from tallyroom.analytics.workspaces.routes import routes as workspace_routes
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.guards import (
    provide_principal,
    provide_session_principal,
    provide_stats_principal,
    require_key,
)
from tallyroom.auth.passwords import passwords_of
from tallyroom.auth.recheck import provide_db
from tallyroom.auth.sessions import SessionStore
from tallyroom.auth.signatures import Signatures
from tallyroom.auth.throttle import Throttle
from tallyroom.bots.directory import Directories
from tallyroom.bots.feed import Feed
from tallyroom.bots.history import Histories
from tallyroom.bots.known import KnownRows
from tallyroom.chores import running
from tallyroom.core.errors import StatisticsRateLimited
from tallyroom.core.rate import SlidingWindow
from tallyroom.core.shared_answers import for_a_moment
from tallyroom.db.transaction import provide_transaction, roll_back
from tallyroom.drain.erasure import Erasure
from tallyroom.engine.answer import Engine
from tallyroom.front import Front, Route, Shortcut
from tallyroom.images.bots import PublishedBots
from tallyroom.images.cache import PictureCache
from tallyroom.images.renderer import Renderer
from tallyroom.images.routes import routes as image_routes
from tallyroom.images.worker_pool import WorkerPool
from tallyroom.ingest.accept_otlp import AcceptOtlp
from tallyroom.openapi import openapi_document
from tallyroom.otlp.signals import SIGNALS, Signal
from tallyroom.rest.body_limits import SMALL_BODY_BYTES
from tallyroom.rest.errors import exception_handlers
from tallyroom.rest.requests import check_request
from tallyroom.services import Services
from tallyroom.statistics.context import MOST_CACHED, StatisticsServices, provide_context
from tallyroom.statistics.feed.service import Feeding
from tallyroom.statistics.records import Records
from tallyroom.statistics.routes import statistics_routes
from tallyroom.store.errors import QuestionTooCostly
from tallyroom.ui.routes import routes as ui_routes

STATISTICS = "statistics"  # the name of the rate limit
WEBHOOKS_PER_CALL = 10  # votes come in floods, and a bot has one sender

INGEST: Route = ("POST", "/v1/events")
OTLP: dict[Route, Signal] = {("POST", f"/v1/{signal.name}"): signal for signal in SIGNALS.values()}
SHORTCUT_GUARDS = dict.fromkeys((INGEST, *OTLP), require_key)
"""Routes that bypass the framework, each with the guard whose check it performs itself."""


def build_app(services: Services) -> Front:
    """Build the ASGI application on `services`, which it closes when the server stops."""
    app = build_framework(services)
    shortcuts: dict[Route, Shortcut] = {INGEST: _ingest(services), **_otlp(services)}
    pictures = PictureCache(app.state.renderer)
    return Front(app, shortcuts, app.state.metrics, services.clock, services.ids, services.settings.hosts, pictures)


def build_framework(services: Services) -> Litestar:
    """Build the framework's application, with every route that it serves."""
    metrics, renderer = _metrics(services), Renderer(WorkerPool(services.settings.font_paths))
    statistics = _statistics(services)
    app = Litestar(
        route_handlers=[
            *ui_routes,
            *system_routes,
            auth_routes,
            open_sign_in_link,
            workspace_routes,
            member_routes,
            invite_routes,
            environment_routes,
            key_routes,
            stats_token_routes,
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
            schema_routes,
            usage_routes,
            public_routes,
            *statistics_routes(services.settings.platforms),
            image_routes,
        ],
        dependencies=_dependencies(services, metrics, renderer, statistics),
        exception_handlers=exception_handlers,
        lifespan=[lambda _: running(services, renderer)],
        openapi_config=_openapi_config(),
        before_request=check_request,
        after_exception=[roll_back],
        logging_config=None,
        request_max_body_size=SMALL_BODY_BYTES,
    )
    app.state.services = services
    app.state.database = services.database
    app.state.metrics = metrics
    app.state.renderer = renderer
    app.state.authenticator = _authenticator(services)
    app.state.statistics = statistics
    app.state.openapi = cache(lambda: openapi_document(app))  # built on first use, so that startup need not wait for it
    return app


def _authenticator(services: Services) -> Authenticator:
    rate, clock = services.settings.stats_rate_per_minute, services.clock
    return Authenticator(
        services.database,
        services.key_cache,
        services.stats_tokens,
        Signatures(services.database, services.vault, clock),
        SlidingWindow(STATISTICS, rate, clock, StatisticsRateLimited),
        SlidingWindow(STATISTICS, rate * WEBHOOKS_PER_CALL, clock, StatisticsRateLimited),
        SessionStore(services.database, clock, services.ids),
        services.settings,
        passwords_of(services.settings),
    )


def _statistics(services: Services) -> StatisticsServices:
    database, outbox, clock = services.database, services.outbox, services.clock
    queries = services.listing_queries
    directories = Directories(database, queries, outbox, clock)
    records, histories = Records(database, directories), Histories(queries, outbox, clock)
    return StatisticsServices(database, directories, records, histories, LRUCache(MOST_CACHED))


def _openapi_config() -> OpenAPIConfig:
    with warnings.catch_warnings():
        # Its successor always adds a page of its own that answers 404 in HTML. Version 3, which pyproject excludes,
        # removes this option.
        warnings.simplefilter("ignore", LitestarDeprecationWarning)
        return OpenAPIConfig(
            "Tallyroom",
            __version__,
            use_handler_docstrings=True,
            openapi_controller=Reference,  # type: ignore[arg-type] # any controller will do
        )


def _ingest(services: Services) -> IngestEvents:
    return IngestEvents(_admission(services), services.accept, services.replays, services.refusals, services.clock)


def _otlp(services: Services) -> dict[Route, ReceiveOtlp]:
    accept, bounds = AcceptOtlp(services.accept, services.cap), OtlpBounds()
    return {
        route: ReceiveOtlp(signal, _admission(services), accept, bounds, services.refusals, services.clock)
        for route, signal in OTLP.items()
    }


def _admission(services: Services) -> IngestAdmission:
    return IngestAdmission(services.window, services.key_cache, services.settings.trusted_networks)


def _streams(services: Services) -> Streams:
    sessions = SessionStore(services.database, services.clock, services.ids)
    return Streams(services.reader, services.spool, services.arrivals, sessions, services.closing)


def _dependencies(
    services: Services, metrics: Metrics, renderer: Renderer, statistics: StatisticsServices
) -> dict[str, Provide]:
    engine = Engine(services.reader, services.database, services.clock)
    single: dict[str, object] = {
        "settings": services.settings,
        "clock": services.clock,
        "ids": services.ids,
        "database": services.database,
        "vault": services.vault,
        "spool": services.spool,
        "drain": services.drain,
        "disk": services.disk,
        "directory": services.directory,
        "damages": services.soundness.damages,
        "reader": services.reader,
        "refusals": services.refusals,
        "mailer": services.mailer,
        "throttle": Throttle(services.clock),
        "metrics_registry": metrics,
        "actors": Actors(services.reader, services.clock),
        "engine": engine,
        "public_dashboards": PublicDashboards(
            services.database,
            engine,
            for_a_moment(services.clock, QuestionTooCostly),
            partial(_generation, services),
        ),
        "groups": Groups(services.reader, services.database, services.clock),
        "cap": services.cap,
        "events": Events(services.reader, services.hidden, services.clock),
        "schemas": Schemas(services.reader, services.clock),
        "streams": _streams(services),
        "erasure": Erasure(services.spool, services.drain, services.writer),
        "renderer": renderer,
        "published_bots": PublishedBots(services.database, statistics.histories, for_a_moment(services.clock)),
        "exports": Exports(services.reader, services.spool, services.drain),
        "feeding": _feeding(services),
    }
    found = {name: Provide(_always(value), sync_to_thread=False) for name, value in single.items()}
    found["transaction"] = Provide(provide_transaction)
    found["db"] = Provide(provide_db)
    found["context"] = Provide(provide_context)
    found["principal"] = Provide(provide_session_principal)
    found["stats_principal"] = Provide(provide_stats_principal)
    found["principal_or_key"] = Provide(provide_principal)
    return found


def _feeding(services: Services) -> Feeding:
    clock = services.clock
    database, outbox, queries = services.database, services.outbox, services.listing_queries
    feed, known_rows = Feed(database, outbox, queries, clock), KnownRows(database, queries, outbox)
    return Feeding(feed, known_rows, clock, creates=services.settings.feed_creates)


def _generation(services: Services) -> tuple[int, int]:
    return services.writer.generation, services.soundness.damages.generation


def _always(value: object) -> Callable[[], object]:
    return lambda: value


def _metrics(services: Services) -> Metrics:
    spool, drain, disk, reader = services.spool, services.drain, services.disk, services.reader
    damages = services.soundness.damages
    return Metrics(
        counters=[
            ("events_acked", "Events that clients were told are durable.", lambda: spool.acked),
            ("events_stored", "Events that reached the event store since the start.", lambda: drain.stored),
            ("events_dead_lettered", "Events put aside since the start.", lambda: drain.dead_letters),
            ("queries_cancelled", "Queries stopped since the start: nobody waited.", lambda: reader.cancelled),
        ],
        gauges=[
            ("queries_running", "Queries that the event store works on.", lambda: reader.slots.running),
            ("queries_waiting", "Queries that wait for their turn.", lambda: reader.slots.waiting),
            ("queries_stuck", "Queries that were told to stop and go on.", lambda: reader.stuck),
            ("spool_waiting_bytes", "Bytes that wait for the event store.", lambda: spool.waiting_bytes),
            ("store_failing", "1 while the event store refuses inserts.", lambda: float(bool(drain.failing))),
            ("store_damaged_parts", "Damaged or missing parts of the event store.", lambda: len(damages.found)),
            ("disk_free_bytes", "Free space where the data is, as last looked at.", lambda: disk.free_bytes),
        ],
    )
