"""One request, one transaction, which nobody commits by hand."""

from collections.abc import AsyncGenerator
from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.types import Scope

from tallyroom.core.methods import SAFE_METHODS
from tallyroom.db.connection import Database, Session

_OPEN = "open_transaction"


async def provide_transaction(request: Request[Any, Any, Any], state: State) -> AsyncGenerator[Session, None]:
    """The transaction of `request`: with the write lock for a method that changes something, without for a read.

    The framework resumes this generator after the handler has answered and *before* the answer is sent, and throws
    the handler's exception into it (tests/rest/test_transaction.py holds it to that). So a client that reads 201 can
    rely on it, and a commit that fails is an error to the client.
    """
    database: Database = state.database
    async with database.session(write=request.method not in SAFE_METHODS) as session:
        request.scope["state"][_OPEN] = session
        yield session


async def roll_back(_error: Exception, scope: Scope) -> None:
    """End the transaction of a request that failed; the app runs it after each exception.

    The framework forgets a generator when another dependency of the same handler raises. The write lock would then be
    held until the garbage collector comes by. Otherwise the transaction is over already and this does nothing.
    """
    session: Session | None = scope["state"].pop(_OPEN, None)
    if session is not None:
        await session.close()
