"""A bot's webhook secret: stored encrypted, replaced as a whole, never shown (rules/statistics#webhook-secret)."""

from tallyroom.auth.audit import Action, record
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.core.clock import Clock
from tallyroom.core.ids import Ids
from tallyroom.core.vault import Vault
from tallyroom.db.connection import Session
from tallyroom.statistics.bot_lookup import checked_id, no_such_bot
from tallyroom.statistics.webhook_secret import repository


async def set_secret(
    db: Session, principal: SessionPrincipal, bot_id: str, secret: str, vault: Vault, clock: Clock, ids: Ids
) -> None:
    """Take webhooks of the bot that are signed by `secret`, and no more those signed by the one before.

    Raises:
        ValidationFailed: `bot_id` is no id.
        NotFound: the workspace has no such bot.
    """
    await _has_secret(db, principal.workspace_id, bot_id)
    await repository.store_secret(db, principal.workspace_id, bot_id, vault.encrypt(secret))
    await record(db, principal, Action.WEBHOOK_SECRET_SET, bot_id, {}, clock=clock, ids=ids)


async def delete_secret(db: Session, principal: SessionPrincipal, bot_id: str, clock: Clock, ids: Ids) -> None:
    """Take no signed webhooks of the bot any more; where there is no secret nothing changes.

    Raises:
        ValidationFailed: `bot_id` is no id.
        NotFound: the workspace has no such bot.
    """
    if await _has_secret(db, principal.workspace_id, bot_id):
        await repository.store_secret(db, principal.workspace_id, bot_id, None)
        await record(db, principal, Action.WEBHOOK_SECRET_DELETE, bot_id, {}, clock=clock, ids=ids)


async def _has_secret(db: Session, workspace_id: str, bot_id: str) -> bool:
    found = await repository.bot_has_secret(db, workspace_id, checked_id("id", bot_id))
    if found is None:
        raise no_such_bot()
    return found
