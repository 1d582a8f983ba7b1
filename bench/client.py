"""What the Python client costs: a bare `track`, and events end to end beside the same events through httpx.

``python -m bench.client`` takes half a minute. The client and httpx send the same events to the same server, in turn,
httpx in batches of 500 without any queue; end to end ends with the last acknowledgement.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx

from bench.product import Product
from tallyroom_client import Tallyroom
from tallyroom_client.timestamps import iso_time

_BATCH = 500
_NOWHERE = "http://127.0.0.1:9"


def _properties(number: int) -> dict[str, Any]:
    return {"total": 42.5, "number": number, "items": ["tea", "cup"], "plan": "pro"}


def _track(client: Tallyroom, event_count: int) -> list[float]:
    """Return the seconds of each call."""
    seconds = []
    for number in range(event_count):
        start = time.perf_counter()
        client.track("order.placed", actor="customer-17", label="Customer 17", properties=_properties(number))
        seconds.append(time.perf_counter() - start)
    return seconds


def _send_by_client(product: Product, event_count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        client = Tallyroom(product.account.key, f"http://127.0.0.1:{product.port}", queue=folder)
        _track(client, event_count)
        if not client.close(120):
            raise RuntimeError("the server did not accept everything in two minutes")


def _send_by_hand(product: Product, event_count: int) -> None:
    headers = {"Authorization": f"Bearer {product.account.key}"}
    with httpx.Client(base_url=f"http://127.0.0.1:{product.port}", headers=headers, timeout=60) as client:
        for first in range(0, event_count, _BATCH):
            events = [
                {
                    "name": "order.placed",
                    "_actor": "customer-17",
                    "_actorLabel": "Customer 17",
                    "_timestamp": iso_time(time.time_ns() // 1_000_000),
                    "properties": _properties(number),
                }
                for number in range(first, first + _BATCH)
            ]
            client.post("/v1/events", json={"events": events}).raise_for_status()


def _events_per_second(send: Callable[[Product, int], None], product: Product, event_count: int) -> float:
    start = time.perf_counter()
    send(product, event_count)
    return event_count / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds = _track(Tallyroom("k", _NOWHERE, queue=folder), min(arguments.events, 100_000))
    print(
        f"track: median {median(seconds) * 1e6:.1f} µs, p99 {quantiles(seconds, n=100)[-1] * 1e6:.1f} µs (bar: 20 µs)"
    )
    with tempfile.TemporaryDirectory() as folder:
        product = Product(Path(folder))
        rounds = [
            [_events_per_second(send, product, arguments.events) for send in (_send_by_client, _send_by_hand)]
            for _ in range(arguments.rounds)
        ]
        product.stop()
    by_client, by_hand = (median(speeds) for speeds in zip(*rounds, strict=True))
    print(f"end to end: {by_client:,.0f} events/s (bar: 20,000), by hand {by_hand:,.0f}")
    print(f"ratio: {median(client / hand for client, hand in rounds):.2f} × (bar: 0.7 ×)")


if __name__ == "__main__":
    main()
