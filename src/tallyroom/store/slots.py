"""Decides whose question runs next: a few per workspace at once, workspaces in turn (rules/questions#query-costs)."""

import asyncio
from collections import Counter, OrderedDict, deque

from tallyroom.core.errors import RateLimited, Unavailable

_RETRY_AFTER = 1


class Slots:
    """Slots for running queries; used on one event loop.

    Args:
        total: the number of slots.
        each: the number of slots that one workspace may hold.
        waiting: the number of questions of one workspace that may wait for a slot.
        patience: the seconds after which a waiting question is refused.
    """

    def __init__(self, *, total: int, each: int, waiting: int, patience: float) -> None:
        self._free = total
        self._each = each
        self._most_waiting = waiting
        self._patience = patience
        self._held: Counter[str] = Counter()
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # in turn: the first is next

    @property
    def running(self) -> int:
        """The number of slots that are taken."""
        return self._held.total()

    @property
    def waiting(self) -> int:
        """The number of questions that wait."""
        return sum(len(queue) for queue in self._queues.values())

    async def take(self, workspace_id: str) -> None:
        """Take a slot for a question of a workspace, as soon as it is the question's turn; `give_back` returns it.

        Raises:
            RateLimited: too many questions of the workspace are already waiting.
            Unavailable: the question's turn did not come in time.
        """
        queue = self._queues.setdefault(workspace_id, deque())
        if len(queue) >= self._most_waiting:
            raise RateLimited("Too many questions of this workspace wait for their turn. Try again.", _RETRY_AFTER)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        self._hand_out()
        try:
            async with asyncio.timeout(self._patience):
                await asyncio.shield(turn)
        except BaseException as error:
            self._withdraw(workspace_id, turn)
            if isinstance(error, TimeoutError):
                raise Unavailable("Other questions keep the event store busy. Try again.") from None
            raise

    def give_back(self, workspace_id: str) -> None:
        """Give back a slot taken with `take`."""
        self._held[workspace_id] -= 1
        self._held += Counter()  # drops workspaces that hold none
        self._free += 1
        self._hand_out()

    def _hand_out(self) -> None:
        """Hand free slots to waiting questions: one to each workspace, then another to each."""
        while self._free and (workspace_id := self._next()):
            queue = self._queues.pop(workspace_id)
            self._free -= 1
            self._held[workspace_id] += 1
            queue.popleft().set_result(None)
            if queue:
                self._queues[workspace_id] = queue  # behind the others

    def _next(self) -> str | None:
        return next((each for each, queue in self._queues.items() if queue and self._held[each] < self._each), None)

    def _withdraw(self, workspace_id: str, turn: "asyncio.Future[None]") -> None:
        if turn.done():  # its turn came just as the question was given up
            self.give_back(workspace_id)
            return
        queue = self._queues[workspace_id]
        queue.remove(turn)
        if not queue:
            del self._queues[workspace_id]
