"""P7: what the Statistics API costs beside one indexed read of the same rows, and beside an empty route.

``python -m bench.stats`` takes about three minutes, most of it to fill a listing; ``--bots 5000`` makes a smaller one.
Each pair is asked in turns over one connection; figures of processor time are of the server's process.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.asking import Connection, alternated, processor_us
from bench.listed import bot_id
from bench.process import Process, free_port
from bench.product import Product
from tallyroom.core.data_directory import DATABASE_FILE

_ROUNDS = 200
_ROUNDS_OF_HISTORY = 60

_HISTORY = """
SELECT day, last.3 AS value FROM bot_counters_daily
WHERE workspace_id = '{workspace}' AND bot_id = '{bot}' AND metric = 'monthly_votes' ORDER BY day
"""


def measure(folder: Path, bots: int, table: Table) -> None:
    """Fill, serve and ask."""
    started = Product(folder)
    made, _ = started.post("/v1/stats-tokens", {"name": "bench", "scope": "read"})
    started.stop()
    workspace_id = started.account.workspace_id
    subprocess.run([sys.executable, "-m", "bench.listed", str(folder), workspace_id, str(bots)], check=True)
    sql_port, peer_port = free_port(), free_port()
    settings = {"BENCH_SQL_PORT": str(sql_port), "TALLYROOM_STATS_RATE_PER_MINUTE": "0"}
    product = Product(folder, started.account, "bench.beside", **settings)
    peer = Process(["bench.reads", str(peer_port), str(folder / DATABASE_FILE), workspace_id], peer_port)
    ours, reads = Connection(product.port, made["secret"]), Connection(peer_port)
    engine = Connection(sql_port)
    first = time.perf_counter()
    ours.get("/chat/rankings/bots")()
    table.add_row("the first question, which reads all bots", f"{time.perf_counter() - first:.2f} s", "", "")

    pairs = {
        "profile": ("/bots/" + bot_id(7), "/bot"),
        "rankings, 100": ("/rankings/bots", "/ranked"),
        "compare 10": ("/compare/" + "/".join(bot_id(at) for at in range(10)), "/bots"),
        "leaderboard, 500 from 50,000 on": (f"/bots/{bot_id(0)}/leaderboard?limit=500&offset=50000", "/voters"),
    }
    for name, (path, read) in pairs.items():
        table.add_row(name, *_ratio(*alternated(ours.get("/chat" + path), reads.get(read), _ROUNDS)), "≤ 2 ×")
    for name, at in (("daily", 500), ("hourly", 7)):
        history = ours.get(f"/chat/bots/{bot_id(at)}/historical?type=monthly_votes&timeFrame=alltime")
        by_hand = engine.sql(_HISTORY.format(workspace=workspace_id, bot=bot_id(at)))
        cells = _ratio(*alternated(history, by_hand, _ROUNDS_OF_HISTORY))
        table.add_row(f"history, alltime, fed {name}", *cells, "≤ 2 ×")

    empty = processor_us(peer, reads.get("/empty"))
    for name in ("profile", "rankings, 100"):
        cost = processor_us(product, ours.get("/chat" + pairs[name][0]))
        share = f"{empty / cost:.2f} × as many requests"
        table.add_row(f"{name}, beside an empty route", f"{cost:.0f} / {empty:.0f} µs", share, "≥ 0.3 ×")
    table.add_row("resident memory", f"{product.rss_mb:.0f} MB", "", "")
    product.stop()
    peer.stop()


def _ratio(one: float, other: float) -> tuple[str, str]:
    return f"{one:.2f} / {other:.2f} ms", f"{one / other:.2f} ×"


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--bots", type=int, default=50_000)
    bots = arguments.parse_args().bots
    table = Table("what", "product / beside", "ratio", "limit", title=f"P7, {bots:,} bots")
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), bots, table)
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
