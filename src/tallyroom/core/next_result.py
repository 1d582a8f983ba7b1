"""A computation that is shared by all who ask for it before it begins."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Request = TypeVar("Request")
Result = TypeVar("Result")


class NextResult(Generic[Request, Result]):
    """Computes one result for all requests that came while the last one was computed.

    A result is never older than the request: it comes from a computation that began afterwards. A computation that no
    caller waits for any longer is cancelled.
    """

    def __init__(self, compute: Callable[[list[Request]], Awaitable[Result]]) -> None:
        self._compute = compute
        self._next: _Computation[Request, Result] | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether no result is being computed or waited for."""
        return self._task is None

    async def get(self, request: Request) -> Result:
        """Return the next result, for this request and others; raises what the computation raises."""
        computation = self._next = self._next or _Computation()
        computation.requests.append(request)
        if self._task is None:
            self._task = asyncio.create_task(self._compute_until_idle())
        return await computation.wait()

    async def _compute_until_idle(self) -> None:
        try:
            while self._next is not None:
                computation, self._next = self._next, None
                await computation.run(self._compute)
        finally:
            self._task = None


class _Computation(Generic[Request, Result]):
    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._result: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._task: asyncio.Future[Result] | None = None
        self._waiter_count = 0

    async def wait(self) -> Result:
        self._waiter_count += 1
        try:
            return await asyncio.shield(self._result)
        finally:
            self._waiter_count -= 1
            if not self._waiter_count and self._task is not None:
                self._task.cancel()  # without effect when it is done

    async def run(self, compute: Callable[[list[Request]], Awaitable[Result]]) -> None:
        if not self._waiter_count:
            return
        self._task = asyncio.ensure_future(compute(self.requests))
        await asyncio.wait([self._task])
        if self._task.cancelled():
            self._result.cancel()
        elif (error := self._task.exception()) is not None:
            self._result.set_exception(error)
            self._result.exception()  # marks it as retrieved, because all callers may have left
        else:
            self._result.set_result(self._task.result())
