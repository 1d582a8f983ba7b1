"""Hosts with workers, and the servers that have their data, each at a node of a network."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from harness.clients.ledger import Ledger
from harness.clients.load import BROKEN, Load
from harness.clients.visitors import Visitors
from harness.clients.workspace import Workspace, sign_up
from harness.servers.events_server import front_server
from harness.servers.network import Loopback, Network, Node
from harness.servers.one_of_several import SECRET_KEY
from harness.servers.postgres import new_postgres
from harness.servers.redis import redis_server
from harness.servers.server import Server
from harness.servers.site import free_port
from harness.servers.worker_processes import assigned_workers, workers_of
from harness.stores.directory_counts import read_held
from harness.stores.metadata import dsn_of
from harness.suite.patience import wait_until

WORKERS = (2, 1, 1)
"""How many workers each host has: one host with a parent is enough."""

_WORKERS_MODULE = "tallyroom.server.workers"

# It is never idle for too long, so only the end of its connection ends it.
_HOLD = """
import asyncio, sys
from tallyroom.cluster.postgresql.database import WRITE_LOCK
from tallyroom.cluster.postgresql.server import connect

async def hold():
    connection = await connect(sys.argv[1], idle_in_transaction_session_timeout="0", lock_timeout="0")
    await connection.execute("BEGIN")
    await connection.execute(f"SELECT pg_advisory_xact_lock({WRITE_LOCK})")
    print("held", flush=True)
    await asyncio.sleep(3600)

asyncio.run(hold())
"""


class Host:
    """One of the hosts, with its own senders and visitors.

    Attributes:
        node: where it is.
        server: the parent of its workers.
        keyless: senders without an Idempotency-Key, who send to it alone.
        visitors: people who ask it alone.
    """

    keyless: Load
    visitors: Visitors

    def __init__(self, node: Node, server: Server) -> None:
        self.node = node
        self.server = server

    def worker_pids(self) -> list[int]:
        """The processes of its workers; none if it serves alone."""
        return assigned_workers(self.server.process.pid, _WORKERS_MODULE)

    def child_pids(self) -> list[int]:
        """The processes of its workers, and the one in reserve."""
        return workers_of(self.server.process.pid, _WORKERS_MODULE)

    def checks(self) -> list[Callable[[], None]]:
        """Each returns when some of its people get things done."""
        return [self.visitors.are_well, partial(self.keyless.wait_for, 202, 5)]

    def are_well(self) -> None:
        """Return when everybody here gets things done."""
        for check in self.checks():
            check()


class Cluster:
    """The hosts and their servers.

    Args:
        stack: what ends with the test.
        folder: for all of their data.
        seed: decides what is sent.
        network: where they are.
        words: for some hosts, by number, words before the command, as for another clock or program.
        workers: how many workers each host has.
        settings: further settings of all hosts.

    Attributes:
        database: the node of PostgreSQL.
        events: that of the events.
        limits: that of Redis.
        postgres: what runs on the first.
        front: what runs on the second.
        redis: what runs on the third.
        hosts: the hosts.
        servers: the settings that name those servers.
        ledger: what everybody has sent.
        keyed: senders with an Idempotency-Key, who go on to the next host if they get no answer.
    """

    keyed: Load

    def __init__(
        self,
        stack: ExitStack,
        folder: Path,
        seed: int,
        network: Network | Loopback,
        words: dict[int, Sequence[str]] | None = None,
        workers: Sequence[int] = WORKERS,
        **settings: Any,
    ) -> None:
        self._settings = settings
        self._port = free_port()
        self._folder = folder / "hosts"
        self._seed = count(seed * 1000)
        self.ledger = Ledger()
        self.database, self.events, self.limits = map(network.add, ("postgresql", "clickhouse", "redis"))
        self.postgres = stack.enter_context(new_postgres(_elsewhere(self.database)))
        self.front = stack.enter_context(front_server(folder / "events", self.events))
        self.redis = stack.enter_context(redis_server(_elsewhere(self.limits)))
        dsn = dsn_of(self.postgres.url)
        self.servers = {"db_dsn": dsn, "limits_dsn": self.redis.dsn, "secret_key": SECRET_KEY} | self.front.settings()
        self.hosts: list[Host] = []
        nodes = [network.add(f"host-{number}") for number in range(len(workers))]
        for number, node in enumerate(nodes):
            self.hosts.append(Host(node, self._server(node, workers[number], (words or {}).get(number, ()))))
            stack.callback(_kill, self.hosts[-1].server)
            self.hosts[-1].server.start()
        self.workspace: Workspace = sign_up(self.hosts[0].server.url)

    def _server(self, node: Node, workers: int, before: Sequence[str]) -> Server:
        words = " ".join([*node.command, *before])  # those of `ulimit` end in a command of our own
        return Server(
            self._folder / (node.name or node.address),
            host=node.address,
            port=self._port,
            limits=f'-c 0 && exec {words} "$@" #' if words else "",
            servers=self.servers,
            workers=str(workers),
            ingest_rate_per_minute="600000",
            fresh_wait_ms="500",
            log_level="info",
            **self._settings,
        )

    def begin(self) -> None:
        """Let everybody come, and return when all is well."""
        urls = [host.server.url for host in self.hosts]
        addresses = [host.node.address for host in self.hosts]
        for host in self.hosts:
            host.visitors = Visitors(self.workspace, self.ledger, host.server.url, urls)
        self.keyed = self._load(addresses, threads=3, pause=0.2, keyed=1, patience=15)
        for host in self.hosts:
            host.keyless = self._load([host.node.address], threads=1, pause=0.05, keyed=0)
            host.visitors.start()
        self.are_well()

    def _load(self, hosts: list[str], **options: float) -> Load:
        made = Load(
            self._port,
            self.workspace.key,
            self.ledger,
            seed=next(self._seed),
            largest=20,
            hosts=hosts,
            **options,  # type: ignore[arg-type] # options of any sort
        )
        return made.start()

    def are_well(self) -> None:
        """Return when everybody gets things done, from now on."""
        checks = [check for host in self.hosts for check in host.checks()]
        checks.append(partial(self.keyed.wait_for, 202, 10))
        with ThreadPoolExecutor(len(checks)) as threads:
            for outcome in [threads.submit(check) for check in checks]:
                outcome.result()

    @contextmanager
    def change_held_at(self, host: Host) -> Iterator[None]:
        """A process on a host has begun a change, and does not end it while a block runs."""
        command = [*host.node.command, sys.executable, "-c", _HOLD, self.servers["db_dsn"]]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdout
            assert holder.stdout.readline() == "held\n"
            try:
                yield
            finally:
                holder.kill()

    def account(self) -> None:
        """Stop everything; nothing was lost or counted twice, and no answer was a fault of a server."""
        self.stop()
        held = read_held(self._folder, (), [self.servers["events_dsn"], self.servers["events_reader"]])
        self.ledger.check(held)
        assert held.used == {self.workspace.workspace_id: held.acked}

    def stop(self) -> None:
        """Let everybody leave, and stop the hosts once everything is delivered."""
        self.are_well()
        for host in self.hosts:
            host.visitors.finish()
        for load in (self.keyed, *(host.keyless for host in self.hosts)):
            load.finish()
            assert set(load.statuses) <= {202, 409, 503, BROKEN}, load.statuses
        wait_until(lambda: all(map(_is_delivered, self._folder.rglob("spool.sqlite"))))
        for host in self.hosts:
            assert host.server.stop() == 0, host.server.text()[-5000:]


def _is_delivered(spool: Path) -> bool:
    """Whether the event store has all that a worker has acknowledged."""
    with closing(sqlite3.connect(spool)) as connection:
        numbers = dict(connection.execute("SELECT name, value FROM number"))
    return bool(numbers["acked"] == numbers["stored"])


def _elsewhere(node: Node) -> Node | None:
    return node if node.name else None


def _kill(server: Server) -> None:
    if server._process is not None and server.process.poll() is None:
        server.kill()
