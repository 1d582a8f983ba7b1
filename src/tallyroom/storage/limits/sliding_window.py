"""A rate limit in the memory of this process (rules/events#rate)."""

import math
from collections import deque

from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited
from tallyroom.storage.limits.limits import RateLimit

WINDOW_SECONDS = 60


class SlidingWindow(RateLimit):
    """Counts admitted requests by second and client, without a lock; used on one event loop.

    A request counts in its own second and the 60 after it, so no 60 seconds contain more than the limit; 0 is none.
    """

    def __init__(
        self, name: str, limit_per_minute: int, clock: Clock, refusal_type: type[RateLimited] = RateLimited
    ) -> None:
        self._name = name
        self._refusal_type = refusal_type
        self.limit = limit_per_minute
        self._clock = clock
        self._total_by_client: dict[str, int] = {}
        self._current_second = 0
        self._current_count_by_client: dict[str, int] = {}
        self._counts_by_second: deque[tuple[int, dict[str, int]]] = deque()

    async def admit(self, client: str) -> None:
        """Count one request of `client`."""
        self.admit_at_once(client)

    def admit_at_once(self, client: str) -> bool:
        """Count one request of `client`, and return True."""
        if not self.limit:
            return True
        now_s = self._clock.monotonic()
        second = math.floor(now_s)
        if second != self._current_second or not self._counts_by_second:
            self._begin_second(second)
        total = self._total_by_client.get(client, 0)
        if total >= self.limit:
            raise self._build_refusal(client, now_s)
        self._total_by_client[client] = total + 1
        self._current_count_by_client[client] = self._current_count_by_client.get(client, 0) + 1
        return True

    def _begin_second(self, second: int) -> None:
        while self._counts_by_second and self._counts_by_second[0][0] < second - WINDOW_SECONDS:
            _, count_by_client = self._counts_by_second.popleft()
            for client, count in count_by_client.items():
                self._total_by_client[client] -= count
                if not self._total_by_client[client]:
                    del self._total_by_client[client]
        self._current_second = second
        self._current_count_by_client = {}
        self._counts_by_second.append((second, self._current_count_by_client))

    def _build_refusal(self, client: str, now_s: float) -> RateLimited:
        oldest_second = next(second for second, count_by_client in self._counts_by_second if client in count_by_client)
        wait_seconds = max(1, math.ceil(oldest_second + WINDOW_SECONDS + 1 - now_s))
        return build_refusal(self._refusal_type, self._name, self.limit, wait_seconds)


def build_refusal(refusal_type: type[RateLimited], name: str, limit: int, wait_seconds: int) -> RateLimited:
    """Build the error for a client that may retry in `wait_seconds` seconds."""
    return refusal_type(
        f"more than {limit} requests in {WINDOW_SECONDS} seconds; try again in {wait_seconds} s",
        retry_after=wait_seconds,
        headers={
            "ratelimit-policy": f'"{name}";q={limit};w={WINDOW_SECONDS}',
            "ratelimit": f'"{name}";r=0;t={wait_seconds}',
        },
    )
