"""Bytes of waiting events change on the disk of a real server; it says so and goes on (rules/safety#damaged-events)."""

import json
from contextlib import closing
from random import Random

import httpx
import pytest

from harness.servers.command import call
from harness.servers.site import MakeSite, Site
from tallyroom.storage.spool.file import open_spool_file

ROUNDS, EVENTS = 6, 5


def fill_spool(make_site: MakeSite) -> tuple[Site, list[list[str]]]:
    """A dead server whose spool holds chunks of a few events, and the actors of each."""
    site = make_site().begin("store.insert=block")
    batches = [[f"actor-{site.seed}-{number}-{event}" for event in range(EVENTS)] for number in range(ROUNDS)]
    for actors in batches:
        site.ledger.send(actors)
        events = [{"name": "opened", "_actor": actor, "properties": {"n": 7}} for actor in actors]
        assert site.workspace.send({"events": events}).status_code == 202
    site.server.kill()
    return site, batches


def flip(site: Site, actor: str) -> None:
    """Flip a bit somewhere in the line of an event, in the file itself."""
    path, chance = site.data / "spool.sqlite", Random(site.seed)
    with closing(open_spool_file(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        body = next(bytes(body) for (body,) in connection.execute("SELECT body FROM chunk") if actor.encode() in body)
    line = next(line for line in body.splitlines(keepends=True) if actor.encode() in line)
    at = chance.randrange(len(line))
    changed = line[:at] + bytes([line[at] ^ (1 << chance.randrange(8))]) + line[at + 1 :]
    content = path.read_bytes()
    assert line in content
    path.write_bytes(content.replace(line, changed))


@pytest.mark.long
def test_one_event_is_set_aside_and_everybody_is_told(make_site: MakeSite) -> None:
    site, batches = fill_spool(make_site)
    lost = batches[2][3]
    for actors in batches:
        site.ledger.ack(actor for actor in actors if actor != lost)
    flip(site, lost)
    site.start()
    site.drained()
    ready = httpx.get(f"{site.server.url}/readyz")
    assert (ready.status_code, ready.json()["status"], set(ready.json()["checks"].values())) == (200, "ready", {"ok"})
    [notice] = ready.json()["notices"]
    assert notice.startswith("1 event was put aside")
    assert site.count_of("opened") == ROUNDS * EVENTS - 1
    with site.workspace.client() as client:
        question = {"environment": "production", "timeRange": "1h", "type": "metric"}
        config = {"event": "opened", "measure": "count", "compare": False}
        assert "notices" not in client.post("/v1/query", json=question | {"config": config}).json()
    logged = [json.loads(line) for line in site.server.text().splitlines() if line.startswith("{")]
    assert [line["reason"] for line in logged if line["message"] == "event put aside"] == [
        "Its bytes changed while it waited in the spool."
    ]
    examined = call("doctor", "--data", site.data, "--quick")
    assert "29 in the store + 0 queued + 1 put aside + 0 erased" in examined.stdout
    assert "1 could not be stored and are missing from every answer: 1 with Its bytes changed" in examined.stdout
    held = site.account()
    assert [actor for actor, _, _ in held.dead] == [lost]


@pytest.mark.long
def test_a_bit_of_the_log_loses_nothing_behind_it(make_site: MakeSite) -> None:
    """SQLite would end its log there."""
    site, batches = fill_spool(make_site)
    site.ledger.ack(actor for actors in batches for actor in actors)
    log = site.data / "spool.sqlite-wal"
    content = bytearray(log.read_bytes())
    content[content.index(batches[0][0].encode())] ^= 1
    log.write_bytes(content)
    site.start()
    site.drained()
    assert site.count_of("opened") == ROUNDS * EVENTS
    ready = httpx.get(f"{site.server.url}/readyz").json()
    assert (ready["status"], len(ready["notices"])) == ("ready", 1)
    assert "the spool's log changed on the disk and was repaired" in site.server.text()
