"""PUT and DELETE /v1/statistics/bots/:id/webhook-secret."""

from litestar import Router, delete, put
from litestar.params import FromPath, JSONBody

from tallyroom.auth.guards import require_developer
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.ids import Ids
from tallyroom.core.vault import Vault
from tallyroom.db.connection import Session
from tallyroom.rest.injected import Injected
from tallyroom.statistics.webhook_secret import service
from tallyroom.statistics.webhook_secret.schemas import WebhookSecretIn


@put("/", guards=[require_developer], status_code=204)
async def set_webhook_secret(
    bot_id: FromPath[str],
    data: JSONBody[WebhookSecretIn],
    db: Injected[Session],
    principal: Injected[SessionPrincipal],
    vault: Injected[Vault],
    clock: Injected[Clock],
    ids: Injected[Ids],
) -> None:
    """Set the secret by which a bot list signs the webhooks of a bot; nothing will show it again."""
    await service.set_secret(db, principal, bot_id, data.secret, vault, clock, ids)


@delete("/", guards=[require_developer], status_code=204)
async def delete_webhook_secret(
    bot_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[SessionPrincipal],
    clock: Injected[Clock],
    ids: Injected[Ids],
) -> None:
    """Forget the secret: signed webhooks of the bot are refused from now on."""
    await service.delete_secret(db, principal, bot_id, clock, ids)


routes = Router(
    path="/v1/statistics/bots/{bot_id:str}/webhook-secret",
    route_handlers=[set_webhook_secret, delete_webhook_secret],
    tags=["statistics"],
)
