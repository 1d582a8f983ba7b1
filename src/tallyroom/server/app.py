"""Wires up the server: the only place that knows every part."""

import warnings
from importlib.resources import files

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import LitestarDeprecationWarning
from litestar.openapi import OpenAPIConfig

from tallyroom.auth.earlier_cookies import set_replacement
from tallyroom.auth.guards import OPEN_GUARDS, require_key
from tallyroom.bots.pictures.routes import draw_bot
from tallyroom.bots.statistics_api.context import provide_context
from tallyroom.bots.statistics_api.routes import statistics_routes
from tallyroom.core.version import VERSION
from tallyroom.dashboards.public.picture_routes import draw_dashboard, draw_widget
from tallyroom.images.cache import PictureCache
from tallyroom.images.routes import image_routes
from tallyroom.ingest.acceptance.accept_otlp import OtlpAcceptor
from tallyroom.ingest.admission import AdmissionControl
from tallyroom.ingest.otlp.signals import SIGNALS, Signal
from tallyroom.ingest.post_events import IngestEvents
from tallyroom.ingest.post_otlp import OtlpReadLocks, ReceiveOtlp
from tallyroom.rest.body_limits import SMALL_BODY_BYTES
from tallyroom.rest.errors import exception_handlers
from tallyroom.rest.hosts import Hosts
from tallyroom.rest.requests import build_request_check
from tallyroom.rest.transaction import roll_back
from tallyroom.server.api import analytics_routes
from tallyroom.server.chores import running
from tallyroom.server.dependencies import Dependencies, build_dependencies
from tallyroom.server.openapi.document import openapi_document
from tallyroom.server.providers import providers
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
    app = build_framework(services, dependencies)
    ingest = _ingest(services)
    shortcuts = {INGEST: Shortcut(ingest, ingest.handle_directly), **_otlp(services)}
    pictures = PictureCache(dependencies.renderer)
    settings = services.settings
    folder = files("tallyroom.server.ui").joinpath("static")
    may_sign_in, secure = dependencies.session_cookies.may_sign_in, settings.secure_cookies
    web_app = WebApp.read(folder, settings.platforms, may_sign_in, secure=secure)
    answers: list[FindKeptAnswer] = [pictures] if web_app is None else [web_app, pictures]
    hosts = Hosts.of(services.settings)
    return RequestEntry(app, shortcuts, dependencies.metrics, services.clock, services.ids, hosts, answers)


def build_framework(services: Services, dependencies: Dependencies) -> Litestar:
    """Build the framework's application, with every route that it serves."""
    by_name = {**vars(services), **vars(dependencies)}
    app = Litestar(
        route_handlers=[
            *ui_routes,
            *analytics_routes,
            *statistics_routes(services.settings.platforms),
            image_routes(draw_bot, draw_widget, draw_dashboard),
        ],
        dependencies=providers(by_name) | {"context": Provide(provide_context)},
        state=State(by_name),
        exception_handlers=exception_handlers,
        lifespan=[lambda _: running(services, dependencies)],
        openapi_config=_openapi_config(),
        before_request=build_request_check(OPEN_GUARDS),
        after_exception=[roll_back],
        before_send=[set_replacement],
        logging_config=None,
        request_max_body_size=SMALL_BODY_BYTES,
    )
    cookie = dependencies.session_cookies.name
    # Built on first use, so that startup need not wait for it.
    app.state.openapi = lambda: openapi_document(app, cookie)
    return app


def _openapi_config() -> OpenAPIConfig:
    with warnings.catch_warnings():
        # Its successor always adds a page of its own that answers 404 in HTML. Version 3, which pyproject excludes,
        # removes this option.
        warnings.simplefilter("ignore", LitestarDeprecationWarning)
        return OpenAPIConfig(
            "Tallyroom",
            VERSION,
            use_handler_docstrings=True,
            openapi_controller=Reference,  # type: ignore[arg-type] # any controller will do
        )


def _ingest(services: Services) -> IngestEvents:
    return IngestEvents(
        _admission_control(services),
        services.acceptor,
        services.replays,
        services.body_readers,
        services.refusals,
        services.clock,
    )


def _otlp(services: Services) -> dict[Route, Shortcut]:
    acceptor, read_locks = OtlpAcceptor(services.acceptor, services.cap), OtlpReadLocks()
    return {
        route: Shortcut(
            ReceiveOtlp(
                signal,
                _admission_control(services),
                acceptor,
                read_locks,
                services.body_readers,
                services.refusals,
                services.clock,
            )
        )
        for route, signal in OTLP.items()
    }


def _admission_control(services: Services) -> AdmissionControl:
    return AdmissionControl(services.window, services.key_cache, services.settings.trusted_networks)
