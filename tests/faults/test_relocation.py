"""A server becomes several workers and one server again, while clients keep sending."""

from pathlib import Path
from typing import Any

import pytest

from harness.servers.command import tallyroom
from harness.servers.one_of_several import SECRET_KEY, Several
from harness.servers.redis import RedisServer
from harness.servers.site import MakeSite, Site
from harness.stores.directory_counts import read_held

_OF_THE_MOMENT = {"computedAt", "notices"}
_QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("metric", {"event": "bought", "measure": "sum", "property": "price", "overTime": True}),
    ("metric", {"event": "bought", "measure": "count", "breakdown": "item"}),
    ("kpi", {"items": [{"event": "bought", "measure": "uniq_actors", "label": "Buyers"}]}),
    ("funnel", {"steps": [{"event": "bought"}, {"event": "bought"}], "windowHours": 24}),
]


def tell(site: Site) -> None:
    """What all questions are about, which nobody sends later."""
    site.ledger.send([f"buyer-{number}" for number in range(40)])
    for number in range(40):
        actor, day = f"buyer-{number}", 1 + number % 20
        properties = {"price": number / 4, "item": f"item {number % 3}"}
        event = {
            "name": "bought",
            "_actor": actor,
            "_timestamp": f"2026-01-{day:02}T12:00:00Z",
            "properties": properties,
        }
        assert site.workspace.send(event).status_code == 202
        site.ledger.ack([actor])


def answers(site: Site) -> list[dict[str, Any]]:
    """Those to all questions."""
    span = {"from": "2026-01-01T00:00:00Z", "to": "2026-02-01T00:00:00Z"}
    found = []
    with site.workspace.client() as client:
        for kind, config in _QUESTIONS:
            answer = client.post("/v1/query", json={"environment": "production", "type": kind, "config": config} | span)
            assert answer.status_code == 200, answer.text
            found.append({name: value for name, value in answer.json().items() if name not in _OF_THE_MOMENT})
    return found


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_nothing_is_lost_or_doubled_on_the_way_there_and_back(
    make_site: MakeSite, several: Several, shared_redis: RedisServer, tmp_path: Path
) -> None:
    site = make_site(secret_key=SECRET_KEY).begin()
    tell(site)
    told = answers(site)
    load = site.load(pause=0.2, largest=20)
    load.wait_for(202, 20)
    servers = several.servers | {"limits_dsn": shared_redis.dsn}
    for way, folder, workers in (("--from", site.data, 4), ("--to", tmp_path / "alone", 1)):
        assert site.server.stop() == 0
        done = tallyroom("migrate-store", way, folder, "--data", tmp_path / "workers", servers=servers)
        assert (done.returncode, done.stderr) == (0, "")
        site.server.data = tmp_path / "workers" if workers > 1 else folder
        site.server.servers = servers if workers > 1 else {}
        site.start(workers=str(workers))
        load.wait_for(202, 20)
        assert answers(site) == told
    load.finish()
    site.drained()
    assert site.server.stop() == 0
    held = read_held(site.data)
    site.ledger.check_actors(held.actors)
    assert held.rows == held.ids == held.used[site.workspace.workspace_id]
