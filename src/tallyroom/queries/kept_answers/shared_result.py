"""A computation that is shared by all who ask for it before it begins."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Request = TypeVar("Request")
Result = TypeVar("Result")


class NextResult(Generic[Request, Result]):
    """Computes one result for all requests that came while the last one was computed.

    A result is never older than the request: it comes from a computation that began afterwards.
    """

    def __init__(self, compute: Callable[[list[Request]], Awaitable[Result]]) -> None:
        self._compute = compute
        self._waiting_requests: list[Request] = []
        self._next_result: asyncio.Future[Result] | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether no result is being computed or waited for."""
        return self._task is None

    async def get(self, request: Request) -> Result:
        """Return the next result, for this request and others; raises what the computation raises."""
        self._waiting_requests.append(request)
        if self._next_result is None:
            self._next_result = asyncio.get_running_loop().create_future()
        if self._task is None:
            self._task = asyncio.create_task(self._compute_until_idle())
        return await asyncio.shield(self._next_result)

    async def _compute_until_idle(self) -> None:
        try:
            while self._next_result is not None:
                requests, result = self._waiting_requests, self._next_result
                self._waiting_requests, self._next_result = [], None
                try:
                    result.set_result(await self._compute(requests))
                except Exception as error:  # noqa: BLE001 # whoever waits gets it
                    result.set_exception(error)
                    result.exception()  # marks it as retrieved, because all callers may have left
                except BaseException:
                    result.cancel()
                    raise
        finally:
            self._task = None
