"""A stop, and a kill, while pictures are drawn: whoever waits is told, and no process stays."""

import threading
import time
from typing import Any

import httpx
import pytest

from harness.servers.site import MakeSite
from harness.servers.worker_processes import drawing_for, runs
from harness.suite.patience import PATIENCE

POINTS = [{"id": str(at % 50), "x": at, "y": at * 7919 % 101} for at in range(10_000)]


@pytest.mark.parametrize("end", ["stop", pytest.param("kill", marks=pytest.mark.long)])
def test_whoever_waits_is_told_and_no_process_stays(make_site: MakeSite, end: str) -> None:
    site = make_site()
    site.start()
    statuses: list[Any] = []

    def ask(number: int) -> None:
        body = {"name": str(number), "data_points": POINTS, "width": 2000, "height": 2000, "fill": False}
        try:
            statuses.append(httpx.post(f"{site.server.url}/custom/render.png", json=body, timeout=60).status_code)
        except httpx.TransportError:
            statuses.append("broken")

    clients = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
    for client in clients:
        client.start()
    deadline = time.monotonic() + PATIENCE
    while len(processes := drawing_for(site.server.process.pid)) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.3)
    if end == "stop":
        assert site.server.stop() == 0
    else:
        site.server.kill()
    for client in clients:
        client.join()
    assert set(statuses) <= ({200, 503} if end == "stop" else {200, "broken"}), statuses
    while any(map(runs, processes)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
