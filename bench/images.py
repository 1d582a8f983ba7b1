"""P6: what a picture costs beside Chart.js, what a kept one costs beside an empty route, and what they cost ingest.

``python -m bench.images`` takes about ten minutes; ``--quick`` leaves out the crowd of 200 clients and takes one.
``--pictures FOLDER`` measures nothing: it draws what the tests compare pictures by, beside what Chart.js makes of it,
for people to look at. Chart.js has to be there: ``make bench-images`` installs it from bench/node/package-lock.json.
"""

import argparse
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import crowd, drawer, graphs, offered
from bench.asking import Connection, processor_us
from bench.drawer import CHART_WAYS, Cost
from bench.product import Product
from bench.side_by_side import draw_cases

_ROUNDS = 8
_WARM_UP = 2  # rounds until both are compiled and loaded
_PICTURES = 20  # a round
_SMALL = "3 × 100"
_SIZES = {_SMALL: (3, 100), "10 × 1,000": (10, 1_000)}
_LIMIT = 0.6
_SVG_MS = 1.0
_KEPT_MS = 0.3
_BLOCKS, _REQUESTS = 5, 2_000  # for processor time of the server
_CLIENTS = 200
_EVENTS_PER_SECOND = 200
_SECONDS = 60
_SLOWER = 3.0


def measure_drawing(table: Table) -> None:
    """Pictures that nobody has asked for before, in turns."""
    ours, peer = drawer.product(), drawer.chart_js()
    with tempfile.TemporaryDirectory() as folder:
        for size, (series, count) in _SIZES.items():
            found: dict[str, list[Cost]] = {}
            for round_ in range(_ROUNDS + _WARM_UP):
                file = Path(folder) / f"{round_}.jsonl"
                file.write_bytes(b"\n".join(graphs.bodies(round_, _PICTURES, series, count)) + b"\n")
                costs = {way: ours.draw(way, file) for way in ("png", "svg")}
                costs |= {way: peer.draw(way, file) for way in CHART_WAYS}
                if round_ >= _WARM_UP:
                    for way, cost in costs.items():
                        found.setdefault(way, []).append(cost)
            _add_drawing(table, size, {way: _median(costs) for way, costs in found.items()})
    ours.stop()
    peer.stop()


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(*(statistics.median(figures) for figures in zip(*costs, strict=True)))


def _add_drawing(table: Table, size: str, costs: dict[str, Cost]) -> None:
    png, svg = costs["png"], costs["svg"]
    fastest = min(CHART_WAYS, key=lambda way: costs[way].cpu_ms)
    for way, name in CHART_WAYS.items():
        beside, ratio = costs[way], png.cpu_ms / costs[way].cpu_ms
        held = (f"≤ {_LIMIT} ×", _held(ratio <= _LIMIT)) if way == fastest else ("", "")
        figures = f"{png.cpu_ms:.1f} / {beside.cpu_ms:.1f} ms CPU"
        table.add_row(f"PNG, {size}, beside {name}", figures, f"{ratio:.2f} ×", *held)
    beside = costs[fastest]
    wall = f"{png.wall_ms:.1f} / {beside.wall_ms:.1f} ms"
    table.add_row(f"PNG, {size}, until it is there", wall, f"{png.wall_ms / beside.wall_ms:.2f} ×", "", "")
    table.add_row(f"PNG, {size}, bytes", f"{png.kb:.0f} / {beside.kb:.0f} kB", f"{png.kb / beside.kb:.2f} ×", "", "")
    held = (f"≤ {_SVG_MS:g} ms", _held(svg.cpu_ms <= _SVG_MS)) if size == _SMALL else ("", "")
    table.add_row(f"SVG, {size}", f"{svg.cpu_ms:.2f} ms CPU, {svg.kb:.0f} kB", "", *held)


def measure_kept(table: Table, folder: Path) -> None:
    """Pictures that were asked for before, over one connection."""
    product = Product(folder)
    connection = Connection(product.port)
    empty = connection.get("/healthz")
    asks = {"an empty route": empty}
    for points in (3, 400):
        path = graphs.path_of(points)
        name = f"a kept PNG of {points} points, a URL of {len(path) / 1000:.1f} kB"
        asks[name] = connection.get(path)
        asks[f"{name}, 304"] = connection.get(path, 304, **{"if-none-match": "*"})
    runs = [{name: processor_us(product, ask, _REQUESTS) / 1000 for name, ask in asks.items()} for _ in range(_BLOCKS)]
    costs = {name: statistics.median(run[name] for run in runs) for name in asks}
    product.stop()
    beside = costs.pop("an empty route")
    for name, cost in costs.items():
        figures = f"{cost:.3f} / {beside:.3f} ms CPU"
        held = f"≤ {_KEPT_MS} ms", _held(cost <= _KEPT_MS)
        table.add_row(f"{name}, beside an empty route", figures, f"{cost / beside:.2f} ×", *held)


def measure_crowd(table: Table, folder: Path) -> None:
    """Events that come at a constant rate, alone and while many ask for the most costly pictures."""
    for name, patient in (("that ask again at once", False), ("that wait as told", True)):
        product = Product(folder / str(patient))
        alone = _offer(product)
        asking = crowd.start(product.port, _CLIENTS, _SECONDS + 2, patient=patient)
        crowded, pictures = _offer(product), crowd.finish(asking)
        ratio = crowded.p99_ms / alone.p99_ms
        title = f"ingest p99 beside {_CLIENTS} clients {name}, beside alone"
        held = f"≤ {_SLOWER:g} ×", _held(ratio <= _SLOWER)
        table.add_row(title, f"{crowded.p99_ms:.1f} / {alone.p99_ms:.1f} ms", f"{ratio:.1f} ×", *held)
        table.add_row("    p50", f"{crowded.p50_ms:.1f} / {alone.p50_ms:.1f} ms", "", "", "")
        table.add_row("    events", _counted(crowded.statuses), "", "", "")
        table.add_row("    pictures", _counted(pictures), "", "", "")
        table.add_row("    resident memory, at its peak", f"{product.peak_rss_mb:.0f} MB", "", "", "")
        product.stop()


def _offer(product: Product) -> offered.Offered:
    return offered.finish(offered.start(product.port, product.account.key, _EVENTS_PER_SECOND, _SECONDS))


def _counted(statuses: dict[str, int]) -> str:
    return ", ".join(f"{count:,} × {status}" for status, count in statuses.items())


def _held(is_held: bool) -> str:  # noqa: FBT001 # its only argument
    return "yes" if is_held else "no"


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true")
    arguments.add_argument("--pictures", type=Path, metavar="FOLDER")
    options = arguments.parse_args()
    if options.pictures is not None:
        draw_cases(options.pictures)
        return
    table = Table("what", "product / beside", "ratio", "limit", "held", title="P6, 1000 × 400")
    measure_drawing(table)
    with tempfile.TemporaryDirectory() as folder:
        measure_kept(table, Path(folder) / "kept")
        if not options.quick:
            measure_crowd(table, Path(folder))
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
