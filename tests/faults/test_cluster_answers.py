"""Whichever worker is asked, the public sees one answer (rules/boards#public-answers)."""

from collections.abc import Callable

import httpx
import pytest

from harness.builders.published_dashboard import Page
from harness.servers.redis import RedisServer
from harness.servers.site import MakeHost

_WORKERS = 2


def answers_of_all(ask: Callable[[], httpx.Response]) -> set[str]:
    """What all workers answer, as far as they differ; each request is of a new connection."""
    bodies, workers = set(), set()
    while len(workers) < _WORKERS:
        answer = ask()
        assert answer.status_code == 200, answer.text
        bodies.add(answer.text)
        workers.add(answer.headers["x-request-id"].partition("-")[0])
    return bodies


@pytest.mark.long
def test_a_public_page_has_one_answer_at_all_workers(make_host: MakeHost, own_redis: RedisServer) -> None:
    page = Page(make_host(_WORKERS, limits_dsn=own_redis.dsn).workspace)
    for widget in page.widgets:
        [answer] = answers_of_all(lambda widget=widget: page.data(widget["id"]))  # type: ignore[misc] # asked at once
        assert "computedAt" in answer
