"""Requests that are sent in the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import httpx


def at_once(*requests: Callable[[], httpx.Response]) -> list[int]:
    """Send them together; their statuses, sorted."""
    barrier = Barrier(len(requests))

    def send(request: Callable[[], httpx.Response]) -> int:
        barrier.wait()
        return request().status_code

    with ThreadPoolExecutor(len(requests)) as threads:
        return sorted(threads.map(send, requests))
