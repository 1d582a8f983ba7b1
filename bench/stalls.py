"""How long others wait while one client is hostile: an event every 20 ms, alone and beside each attack.

``python -m bench.stalls`` takes about fifteen minutes; ``--only WORD`` takes the attacks with the word in their family
or name, ``--seconds`` makes each shorter or longer, ``--bots 5000`` makes a smaller listing. An attack is two
connections, or hundreds, that send the same costly requests as fast as they are answered (bench/hostile);
``--connections 1`` makes it one.
"""

import argparse
import json
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.error
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from bench import attacker, offered
from bench.hostile.attacks import attacks
from bench.hostile.patterns import COSTLY, funnel
from bench.hostile.request import Attack, Site, get
from bench.offered import Offered
from bench.product import Product

_EVENTS_PER_SECOND = 50
_HEAD_START_SECONDS = 0.5
_LIMIT = 5.0
_IDLE_RUNS = 3
_WIDGETS = 50


class Measured(NamedTuple):
    """How events were answered beside an attack, and how the attack was."""

    attack: Attack
    healthy: Offered
    statuses: attacker.Statuses


class Listeners:
    """Event streams that are open and read."""

    def __init__(self, port: int, token: str, count: int) -> None:
        self._selector = selectors.DefaultSelector()
        self._sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
        for listener in self._sockets:
            listener.sendall(get("/v1/events/stream", token))
            self._selector.register(listener, selectors.EVENT_READ)
        self._over = threading.Event()
        self._reading = threading.Thread(target=self._read)
        self._reading.start()

    def close(self) -> None:
        """End them."""
        self._over.set()
        self._reading.join()
        for listener in self._sockets:
            listener.close()

    def _read(self) -> None:
        while not self._over.is_set():
            for key, _ in self._selector.select(0.1):
                if not key.fileobj.recv(1 << 20):  # type: ignore[union-attr] # they are sockets
                    self._selector.unregister(key.fileobj)


def measure(folder: Path, chosen: list[Attack], bots: int, seconds: float) -> tuple[Offered, list[Measured]]:
    """What the healthy client sees alone, and beside each attack."""
    started = Product(folder)
    site = _furnished(started)
    started.stop()
    if any(each.family in {"feed", "statistics"} for each in chosen):
        command = [sys.executable, "-m", "bench.listed", str(folder), started.account.workspace_id, str(bots)]
        subprocess.run(command, check=True)
    settings = {"TALLYROOM_STATS_RATE_PER_MINUTE": "0", "TALLYROOM_TESTING": "false"}
    product = Product(folder, started.account, **settings)
    try:
        alone = _median([_healthy(product, seconds) for _ in range(_IDLE_RUNS)])
        return alone, [_shown(_beside(product, attack, site, seconds), alone) for attack in chosen]
    finally:
        product.stop()


def _median(runs: list[Offered]) -> Offered:
    p50, p99, most = (statistics.median(figures) for figures in zip(*(run[1:] for run in runs), strict=True))
    return Offered(runs[0].statuses, p50, p99, most)


def _shown(found: Measured, alone: Offered) -> Measured:
    """Tell how far it has come."""
    print(*_row(found, alone), sep=" | ", file=sys.stderr, flush=True)
    return found


def _beside(product: Product, attack: Attack, site: Site, seconds: float) -> Measured:
    with closing(Listeners(product.port, site.session, attack.streams)):
        attacking = attacker.start(product.port, attack.make(site), attack.connections, seconds + _HEAD_START_SECONDS)
        measured = Measured(attack, _healthy(product, seconds), attacker.finish(attacking))
    product.drained()
    return measured


def _healthy(product: Product, seconds: float) -> Offered:
    return offered.finish(offered.start(product.port, product.account.key, _EVENTS_PER_SECOND, seconds))


def _furnished(product: Product) -> Site:
    """A published dashboard full of costly widgets, and a token for the listing."""
    token, _ = product.post("/v1/stats-tokens", {"name": "bench", "scope": "write"})
    board, _ = product.post("/v1/dashboards", {"name": "Bench", "isPublic": True})
    widgets = [_costly_widget(product, board["id"], at) for at in range(_WIDGETS)]
    account = product.account
    return Site(account.key, account.token, token["secret"], board["id"], widgets[0], board["slug"])


def _costly_widget(product: Product, dashboard_id: str, at: int) -> str:
    for pattern in (COSTLY, r"[ab]{1,5}x"):  # the first that is taken
        try:
            made, _ = product.post(
                f"/v1/dashboards/{dashboard_id}/widgets", {"type": "funnel", "config": funnel(at, pattern)}
            )
        except urllib.error.HTTPError:
            continue
        return str(made["id"])
    raise SystemExit("no pattern was taken")


def _row(found: Measured, alone: Offered) -> list[str]:
    healthy = found.healthy
    ratio = healthy.p99_ms / alone.p99_ms
    figures = [f"{figure:.1f}" for figure in (healthy.p50_ms, healthy.p99_ms, healthy.most_ms)]
    statuses = ", ".join(f"{count:,} × {status}" for status, count in found.statuses.items())
    lost = {status: count for status, count in healthy.statuses.items() if status != "202"}
    held = ("yes" if ratio <= _LIMIT else "no") + (f", and {json.dumps(lost)}" if lost else "")
    return [found.attack.family, found.attack.name, *figures, f"{ratio:.1f} ×", held, statuses]


def main() -> None:
    """Run everything and print one table, the worst first."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", default="", metavar="WORD")
    arguments.add_argument("--seconds", type=float, default=6)
    arguments.add_argument("--bots", type=int, default=50_000)
    arguments.add_argument("--connections", type=int, help="at most so many for an attack")
    options = arguments.parse_args()
    chosen = [
        each._replace(connections=min(each.connections, options.connections or each.connections))
        for each in attacks()
        if options.only in f"{each.family} {each.name}"
    ]
    with tempfile.TemporaryDirectory() as folder:
        alone, found = measure(Path(folder), chosen, options.bots, options.seconds)
    figures = f"p50 {alone.p50_ms:.1f}, p99 {alone.p99_ms:.1f}, most {alone.most_ms:.1f} ms"
    title = f"healthy alone: {figures}; beside an attack, p99 may be {_LIMIT:g} × as long"
    columns = ("family", "attack", "p50 ms", "p99 ms", "most ms", "ratio", "held", "the attack was answered")
    table = Table(*columns, title=title)
    for each in sorted(found, key=lambda each: -each.healthy.p99_ms):
        table.add_row(*_row(each, alone))
    Console(width=180).print(table)


if __name__ == "__main__":
    main()
