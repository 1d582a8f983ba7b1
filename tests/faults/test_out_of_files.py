"""A process that cannot open more files reports it, loses nothing, and recovers (rules/safety#too-many-open-files)."""

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from harness.servers.site import MakeSite, Site
from harness.suite.patience import PATIENCE

MOST_FILES = 300

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, nobody counts a process's files")


def files(site: Site) -> int:
    return sum(1 for _ in Path(f"/proc/{site.server.process.pid}/fd").iterdir())


@contextmanager
def used_up(site: Site) -> Iterator[None]:
    """Connect until the server may open nothing more, and again whenever it may while the block runs."""
    with ExitStack() as held:
        deadline = time.monotonic() + PATIENCE
        while files(site) < MOST_FILES:
            assert time.monotonic() < deadline, f"{files(site)} files are open"
            held.enter_context(socket.create_connection(("127.0.0.1", site.server.port)))
        yield


def ask(client: httpx.Client, number: int) -> httpx.Response:
    """A question that nobody has asked before, so that no answer is kept."""
    config = {"event": f"e{number}", "measure": "count"}
    question = {"environment": "production", "timeRange": "1h", "type": "metric", "config": config}
    return client.post("/v1/query", json=question)


@pytest.mark.long
def test_questions_are_503_and_the_engine_comes_back(make_site: MakeSite) -> None:
    site = make_site(limits=f"-n {MOST_FILES}").begin()
    sent = [f"actor-{number}" for number in range(20)]
    site.ledger.send(sent)
    client, asked, statuses = site.workspace.client(), 0, []
    with client, httpx.Client(headers={"authorization": f"Bearer {site.workspace.key}"}, timeout=PATIENCE) as sender:

        def send(actor: str) -> None:
            answer = sender.post(f"{site.server.url}/v1/events", json={"name": "e0", "_actor": actor})
            assert answer.status_code in {202, 503}, answer.text
            if answer.status_code == 202:
                site.ledger.ack([actor])

        client.timeout = httpx.Timeout(PATIENCE)
        assert ask(client, 0).status_code == 200
        send(sent[0])
        for _ in range(3):
            with used_up(site):
                for actor in sent[1 + asked : 5 + asked]:
                    asked += 1
                    answer = ask(client, asked)
                    statuses.append(answer.status_code)
                    assert answer.status_code in {200, 503}, answer.text
                    assert (answer.status_code == 503) == ("retry-after" in answer.headers)
                    send(actor)
                    assert client.get("/readyz").json()["checks"]["parts"] == "ok"
        assert 503 in statuses
        for actor in sent[1 + asked :]:
            send(actor)
        site.drained()
        assert ask(client, 0).json()["value"] == site.ledger.acked
    assert "a request failed" not in site.server.text()
    assert site.ledger.acked >= len(sent) - asked
    site.account()


@pytest.mark.long
def test_a_stop_waits_for_files_and_loses_nothing(make_site: MakeSite) -> None:
    site = make_site(limits=f"-n {MOST_FILES}", stop_seconds="1").begin("store.insert=block")
    actors = [f"actor-{number}" for number in range(10)]
    site.ledger.send(actors)
    assert site.workspace.send({"events": [{"name": "e", "_actor": actor} for actor in actors]}).status_code == 202
    site.ledger.ack(actors)
    with used_up(site):
        site.server.process.terminate()
        assert site.server.wait() == 0
    site.start()
    site.account()
