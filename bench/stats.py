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

from bench.asking import Connection, measure_alternately, measure_processor_us
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


def measure(folder: Path, bot_count: int, table: Table) -> None:
    """Fill, serve and ask."""
    first_start = Product(folder)
    token_answer, _ = first_start.post("/v1/stats-tokens", {"name": "bench", "scope": "read"})
    first_start.stop()
    workspace_id = first_start.account.workspace_id
    subprocess.run([sys.executable, "-m", "bench.listed", str(folder), workspace_id, str(bot_count)], check=True)
    sql_port, peer_port = free_port(), free_port()
    settings = {"BENCH_SQL_PORT": str(sql_port), "TALLYROOM_STATS_RATE_PER_MINUTE": "0"}
    product = Product(folder, first_start.account, "bench.beside", **settings)
    peer = Process(["bench.reads", str(peer_port), str(folder / DATABASE_FILE), workspace_id], peer_port)
    product_connection, peer_connection = Connection(product.port, token_answer["secret"]), Connection(peer_port)
    engine_connection = Connection(sql_port)
    started_s = time.perf_counter()
    product_connection.get("/chat/rankings/bots")()
    table.add_row("the first question, which reads all bots", f"{time.perf_counter() - started_s:.2f} s", "", "")

    paths_by_name = {
        "profile": ("/bots/" + bot_id(7), "/bot"),
        "rankings, 100": ("/rankings/bots", "/ranked"),
        "compare 10": ("/compare/" + "/".join(bot_id(bot_number) for bot_number in range(10)), "/bots"),
        "leaderboard, 500 from 50,000 on": (f"/bots/{bot_id(0)}/leaderboard?limit=500&offset=50000", "/voters"),
    }
    for name, (path, peer_path) in paths_by_name.items():
        table.add_row(
            name,
            *_ratio(
                *measure_alternately(product_connection.get("/chat" + path), peer_connection.get(peer_path), _ROUNDS)
            ),
            "≤ 2 ×",
        )
    for name, bot_number in (("daily", 500), ("hourly", 7)):
        ask_history = product_connection.get(
            f"/chat/bots/{bot_id(bot_number)}/historical?type=monthly_votes&timeFrame=alltime"
        )
        ask_by_hand = engine_connection.sql(_HISTORY.format(workspace=workspace_id, bot=bot_id(bot_number)))
        cells = _ratio(*measure_alternately(ask_history, ask_by_hand, _ROUNDS_OF_HISTORY))
        table.add_row(f"history, alltime, fed {name}", *cells, "≤ 2 ×")

    empty_us = measure_processor_us(peer, peer_connection.get("/empty"))
    for name in ("profile", "rankings, 100"):
        cost_us = measure_processor_us(product, product_connection.get("/chat" + paths_by_name[name][0]))
        ratio_text = f"{empty_us / cost_us:.2f} × as many requests"
        table.add_row(f"{name}, beside an empty route", f"{cost_us:.0f} / {empty_us:.0f} µs", ratio_text, "≥ 0.3 ×")
    table.add_row("resident memory", f"{product.rss_mb:.0f} MB", "", "")
    product.stop()
    peer.stop()


def _ratio(product_ms: float, peer_ms: float) -> tuple[str, str]:
    return f"{product_ms:.2f} / {peer_ms:.2f} ms", f"{product_ms / peer_ms:.2f} ×"


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--bots", type=int, default=50_000)
    bot_count = arguments.parse_args().bots
    table = Table("what", "product / beside", "ratio", "limit", title=f"P7, {bot_count:,} bots")
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), bot_count, table)
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
