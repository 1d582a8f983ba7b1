"""What handlers can ask for besides the services: each built once, here, under the name that they use for it."""

from dataclasses import dataclass
from typing import Any

from tallyroom.alerts.back_test.back_test import BackTests
from tallyroom.alerts.channels.deliveries import Retries
from tallyroom.alerts.channels.service import AlertChannels
from tallyroom.alerts.delivery.outbox import DeliveryWorker
from tallyroom.alerts.evaluation.evaluation import AlertEvaluator
from tallyroom.alerts.rules.preview import Previews
from tallyroom.alerts.rules.resolution import Resolutions
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.cookies import SessionCookies
from tallyroom.auth.metrics_guard import MetricsGuard
from tallyroom.auth.sign_in.passwords import NewPasswords
from tallyroom.auth.sign_in.reset_requests import ResetRequests
from tallyroom.auth.throttle import Throttle
from tallyroom.bots.directory import Directories
from tallyroom.bots.feed import Feed
from tallyroom.bots.gaps import Line
from tallyroom.bots.history import Histories
from tallyroom.bots.pictures.service import PublishedBots
from tallyroom.bots.statistics_api.context import StatisticsServices
from tallyroom.bots.statistics_api.feed.service import Feeding
from tallyroom.bots.statistics_api.records import Records
from tallyroom.bots.unchanged_rows import KnownRows
from tallyroom.cluster.shared_erasure import SharedErasure
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.shared_answers import for_a_moment
from tallyroom.core.shared_clock import SharedClock
from tallyroom.core.version import running_version
from tallyroom.dashboards.external_sources.service import ExternalSources
from tallyroom.dashboards.public.service import PublicDashboards
from tallyroom.digests.mailer import MAX_REQUESTS, DigestMailer
from tallyroom.digests.rendering import DigestRenderer
from tallyroom.events.actors.service import Actors
from tallyroom.events.export.service import Exports
from tallyroom.events.groups.service import Groups
from tallyroom.events.list.service import Events
from tallyroom.events.schema.service import Schemas
from tallyroom.events.stream.stream import Streams
from tallyroom.images.answer_pictures import AnswerPictures
from tallyroom.images.public_pictures import PublishedWidgets
from tallyroom.images.renderer import Renderer
from tallyroom.images.worker_pool import MAX_PROCESSES, WorkerPool
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.mail.outbox import MailOutbox
from tallyroom.queries.answer import Engine
from tallyroom.queries.external import ExternalReader
from tallyroom.queries.workspace_windows import Windows
from tallyroom.server.alert_wiring import alerting_of
from tallyroom.server.metric_values import metrics_of
from tallyroom.server.public_pages import published
from tallyroom.server.services import Services
from tallyroom.server.sign_in_parts import authenticator_of, signing_in
from tallyroom.server.system.metrics import Metrics
from tallyroom.server.system.readiness import ReadinessCheck
from tallyroom.server.ui.public_view import PublishedPages
from tallyroom.storage.limits.limits import Window


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
    feeding: Feeding
    renderer: Renderer
    published_bots: PublishedBots
    published_widgets: PublishedWidgets
    published_pages: PublishedPages
    digest_renderer: DigestRenderer
    digest_mailer: DigestMailer
    mails: MailOutbox
    digest_requests: Window
    alert_channels: AlertChannels
    delivery_retries: Retries
    delivery_worker: DeliveryWorker
    back_tests: BackTests
    alert_previews: Previews
    alert_evaluator: AlertEvaluator
    alert_resolutions: Resolutions


def build_dependencies(services: Services) -> Dependencies:
    """Build everything once, on services that are open."""
    clock, database, reader = services.clock, services.database, services.reader
    authenticator, settings = authenticator_of(services), services.settings
    outbound_rules = OutboundRules(tuple(settings.outbound_networks), settings.outbound_http)
    fetcher = GuardedFetcher(outbound_rules)
    windows = Windows(reader, database)
    cache = services.limits.answers()
    external = ExternalReader(database, services.vault, fetcher, clock, cache)
    engine = Engine(reader, database, windows, clock, external)
    statistics, drawers = _statistics(services), 1 if settings.workers > 1 else MAX_PROCESSES
    renderer = Renderer(WorkerPool(settings.font_paths, most=drawers))
    alerting, mailing = alerting_of(services, fetcher, renderer), _mailing(services, engine, windows, renderer)
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
        published_bots=PublishedBots(
            database, statistics.histories, for_a_moment(clock, cache=cache, name="line", type_=Line)
        ),
        renderer=renderer,
        **_lists(services, windows),
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


def _lists(services: Services, windows: Windows) -> dict[str, Any]:
    """Return what lists events, and what they tell, over a time range."""
    reader, clock = services.reader, services.clock
    return {
        "actors": Actors(reader, windows, clock),
        "groups": Groups(reader, services.database, windows, clock),
        "events": Events(reader, services.hidden_events, services.removals, windows, clock),
        "schemas": Schemas(reader, windows, clock),
        "exports": Exports(reader, windows, services.spool, services.drain, services.database.peers),
    }


def erasure_of(services: Services) -> Erasure:
    """Build what erases, here or together with other workers."""
    parts = services.spool, services.drain, services.writer, services.removals.tell
    if not services.settings.db_dsn:
        return Erasure(*parts)
    return SharedErasure(*parts, services.database, services.clock, services.ids)


def _statistics(services: Services) -> StatisticsServices:
    database, outbox, clock = services.database, services.outbox, services.clock
    queries = services.listing_queries
    directories = Directories(database, queries, outbox, clock)
    return StatisticsServices(database, directories, Records(database, directories), Histories(queries, outbox, clock))


def _feeding(services: Services) -> Feeding:
    clock = services.clock
    database, outbox, queries = services.database, services.outbox, services.listing_queries
    feed, known_rows = Feed(database, outbox, queries, clock), KnownRows(database, queries, outbox)
    return Feeding(feed, known_rows, services.imports, clock, creates=services.settings.feed_creates)


def _mailing(services: Services, engine: Engine, windows: Windows, renderer: Renderer) -> dict[str, Any]:
    """Return what renders digests, what mails them, and what sends all other mails."""
    database, public_url = services.database, services.settings.public_url
    digest_renderer = DigestRenderer(database, engine, windows, AnswerPictures(renderer).png, public_url)
    mailer = DigestMailer(database, digest_renderer, services.mailer, services.shared_clock, services.ids, public_url)
    requests = services.limits.window("digests", MAX_REQUESTS)
    mails = MailOutbox(database, services.mailer, services.vault, services.shared_clock, services.ids)
    return {"digest_renderer": digest_renderer, "digest_mailer": mailer, "digest_requests": requests, "mails": mails}


def _readiness(services: Services) -> ReadinessCheck:
    return ReadinessCheck(
        database=services.database,
        spool=services.spool,
        drain=services.drain,
        disk=services.disk,
        directory=services.directory,
        damages=services.soundness.damages,
        reader=services.reader,
        stopping=services.stopping,
        clock=SharedClock(services.clock, services.database.peers),
        version=running_version(),
    )
