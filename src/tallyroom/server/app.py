"""Wires up the server: the only place that knows every part."""

import warnings
from importlib.resources import files

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import LitestarDeprecationWarning
from litestar.openapi import OpenAPIConfig

from tallyroom.auth.cookies import set_replacement_cookie
from tallyroom.auth.guards import OPEN_GUARDS, require_key
from tallyroom.bots.pictures.race_routes import draw_race
from tallyroom.bots.pictures.routes import draw_bot
from tallyroom.bots.statistics_api.routes import build_statistics_routes
from tallyroom.core.version import VERSION
from tallyroom.dashboards.public.routes import draw_dashboard, draw_widget
from tallyroom.images.cache import PictureCache
from tallyroom.images.routes import image_routes
from tallyroom.ingest.acceptance.accept import OtlpAcceptor
from tallyroom.ingest.admission import AdmissionControl
from tallyroom.ingest.otlp.signals import SIGNALS, Signal
from tallyroom.ingest.post_events import IngestEvents
from tallyroom.ingest.post_otlp import IngestOtlp, OtlpReadLocks
from tallyroom.rest.body_limits import SMALL_BODY_BYTES
from tallyroom.rest.errors import exception_handlers
from tallyroom.rest.hosts import HostFamilies
from tallyroom.rest.requests import build_request_check
from tallyroom.rest.transaction import roll_back
from tallyroom.server.api import analytics_routes
from tallyroom.server.chores import run_chores
from tallyroom.server.dependencies import Dependencies, build_dependencies
from tallyroom.server.openapi.document import build_openapi_document
from tallyroom.server.providers import build_providers
from tallyroom.server.request_entry import FindKeptAnswer, RequestEntry, Route, Shortcut
from tallyroom.server.services import Services
from tallyroom.server.system.reference import Reference
from tallyroom.server.ui.routes import routes as ui_routes
from tallyroom.server.ui.web_app import WebApp

INGEST: Route = ("POST", "/v1/events")
OTLP: dict[Route, Signal] = {("POST", f"/v1/{signal.name}"): signal for signal in SIGNALS.values()}
SHORTCUT_GUARDS = dict.fromkeys((INGEST, *OTLP), require_key)
"""Routes that bypass the framework, each with the guard whose check it performs itself."""


def build_app(services: Services) -> RequestEntry:
    """Build the ASGI application on `services`, which it closes when the server stops."""
    dependencies = build_dependencies(services)
    framework_app = build_framework(services, dependencies)
    ingest_app = _build_ingest(services)
    shortcuts = {INGEST: Shortcut(ingest_app, ingest_app.try_handle_directly), **_build_otlp_shortcuts(services)}
    picture_cache = PictureCache(dependencies.renderer)
    settings = services.settings
    static_folder = files("tallyroom.server.ui").joinpath("static")
    may_sign_in, is_https = dependencies.session_cookies.may_sign_in, settings.is_https
    web_app = WebApp.read(static_folder, settings.platforms, may_sign_in, is_https=is_https)
    answer_finders: list[FindKeptAnswer] = [picture_cache] if web_app is None else [web_app, picture_cache]
    host_families = HostFamilies.of(services.settings)
    return RequestEntry(
        framework_app, shortcuts, dependencies.metrics, services.clock, services.ids, host_families, answer_finders
    )


def build_framework(services: Services, dependencies: Dependencies) -> Litestar:
    """Build the framework's application, with all of its routes."""
    dependency_by_name = {**vars(services), **vars(dependencies)}
    route_handlers = [
        *ui_routes,
        *analytics_routes,
        *build_statistics_routes(services.settings.platforms),
        image_routes(draw_bot, draw_race, draw_widget, draw_dashboard),
    ]
    app = Litestar(
        route_handlers,
        dependencies=build_providers(dependency_by_name, route_handlers),
        state=State(dependency_by_name),
        exception_handlers=exception_handlers,
        lifespan=[lambda _: run_chores(services, dependencies)],
        openapi_config=_openapi_config(),
        before_request=build_request_check(OPEN_GUARDS),
        after_exception=[roll_back],
        before_send=[set_replacement_cookie],
        logging_config=None,
        request_max_body_size=SMALL_BODY_BYTES,
    )
    cookie_name = dependencies.session_cookies.name
    # Built on first use, so that startup does not wait for it.
    app.state.openapi = lambda: build_openapi_document(app, cookie_name)
    return app


def _openapi_config() -> OpenAPIConfig:
    with warnings.catch_warnings():
        # Its successor always adds a page that answers 404 in HTML. Version 3, which pyproject excludes, removes this
        # option.
        warnings.simplefilter("ignore", LitestarDeprecationWarning)
        return OpenAPIConfig(
            "Tallyroom",
            VERSION,
            use_handler_docstrings=True,
            openapi_controller=Reference,  # type: ignore[arg-type] # any controller will do
        )


def _build_ingest(services: Services) -> IngestEvents:
    return IngestEvents(
        _build_admission_control(services),
        services.acceptor,
        services.idempotency_registry,
        services.body_readers,
        services.refusals,
        services.clock,
    )


def _build_otlp_shortcuts(services: Services) -> dict[Route, Shortcut]:
    acceptor, read_locks = OtlpAcceptor(services.acceptor, services.cap), OtlpReadLocks()
    return {
        route: Shortcut(
            IngestOtlp(
                signal,
                _build_admission_control(services),
                acceptor,
                read_locks,
                services.body_readers,
                services.refusals,
                services.clock,
            )
        )
        for route, signal in OTLP.items()
    }


def _build_admission_control(services: Services) -> AdmissionControl:
    return AdmissionControl(services.window, services.key_cache, services.settings.trusted_networks)
