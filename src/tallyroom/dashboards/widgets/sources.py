"""Who may use the workspace's external sources, and for what (rules/boards#external-widget).

A token that is limited to an environment may use none of them, not even through a widget (rules/people#limited-token).
"""

from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import refuse_environment_limited
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.dashboards.kinds.external.kind import EXTERNAL
from tallyroom.dashboards.kinds.external.question import ExternalConfig, check_source
from tallyroom.dashboards.widgets import repository
from tallyroom.queries.config import Config
from tallyroom.queries.repository import find_source_host
from tallyroom.storage.metadata.connection import Session


def check_source_use(principal: MemberPrincipal, config: Config) -> None:
    """Raise `Forbidden` if a limited token would use a config with a source."""
    if isinstance(config, ExternalConfig):
        refuse_environment_limited(principal.token_grant)


async def check_source_choice(
    db: Session, principal: MemberPrincipal, config: Config, outbound_rules: OutboundRules
) -> None:
    """Raise `Forbidden` for a limited token, and `ValidationFailed` for a URL that is not on the host of its source."""
    check_source_use(principal, config)
    if isinstance(config, ExternalConfig):
        check_source(config, await find_source_host(db, principal.workspace_id, config.source_id), outbound_rules)


async def check_dashboard_sources(db: Session, principal: MemberPrincipal, dashboard_id: str) -> None:
    """Raise `Forbidden` if a limited token would publish or preview a dashboard that has an External widget."""
    if principal.environment is not None and await repository.has_widget_of_type(db, dashboard_id, EXTERNAL.name):
        refuse_environment_limited(principal.token_grant)
