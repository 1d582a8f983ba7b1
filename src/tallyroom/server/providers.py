"""What the app provides to handlers by name (`rest/injected`)."""

from collections.abc import Mapping

from litestar.di import Provide

from tallyroom.auth.guards import provide_member_principal, provide_principal, provide_stats_principal
from tallyroom.auth.recheck import provide_db
from tallyroom.rest.transaction import provide_transaction


def build_providers(dependency_by_name: Mapping[str, object]) -> dict[str, Provide]:
    """Return providers for shared dependencies, and for those created for each request."""
    return {name: _provide_always(dependency) for name, dependency in dependency_by_name.items()} | {
        "transaction": Provide(provide_transaction),
        "db": Provide(provide_db),
        "principal": Provide(provide_member_principal),
        "stats_principal": Provide(provide_stats_principal),
        "principal_or_key": Provide(provide_principal),
    }


def _provide_always(dependency: object) -> Provide:
    return Provide(lambda: dependency, sync_to_thread=False)
