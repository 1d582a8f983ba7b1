"""What handlers can request besides the services: each built once, here, under its name in the handlers."""

from dataclasses import dataclass
from typing import Any

from tallyroom.alerts.back_test.back_test import BackTester
from tallyroom.alerts.channels.deliveries import DeliveryRetrier
from tallyroom.alerts.channels.service import AlertChannels
from tallyroom.alerts.delivery.handler import DeliveryHandler
from tallyroom.alerts.evaluation.evaluation import AlertEvaluator
from tallyroom.alerts.rules.preview import AlertPreviewer
from tallyroom.alerts.rules.resolution import IncidentResolver
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.cookies import SessionCookies
from tallyroom.auth.metrics_guard import MetricsGuard
from tallyroom.auth.sign_in.passwords import PasswordChanger
from tallyroom.auth.sign_in.reset_requests import ResetRequestQueue
from tallyroom.auth.throttle import Throttle
from tallyroom.bots.directory import DirectoryCache
from tallyroom.bots.feed import ListingFeed
from tallyroom.bots.gaps import MetricLine
from tallyroom.bots.history import HistoryReader
from tallyroom.bots.history_queries import HistoryQueries
from tallyroom.bots.pictures.race_reader import PublishedRaceReader, RacePoints
from tallyroom.bots.pictures.service import PublishedBotReader
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
from tallyroom.dashboards.answer_pictures import AnswerDrawer
from tallyroom.dashboards.external_sources.service import ExternalSources
from tallyroom.dashboards.public.pictures import PublicPictureJobs
from tallyroom.dashboards.public.service import PublicDashboards
from tallyroom.digests.mailer import MAX_SENDS_PER_MINUTE, DigestMailer
from tallyroom.digests.pictures import Illustrator
from tallyroom.digests.rendering import DigestRenderer
from tallyroom.events.actors.service import Actors
from tallyroom.events.export.service import Exports
from tallyroom.events.groups.service import Groups
from tallyroom.events.list.service import Events
from tallyroom.events.schema.service import Schemas
from tallyroom.events.stream.stream import Streams
from tallyroom.images.renderer import Renderer
from tallyroom.images.worker_pool import MAX_PROCESSES, PictureWorkerPool
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.mail.outbox import MailOutbox
from tallyroom.queries.answer import QuestionEngine
from tallyroom.queries.external import ExternalReader
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.server.alert_wiring import build_alert_dependencies
from tallyroom.server.metric_values import build_metrics
from tallyroom.server.public_pages import build_public_dependencies
from tallyroom.server.scheduler.handler import JobHandler
from tallyroom.server.services import Services
from tallyroom.server.sign_in_parts import build_authenticator, build_sign_in_dependencies
from tallyroom.server.system.metrics import Metrics
from tallyroom.server.system.readiness import ReadinessCheck
from tallyroom.server.ui.public_view import PublishedPages
from tallyroom.storage.limits.limits import RateLimit


@dataclass(kw_only=True)
class Dependencies:
    """The objects that answer requests. A handler requests a field by name: `engine: Injected[QuestionEngine]`."""

    authenticator: Authenticator
    session_cookies: SessionCookies
    throttle: Throttle
    new_passwords: PasswordChanger
    reset_requests: ResetRequestQueue
    metrics: Metrics
    metrics_guard: MetricsGuard
    readiness: ReadinessCheck
    outbound_rules: OutboundRules
    engine: QuestionEngine
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
    published_bots: PublishedBotReader
    published_races: PublishedRaceReader
    public_pictures: PublicPictureJobs
    published_pages: PublishedPages
    digest_renderer: DigestRenderer
    digest_mailer: DigestMailer
    mails: MailOutbox
    digest_requests: RateLimit
    alert_channels: AlertChannels
    delivery_retries: DeliveryRetrier
    delivery_handlers: list[DeliveryHandler]
    job_handler: JobHandler
    back_tests: BackTester
    alert_previews: AlertPreviewer
    alert_evaluator: AlertEvaluator
    alert_resolutions: IncidentResolver


def build_dependencies(services: Services) -> Dependencies:
    """Build everything once, on open services."""
    clock, database, reader = services.clock, services.database, services.reader
    authenticator, settings = build_authenticator(services), services.settings
    outbound_rules = OutboundRules(tuple(settings.outbound_networks), settings.outbound_http)
    fetcher = GuardedFetcher(outbound_rules)
    window_resolver = WindowResolver(reader, database)
    external_reader = ExternalReader(database, services.vault, fetcher, clock, services.limits.answer_cache())
    engine = QuestionEngine(reader, database, window_resolver, clock, external_reader, services.kept_answers)
    statistics, max_processes = _build_statistics(services), 1 if settings.workers > 1 else MAX_PROCESSES
    renderer = Renderer(PictureWorkerPool(settings.font_paths, max_processes=max_processes))
    alert_dependencies = build_alert_dependencies(services, fetcher, renderer)
    mail_dependencies = _build_mail_dependencies(services, engine, window_resolver, renderer)
    return Dependencies(
        **build_sign_in_dependencies(services, authenticator, mail_dependencies["mails"]),
        **_build_operator_dependencies(services, alert_dependencies, mail_dependencies["digest_mailer"]),
        outbound_rules=outbound_rules,
        engine=engine,
        streams=Streams(reader, services.spool, services.arrivals, authenticator, services.closing),
        erasure=build_erasure(services),
        external_sources=ExternalSources(outbound_rules, services.vault, clock, services.ids),
        **build_public_dependencies(services, engine),
        statistics=statistics,
        feeding=_build_feeding(services),
        **_build_published_listings(services, statistics.history_reader),
        renderer=renderer,
        **_build_event_dependencies(services, window_resolver),
        **alert_dependencies,
        **mail_dependencies,
    )


def _build_operator_dependencies(
    services: Services, alert_dependencies: dict[str, Any], digest_mailer: DigestMailer
) -> dict[str, Any]:
    job_handler = JobHandler(services.database, services.shared_clock)
    return {
        "job_handler": job_handler,
        "metrics": build_metrics(services, alert_dependencies, digest_mailer, job_handler),
        "metrics_guard": MetricsGuard(services.settings),
        "readiness": _build_readiness(services),
    }


def _build_event_dependencies(services: Services, window_resolver: WindowResolver) -> dict[str, Any]:
    reader, clock = services.reader, services.clock
    return {
        "actors": Actors(reader, window_resolver, clock),
        "groups": Groups(reader, services.database, window_resolver, clock),
        "events": Events(reader, services.hidden_events, services.removals, window_resolver, clock),
        "schemas": Schemas(reader, window_resolver, clock),
        "exports": Exports(reader, window_resolver, services.spool, services.drain, services.database.peers),
    }


def build_erasure(services: Services) -> Erasure:
    """Build the erasure for a single server, or together with other workers."""
    erasure_parts = services.spool, services.drain, services.writer, services.removals.announce
    if not services.settings.db_dsn:
        return Erasure(*erasure_parts)
    return SharedErasure(*erasure_parts, services.database, services.clock, services.ids)


def _build_statistics(services: Services) -> StatisticsServices:
    database, outbox, clock = services.database, services.listing_outbox, services.clock
    directories = DirectoryCache(database, services.listing_queries, outbox, clock)
    history_reader = HistoryReader(HistoryQueries(services.reader), outbox, clock)
    return StatisticsServices(database, directories, BotRecordBuilder(database, directories), history_reader)


def _build_published_listings(services: Services, history_reader: HistoryReader) -> dict[str, Any]:
    database, clock, answer_cache = services.database, services.clock, services.limits.answer_cache()
    line_cache = build_short_lived_cache(clock, cache=answer_cache, name="line", answer_type=MetricLine)
    race_cache = build_short_lived_cache(clock, cache=answer_cache, name="race", answer_type=RacePoints)
    return {
        "published_bots": PublishedBotReader(database, history_reader, line_cache),
        "published_races": PublishedRaceReader(database, history_reader, race_cache),
    }


def _build_feeding(services: Services) -> FeedService:
    clock = services.clock
    database, outbox, queries = services.database, services.listing_outbox, services.listing_queries
    feed, known_row_counter = ListingFeed(database, outbox, queries, clock), KnownRowCounter(database, queries, outbox)
    return FeedService(feed, known_row_counter, services.imports, clock, may_create_bots=services.settings.feed_creates)


def _build_mail_dependencies(
    services: Services, engine: QuestionEngine, window_resolver: WindowResolver, renderer: Renderer
) -> dict[str, Any]:
    database, public_url = services.database, services.settings.public_url
    illustrator = Illustrator(AnswerDrawer(renderer).draw_png)
    digest_renderer = DigestRenderer(database, engine, window_resolver, illustrator, public_url)
    mail_parts = services.mailer, services.shared_clock, services.ids
    digest_mailer = DigestMailer(
        services.queue, database, services.reader, digest_renderer, *mail_parts, public_url=public_url
    )
    request_limit = services.limits.create_rate_limit("digests", MAX_SENDS_PER_MINUTE)
    mails = MailOutbox(services.queue, services.mailer, services.vault, services.shared_clock, services.ids)
    return {
        "digest_renderer": digest_renderer,
        "digest_mailer": digest_mailer,
        "digest_requests": request_limit,
        "mails": mails,
    }


def _build_readiness(services: Services) -> ReadinessCheck:
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
