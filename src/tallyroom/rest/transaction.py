"""Gives each request one transaction, which no code commits by hand."""

from collections.abc import AsyncGenerator
from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.types import Scope

from tallyroom.rest.methods import SAFE_METHODS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.transaction import Transaction

_TRANSACTION_KEY = "open_transaction"


async def provide_transaction(request: Request[Any, Any, Any], state: State) -> AsyncGenerator[Session, None]:
    """Provide the request's transaction, which ends before the answer is sent (tests/rest/test_transaction.py)."""
    database: Database = state.database
    transaction = database.session(write=request.method not in SAFE_METHODS)
    async with transaction as session:
        request.scope["state"][_TRANSACTION_KEY] = transaction
        yield session


async def roll_back(_error: Exception, scope: Scope) -> None:
    """End the transaction of a failed request: the framework forgets it if another dependency raises."""
    transaction: Transaction | None = scope["state"].pop(_TRANSACTION_KEY, None)
    if transaction is not None:
        await transaction.close()
