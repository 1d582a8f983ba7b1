"""What handlers can ask for besides the services: each built once, here, under the name that they use for it."""

from dataclasses import dataclass
from typing import Any

from tallyroom.alerts.back_test.back_test import BackTester
from tallyroom.alerts.channels.deliveries import DeliveryRetrier
from tallyroom.alerts.channels.service import AlertChannels
from tallyroom.alerts.delivery.outbox import DeliveryWorker
from tallyroom.alerts.evaluation.evaluation import AlertEvaluator
from tallyroom.alerts.rules.preview import AlertPreviewer
from tallyroom.alerts.rules.resolution import IncidentResolver
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.cookies import SessionCookies
from tallyroom.auth.metrics_guard import MetricsGuard
from tallyroom.auth.sign_in.passwords import NewPasswords
from tallyroom.auth.sign_in.reset_requests import ResetRequests
from tallyroom.auth.throttle import Throttle
from tallyroom.bots.directory import DirectoryCache
from tallyroom.bots.feed import Feed
from tallyroom.bots.gaps import MetricLine
from tallyroom.bots.history import HistoryReader
from tallyroom.bots.pictures.service import PublishedBots
from tallyroom.bots.statistics_api.context import StatisticsServices
from tallyroom.bots.statistics_api.feed.service import FeedService
from tallyroom.bots.statistics_api.records import BotRecordBuilder
from tallyroom.bots.unchanged_rows import KnownRowCounter
from tallyroom.cluster.shared_erasure import SharedErasure
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.shared_answers import build_short_lived_cache
from tallyroom.core.shared_clock import SharedClock
from tallyroom.core.version import running_version
from tallyroom.dashboards.answer_pictures import AnswerPictures
from tallyroom.dashboards.external_sources.service import ExternalSources
from tallyroom.dashboards.public.pictures import PublicPictures
from tallyroom.dashboards.public.service import PublicDashboards
from tallyroom.digests.mailer import MAX_SENDS_PER_MINUTE, DigestMailer
from tallyroom.digests.rendering import DigestRenderer
from tallyroom.events.actors.service import Actors
from tallyroom.events.export.service import Exports
from tallyroom.events.groups.service import Groups
from tallyroom.events.list.service import Events
from tallyroom.events.schema.service import Schemas
from tallyroom.events.stream.stream import Streams
from tallyroom.images.renderer import Renderer
from tallyroom.images.worker_pool import MAX_PROCESSES, WorkerPool
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.mail.outbox import MailOutbox
from tallyroom.queries.answer import Engine
from tallyroom.queries.external import ExternalReader
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.server.alert_wiring import alerting_of
from tallyroom.server.metric_values import metrics_of
from tallyroom.server.public_pages import published
from tallyroom.server.services import Services
from tallyroom.server.sign_in_parts import authenticator_of, signing_in
from tallyroom.server.system.metrics import Metrics
from tallyroom.server.system.readiness import ReadinessCheck
from tallyroom.server.ui.public_view import PublishedPages
from tallyroom.storage.limits.limits import RateLimit


@dataclass(kw_only=True)
class Dependencies:
    """What answers requests. A handler asks for a field by its name: `engine: Injected[Engine]`."""

    authenticator: Authenticator
    session_cookies: SessionCookies
    throttle: Throttle
    new_passwords: NewPasswords
    reset_requests: ResetRequests
    metrics: Metrics
    metrics_guard: MetricsGuard
    readiness: ReadinessCheck
    outbound_rules: OutboundRules
    engine: Engine
    actors: Actors
    groups: Groups
    events: Events
    schemas: Schemas
    streams: Streams
    exports: Exports
    erasure: Erasure
    external_sources: ExternalSources
    public_dashboards: PublicDashboards
    statistics: StatisticsServices
    feeding: FeedService
    renderer: Renderer
    published_bots: PublishedBots
    public_pictures: PublicPictures
    published_pages: PublishedPages
    digest_renderer: DigestRenderer
    digest_mailer: DigestMailer
    mails: MailOutbox
    digest_requests: RateLimit
    alert_channels: AlertChannels
    delivery_retries: DeliveryRetrier
    delivery_worker: DeliveryWorker
    back_tests: BackTester
    alert_previews: AlertPreviewer
    alert_evaluator: AlertEvaluator
    alert_resolutions: IncidentResolver


def build_dependencies(services: Services) -> Dependencies:
    """Build everything once, on services that are open."""
    clock, database, reader = services.clock, services.database, services.reader
    authenticator, settings = authenticator_of(services), services.settings
    outbound_rules = OutboundRules(tuple(settings.outbound_networks), settings.outbound_http)
    fetcher = GuardedFetcher(outbound_rules)
    window_resolver = WindowResolver(reader, database)
    cache = services.limits.answer_cache()
    line_cache = build_short_lived_cache(clock, cache=cache, name="line", answer_type=MetricLine)
    external = ExternalReader(database, services.vault, fetcher, clock, cache)
    engine = Engine(reader, database, window_resolver, clock, external)
    statistics, drawers = _statistics(services), 1 if settings.workers > 1 else MAX_PROCESSES
    renderer = Renderer(WorkerPool(settings.font_paths, max_processes=drawers))
    alerting, mailing = alerting_of(services, fetcher, renderer), _mailing(services, engine, window_resolver, renderer)
    return Dependencies(
        **signing_in(services, authenticator, mailing["mails"]),
        **_watched(services, alerting, mailing["digest_mailer"]),
        outbound_rules=outbound_rules,
        engine=engine,
        streams=Streams(reader, services.spool, services.arrivals, authenticator, services.closing),
        erasure=erasure_of(services),
        external_sources=ExternalSources(outbound_rules, services.vault, clock, services.ids),
        **published(services, engine),
        statistics=statistics,
        feeding=_feeding(services),
        published_bots=PublishedBots(database, statistics.history_reader, line_cache),
        renderer=renderer,
        **_lists(services, window_resolver),
        **alerting,
        **mailing,
    )


def _watched(services: Services, alerting: dict[str, Any], digest_mailer: DigestMailer) -> dict[str, Any]:
    """Return what operators look at, and who may."""
    return {
        "metrics": metrics_of(services, alerting, digest_mailer),
        "metrics_guard": MetricsGuard(services.settings),
        "readiness": _readiness(services),
    }


def _lists(services: Services, window_resolver: WindowResolver) -> dict[str, Any]:
    """Return what lists events, and what they tell, over a time range."""
    reader, clock = services.reader, services.clock
    return {
        "actors": Actors(reader, window_resolver, clock),
        "groups": Groups(reader, services.database, window_resolver, clock),
        "events": Events(reader, services.hidden_events, services.removals, window_resolver, clock),
        "schemas": Schemas(reader, window_resolver, clock),
        "exports": Exports(reader, window_resolver, services.spool, services.drain, services.database.peers),
    }


def erasure_of(services: Services) -> Erasure:
    """Build what erases, here or together with other workers."""
    parts = services.spool, services.drain, services.writer, services.removals.announce
    if not services.settings.db_dsn:
        return Erasure(*parts)
    return SharedErasure(*parts, services.database, services.clock, services.ids)


def _statistics(services: Services) -> StatisticsServices:
    database, outbox, clock = services.database, services.outbox, services.clock
    queries = services.listing_queries
    directories = DirectoryCache(database, queries, outbox, clock)
    return StatisticsServices(
        database, directories, BotRecordBuilder(database, directories), HistoryReader(queries, outbox, clock)
    )


def _feeding(services: Services) -> FeedService:
    clock = services.clock
    database, outbox, queries = services.database, services.outbox, services.listing_queries
    feed, known_rows = Feed(database, outbox, queries, clock), KnownRowCounter(database, queries, outbox)
    return FeedService(feed, known_rows, services.imports, clock, creates_bots=services.settings.feed_creates)


def _mailing(services: Services, engine: Engine, window_resolver: WindowResolver, renderer: Renderer) -> dict[str, Any]:
    """Return what renders digests, what mails them, and what sends all other mails."""
    database, public_url = services.database, services.settings.public_url
    digest_renderer = DigestRenderer(database, engine, window_resolver, AnswerPictures(renderer).draw_png, public_url)
    mailer = DigestMailer(database, digest_renderer, services.mailer, services.shared_clock, services.ids, public_url)
    requests = services.limits.create_rate_limit("digests", MAX_SENDS_PER_MINUTE)
    mails = MailOutbox(database, services.mailer, services.vault, services.shared_clock, services.ids)
    return {"digest_renderer": digest_renderer, "digest_mailer": mailer, "digest_requests": requests, "mails": mails}


def _readiness(services: Services) -> ReadinessCheck:
    return ReadinessCheck(
        database=services.database,
        spool=services.spool,
        drain=services.drain,
        disk=services.disk,
        directory=services.directory,
        damages=services.completeness_check.damages,
        reader=services.reader,
        stopping=services.stopping,
        clock=SharedClock(services.clock, services.database.peers),
        version=running_version(),
    )
