"""A server that may be killed, stopped and starved, with the ledger of what its clients sent."""

import itertools
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from harness.clients.ledger import Ledger
from harness.clients.load import Load
from harness.clients.server_counts import measured
from harness.clients.workspace import PASSWORD, Workspace, sign_up
from harness.servers.server import Server
from harness.servers.small_disk import SmallDisk
from harness.stores.directory_counts import Held, read_held
from harness.suite.patience import PATIENCE

_SHOWN = 20_000  # characters of the server's log

_numbers = itertools.count()


class Site:
    """A data directory, the server on it, a workspace, and the ledger of what was sent there."""

    def __init__(
        self,
        data: Path,
        seed: int,
        *,
        disk: SmallDisk | None = None,
        limits: str = "",
        servers: Mapping[str, str] = {},
        **settings: Any,
    ) -> None:
        self._disk = disk
        self.inside = disk.inside if disk else ()
        if disk:  # the words of `ulimit` end in a command of our own, which takes the place of the server's
            limits = f'-c 0 && exec {" ".join(disk.inside)} "$@" #'
        # As everywhere, a question waits half a second, because here the store may hang on purpose.
        self.settings: dict[str, Any] = {"ingest_rate_per_minute": "0", "fresh_wait_ms": "500"} | settings
        self.server = Server(data, port=free_port(), limits=limits, servers=servers, **self.settings)
        self.seed = seed
        self.ledger = Ledger()
        self.workspace: Workspace

    @property
    def data(self) -> Path:
        """The data directory as the server sees it."""
        return self.server.data

    @property
    def visible_data(self) -> Path:
        """The data directory as this process sees it."""
        return self._disk.outside(self.data) if self._disk else self.data

    @property
    def runs(self) -> bool:
        """Whether there is a server now."""
        return self.server.process.poll() is None

    def begin(self, failpoints: str = "") -> "Site":
        """The first start, and a user."""
        self.start(failpoints)
        self.workspace = sign_up(self.server.url)
        return self

    def start(self, failpoints: str = "", **settings: str) -> None:
        """Start with these faults and settings; without any, as at first."""
        self.server.settings |= self.settings | {"failpoints": failpoints} | settings
        self.server.start()

    def run_into(self, failpoint: str, seconds: float = PATIENCE) -> None:
        """Start with a failpoint that kills and return when it did; that may be before the server listens."""
        self.server.settings |= self.settings | {"failpoints": failpoint}
        self.server.launch()
        code = self.server.wait(seconds)
        assert code == -9, f"{failpoint}: ended with {code}\n{self.server.text()[-2000:]}"

    def load(self, **options: float) -> Load:
        """Clients that send until they are told to finish."""
        seed = self.seed * 1000 + next(_numbers)
        return Load(self.server.port, self.workspace.key, self.ledger, seed=seed, **options).start()  # type: ignore[arg-type] # options of any sort

    def count_of(self, event: str) -> int:
        """How many events of the last hour have this name, as a question answers."""
        config = {"event": event, "measure": "count"}
        question = {"environment": "production", "timeRange": "1h", "type": "metric", "config": config}
        with self.workspace.client() as client:
            answer = client.post("/v1/query", json=question)
        assert answer.status_code == 200, answer.text
        return int(answer.json()["value"])

    def metric(self, name: str) -> float:
        """One number of /metrics."""
        return measured(self.server.url, name)

    def metric_becomes(self, name: str, value: float, seconds: float = PATIENCE) -> None:
        """Return when the number has this value."""
        deadline = time.monotonic() + seconds
        while (found := self.metric(name)) != value:
            assert time.monotonic() < deadline, f"{name} is {found} after {seconds} s:\n{self.server.text()[-2000:]}"
            time.sleep(0.05)

    def drained(self, seconds: float = PATIENCE) -> None:
        """Return when nothing waits for the store any more."""
        self.metric_becomes("spool_waiting_bytes", 0, seconds)

    def account(self) -> Held:
        """Drain, stop, and compare what the directory holds with the ledger."""
        self.drained()
        acked = self.metric("events_acked_total")
        held = self.account_stopped()
        assert acked == held.acked, "/metrics differs from the spool"
        return held

    def account_stopped(self) -> Held:
        """Stop, for which a server drains, and compare what the directory holds with the ledger."""
        self.server.process.terminate()
        self.server.wait()
        servers = self.server.servers
        events = [servers[name] for name in ("events_dsn", "events_reader") if name in servers]
        held = read_held(self.data, self.inside, events)
        try:
            self.ledger.check(held)
        except AssertionError as failure:
            failure.add_note(f"{held}\n{self.server.text()[-_SHOWN:]}")
            raise
        assert held.used == {self.workspace.workspace_id: held.acked}, "the plan's count differs"
        return held

    def secrets(self) -> list[bytes]:
        """What must never be written down."""
        return [secret.encode() for secret in (self.workspace.key, self.workspace.session_token, PASSWORD)]


def find_secrets(data: Path, output: str, secrets: list[bytes]) -> list[str]:
    """Where in the output and in the files of a data directory one of `secrets` stands."""
    places = [("the output", output.encode())]
    places += [(str(path), path.read_bytes()) for path in data.rglob("*") if path.is_file()]
    return [name for name, content in places for secret in secrets if secret in content]


def free_port() -> int:
    """A port below those that the system gives to clients: one that retries could otherwise connect to itself."""
    for _ in range(200):
        port = Random().randrange(15_000, 30_000)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no free port")


MakeSite = Callable[..., Site]
"""The fixture `make_site`: a name and the options of `Site`."""

MakeHost = Callable[..., Site]
"""The fixture `make_host`: the number of workers, and further servers by their settings."""


@contextmanager
def watched_sites(folder: Path, seed: int) -> Iterator[MakeSite]:
    """Makes sites in `folder`; at the end each server is stopped and nothing secret may be found."""
    sites: list[Site] = []

    def make(name: str = "data", **options: object) -> Site:
        sites.append(Site(folder / name, seed, **options))  # type: ignore[arg-type] # options of any sort
        return sites[-1]

    yield make
    for site in sites:
        if site.server._process:
            site.server.kill()
        if hasattr(site, "workspace"):
            assert find_secrets(site.visible_data, site.server.text(), site.secrets()) == []
