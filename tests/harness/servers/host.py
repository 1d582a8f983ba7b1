"""A host: a site with a parent and its workers."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from harness.clients.load import BROKEN, Load
from harness.servers.events_server import FrontServer
from harness.servers.site import MakeSite, Site, free_port
from harness.servers.worker_processes import assigned_workers
from harness.suite.patience import wait_until


def begin_host(make_site: MakeSite, events_server: FrontServer, workers: int, **more: str) -> Site:
    """A site with a parent and that many workers, whose metadata is on the server of the test, and more servers."""
    servers = events_server.settings() | more
    port = str(free_port())
    site = make_site(servers=servers, workers=str(workers), log_level="info", fresh_wait_ms="60000", metrics_port=port)
    (site.data / "workers").mkdir(parents=True)  # so that there is a parent for one worker, too
    return site.begin()


def children(site: Site) -> list[int]:
    """The processes of the workers, of an earlier program as well."""
    return assigned_workers(site.server.process.pid, ".workers")


def serving(site: Site) -> set[str]:
    """The workers that run and are ready, as far as the parent has said."""
    said = [json.loads(line) for line in site.server.output if '.workers.supervisor"' in line]
    last = {line["child"]: line["message"] for line in said}
    return {name for name, message in last.items() if message.startswith("a worker serves")}


def acked(spool: Path) -> int:
    """How many events a worker has acknowledged."""
    with closing(sqlite3.connect(spool)) as connection:
        [(number,)] = connection.execute("SELECT value FROM number WHERE name = 'acked'")
    return int(number)


def account(site: Site, workers: int, *loads: Load) -> None:
    """What a worker that is killed leaves in its spool, the next one delivers."""
    wait_until(lambda: len(serving(site)) == workers)
    for load in loads:
        load.finish()
        assert set(load.statuses) <= {202, 409, 503, BROKEN}, load.statuses
    site.account_stopped()
