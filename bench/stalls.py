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
_MAX_RATIO = 5.0
_IDLE_RUN_COUNT = 3
_WIDGET_COUNT = 50


class MeasuredAttack(NamedTuple):
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
        self._stop_event = threading.Event()
        self._reader_thread = threading.Thread(target=self._read)
        self._reader_thread.start()

    def close(self) -> None:
        """End them."""
        self._stop_event.set()
        self._reader_thread.join()
        for listener in self._sockets:
            listener.close()

    def _read(self) -> None:
        while not self._stop_event.is_set():
            for key, _ in self._selector.select(0.1):
                if not key.fileobj.recv(1 << 20):  # type: ignore[union-attr] # they are sockets
                    self._selector.unregister(key.fileobj)


def measure(
    folder: Path, chosen_attacks: list[Attack], bot_count: int, seconds: float
) -> tuple[Offered, list[MeasuredAttack]]:
    """What the healthy client sees alone, and beside each attack."""
    first_start = Product(folder)
    site = _prepare_site(first_start)
    first_start.stop()
    if any(attack.family in {"feed", "statistics"} for attack in chosen_attacks):
        command = [sys.executable, "-m", "bench.listed", str(folder), first_start.account.workspace_id, str(bot_count)]
        subprocess.run(command, check=True)
    settings = {"TALLYROOM_STATS_RATE_PER_MINUTE": "0", "TALLYROOM_TESTING": "false"}
    product = Product(folder, first_start.account, **settings)
    try:
        healthy_alone = _median([_measure_healthy(product, seconds) for _ in range(_IDLE_RUN_COUNT)])
        return healthy_alone, [
            _print_measured(_measure_attack(product, attack, site, seconds), healthy_alone) for attack in chosen_attacks
        ]
    finally:
        product.stop()


def _median(runs: list[Offered]) -> Offered:
    p50_ms, p99_ms, max_ms = (statistics.median(figures) for figures in zip(*(run[1:] for run in runs), strict=True))
    return Offered(runs[0].statuses, p50_ms, p99_ms, max_ms)


def _print_measured(measured: MeasuredAttack, healthy_alone: Offered) -> MeasuredAttack:
    """Tell how far it has come."""
    print(*_row(measured, healthy_alone), sep=" | ", file=sys.stderr, flush=True)
    return measured


def _measure_attack(product: Product, attack: Attack, site: Site, seconds: float) -> MeasuredAttack:
    with closing(Listeners(product.port, site.session, attack.streams)):
        attacker_process = attacker.start(
            product.port, attack.build_requests(site), attack.connections, seconds + _HEAD_START_SECONDS
        )
        measured = MeasuredAttack(attack, _measure_healthy(product, seconds), attacker.finish(attacker_process))
    product.wait_until_drained()
    return measured


def _measure_healthy(product: Product, seconds: float) -> Offered:
    return offered.finish(offered.start(product.port, product.account.key, _EVENTS_PER_SECOND, seconds))


def _prepare_site(product: Product) -> Site:
    """A published dashboard full of costly widgets, and a token for the listing."""
    token, _ = product.post("/v1/stats-tokens", {"name": "bench", "scope": "write"})
    board, _ = product.post("/v1/dashboards", {"name": "Bench", "isPublic": True})
    widgets = [_costly_widget(product, board["id"], at) for at in range(_WIDGET_COUNT)]
    account = product.account
    return Site(account.key, account.token, token["secret"], board["id"], widgets[0], board["slug"])


def _costly_widget(product: Product, dashboard_id: str, variant: int) -> str:
    for pattern in (COSTLY, r"[ab]{1,5}x"):  # the first that is taken
        try:
            widget, _ = product.post(
                f"/v1/dashboards/{dashboard_id}/widgets", {"type": "funnel", "config": funnel(variant, pattern)}
            )
        except urllib.error.HTTPError:
            continue
        return str(widget["id"])
    raise SystemExit("no pattern was taken")


def _row(measured: MeasuredAttack, healthy_alone: Offered) -> list[str]:
    healthy = measured.healthy
    ratio = healthy.p99_ms / healthy_alone.p99_ms
    figures = [f"{figure:.1f}" for figure in (healthy.p50_ms, healthy.p99_ms, healthy.most_ms)]
    statuses = ", ".join(f"{count:,} × {status}" for status, count in measured.statuses.items())
    not_accepted = {status: count for status, count in healthy.statuses.items() if status != "202"}
    verdict = ("yes" if ratio <= _MAX_RATIO else "no") + (f", and {json.dumps(not_accepted)}" if not_accepted else "")
    return [measured.attack.family, measured.attack.name, *figures, f"{ratio:.1f} ×", verdict, statuses]


def main() -> None:
    """Run everything and print one table, the worst first."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", default="", metavar="WORD")
    arguments.add_argument("--seconds", type=float, default=6)
    arguments.add_argument("--bots", type=int, default=50_000)
    arguments.add_argument("--connections", type=int, help="at most so many for an attack")
    options = arguments.parse_args()
    chosen_attacks = [
        attack._replace(connections=min(attack.connections, options.connections or attack.connections))
        for attack in attacks()
        if options.only in f"{attack.family} {attack.name}"
    ]
    with tempfile.TemporaryDirectory() as folder:
        healthy_alone, measured_attacks = measure(Path(folder), chosen_attacks, options.bots, options.seconds)
    figures = f"p50 {healthy_alone.p50_ms:.1f}, p99 {healthy_alone.p99_ms:.1f}, most {healthy_alone.most_ms:.1f} ms"
    title = f"healthy alone: {figures}; beside an attack, p99 may be {_MAX_RATIO:g} × as long"
    columns = ("family", "attack", "p50 ms", "p99 ms", "most ms", "ratio", "held", "the attack was answered")
    table = Table(*columns, title=title)
    for attack in sorted(measured_attacks, key=lambda attack: -attack.healthy.p99_ms):
        table.add_row(*_row(attack, healthy_alone))
    Console(width=180).print(table)


if __name__ == "__main__":
    main()
