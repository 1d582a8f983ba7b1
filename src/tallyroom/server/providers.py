"""What the app provides to handlers that ask for it (`rest/injected`), by name."""

from collections.abc import Mapping

from litestar.di import Provide

from tallyroom.auth.guards import provide_principal, provide_session_principal, provide_stats_principal
from tallyroom.auth.recheck import provide_db
from tallyroom.rest.transaction import provide_transaction


def providers(services: Mapping[str, object]) -> dict[str, Provide]:
    """Return the providers of `services`, the same for every request, and of what each request has of its own."""
    return {name: _always(service) for name, service in services.items()} | {
        "transaction": Provide(provide_transaction),
        "db": Provide(provide_db),
        "principal": Provide(provide_session_principal),
        "stats_principal": Provide(provide_stats_principal),
        "principal_or_key": Provide(provide_principal),
    }


def _always(service: object) -> Provide:
    return Provide(lambda: service, sync_to_thread=False)
