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
    """Provide the transaction of `request`, with the write lock if its method may change something.

    The framework resumes this generator after the handler has answered and *before* the answer is sent, and throws
    the handler's exception into it (tests/rest/test_transaction.py checks this). So a client that reads 201 can
    rely on it, and the client learns of a commit that fails.
    """
    database: Database = state.database
    transaction = database.session(write=request.method not in SAFE_METHODS)
    async with transaction as session:
        request.scope["state"][_TRANSACTION_KEY] = transaction
        yield session


async def roll_back(_error: Exception, scope: Scope) -> None:
    """End the transaction of a request that failed; the app calls this after each exception.

    The framework forgets a generator when another dependency of the same handler raises. The write lock would then be
    held until the next garbage collection. In all other cases the transaction is already over, and this does nothing.
    """
    transaction: Transaction | None = scope["state"].pop(_TRANSACTION_KEY, None)
    if transaction is not None:
        await transaction.close()
