"""Answers a question without saving it, as a widget would show it."""

from tallyroom.analytics.configs import kind_of, sent_config
from tallyroom.analytics.query.schemas import QueryIn
from tallyroom.auth.scope import scope_of
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.db.connection import Database
from tallyroom.engine.answer import Engine, WidgetQuestion
from tallyroom.engine.config import Result


async def answer(database: Database, engine: Engine, principal: SessionPrincipal, body: QueryIn) -> Result:
    """Return the answer of a widget of this type and config.

    Raises:
        ValidationFailed: no such type or environment, or a config that does not fit the type.
        Unavailable: the event store cannot answer now, or not within its limits.
    """
    kind = kind_of(body.type)
    config = await sent_config(kind, body.config)
    scope = scope_of(principal, body.environment, database)
    return await engine.answer(WidgetQuestion(scope=scope, time_range=body.time_range, kind=kind, config=config))
