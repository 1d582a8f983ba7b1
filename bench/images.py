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
from bench.asking import Connection, measure_processor_us
from bench.drawer import CHART_WAYS, Cost
from bench.product import Product
from bench.side_by_side import draw_cases

_ROUNDS = 8
_WARM_UP_ROUNDS = 2  # rounds until both are compiled and loaded
_PICTURES_PER_ROUND = 20  # a round
_SMALL = "3 × 100"
_SIZES = {_SMALL: (3, 100), "10 × 1,000": (10, 1_000)}
_MAX_CPU_RATIO = 0.6
_MAX_SVG_MS = 1.0
_MAX_KEPT_MS = 0.3
_BLOCKS, _REQUESTS = 5, 2_000  # for processor time of the server
_CLIENT_COUNT = 200
_EVENTS_PER_SECOND = 200
_SECONDS = 60
_MAX_SLOWDOWN = 3.0


def measure_drawing(table: Table) -> None:
    """Pictures that nobody has asked for before, in turns."""
    product_drawer, chart_js_drawer = drawer.product(), drawer.chart_js()
    with tempfile.TemporaryDirectory() as folder:
        for size, (series_count, point_count) in _SIZES.items():
            costs_by_way: dict[str, list[Cost]] = {}
            for round_ in range(_ROUNDS + _WARM_UP_ROUNDS):
                file = Path(folder) / f"{round_}.jsonl"
                file.write_bytes(
                    b"\n".join(graphs.build_bodies(round_, _PICTURES_PER_ROUND, series_count, point_count)) + b"\n"
                )
                cost_by_way = {way: product_drawer.draw(way, file) for way in ("png", "svg")}
                cost_by_way |= {way: chart_js_drawer.draw(way, file) for way in CHART_WAYS}
                if round_ >= _WARM_UP_ROUNDS:
                    for way, cost in cost_by_way.items():
                        costs_by_way.setdefault(way, []).append(cost)
            _add_drawing(table, size, {way: _median(cost_by_way) for way, cost_by_way in costs_by_way.items()})
    product_drawer.stop()
    chart_js_drawer.stop()


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(*(statistics.median(figures) for figures in zip(*costs, strict=True)))


def _add_drawing(table: Table, size: str, cost_by_way: dict[str, Cost]) -> None:
    png, svg = cost_by_way["png"], cost_by_way["svg"]
    fastest = min(CHART_WAYS, key=lambda way: cost_by_way[way].cpu_ms)
    for way, name in CHART_WAYS.items():
        chart_js_cost, ratio = cost_by_way[way], png.cpu_ms / cost_by_way[way].cpu_ms
        limit_and_verdict = (
            (f"≤ {_MAX_CPU_RATIO} ×", _format_verdict(ratio <= _MAX_CPU_RATIO)) if way == fastest else ("", "")
        )
        figures = f"{png.cpu_ms:.1f} / {chart_js_cost.cpu_ms:.1f} ms CPU"
        table.add_row(f"PNG, {size}, beside {name}", figures, f"{ratio:.2f} ×", *limit_and_verdict)
    chart_js_cost = cost_by_way[fastest]
    wall_times = f"{png.wall_ms:.1f} / {chart_js_cost.wall_ms:.1f} ms"
    table.add_row(f"PNG, {size}, until it is there", wall_times, f"{png.wall_ms / chart_js_cost.wall_ms:.2f} ×", "", "")
    table.add_row(
        f"PNG, {size}, bytes", f"{png.kb:.0f} / {chart_js_cost.kb:.0f} kB", f"{png.kb / chart_js_cost.kb:.2f} ×", "", ""
    )
    limit_and_verdict = (
        (f"≤ {_MAX_SVG_MS:g} ms", _format_verdict(svg.cpu_ms <= _MAX_SVG_MS)) if size == _SMALL else ("", "")
    )
    table.add_row(f"SVG, {size}", f"{svg.cpu_ms:.2f} ms CPU, {svg.kb:.0f} kB", "", *limit_and_verdict)


def measure_kept(table: Table, folder: Path) -> None:
    """Pictures that were asked for before, over one connection."""
    product = Product(folder)
    connection = Connection(product.port)
    ask_empty = connection.get("/healthz")
    ask_by_name = {"an empty route": ask_empty}
    for points in (3, 400):
        path = graphs.build_path(points)
        name = f"a kept PNG of {points} points, a URL of {len(path) / 1000:.1f} kB"
        ask_by_name[name] = connection.get(path)
        ask_by_name[f"{name}, 304"] = connection.get(path, 304, **{"if-none-match": "*"})
    cpu_ms_by_name_runs = [
        {name: measure_processor_us(product, ask, _REQUESTS) / 1000 for name, ask in ask_by_name.items()}
        for _ in range(_BLOCKS)
    ]
    median_ms_by_name = {
        name: statistics.median(cpu_ms_by_name[name] for cpu_ms_by_name in cpu_ms_by_name_runs) for name in ask_by_name
    }
    product.stop()
    empty_ms = median_ms_by_name.pop("an empty route")
    for name, picture_ms in median_ms_by_name.items():
        figures = f"{picture_ms:.3f} / {empty_ms:.3f} ms CPU"
        limit_and_verdict = f"≤ {_MAX_KEPT_MS} ms", _format_verdict(picture_ms <= _MAX_KEPT_MS)
        table.add_row(f"{name}, beside an empty route", figures, f"{picture_ms / empty_ms:.2f} ×", *limit_and_verdict)


def measure_crowd(table: Table, folder: Path) -> None:
    """Events that come at a constant rate, alone and while many ask for the most costly pictures."""
    for name, is_patient in (("that ask again at once", False), ("that wait as told", True)):
        product = Product(folder / str(is_patient))
        offered_alone = _offer_events(product)
        crowd_process = crowd.start(product.port, _CLIENT_COUNT, _SECONDS + 2, is_patient=is_patient)
        offered_in_crowd, pictures = _offer_events(product), crowd.finish(crowd_process)
        ratio = offered_in_crowd.p99_ms / offered_alone.p99_ms
        title = f"ingest p99 beside {_CLIENT_COUNT} clients {name}, beside alone"
        limit_and_verdict = f"≤ {_MAX_SLOWDOWN:g} ×", _format_verdict(ratio <= _MAX_SLOWDOWN)
        table.add_row(
            title,
            f"{offered_in_crowd.p99_ms:.1f} / {offered_alone.p99_ms:.1f} ms",
            f"{ratio:.1f} ×",
            *limit_and_verdict,
        )
        table.add_row("    p50", f"{offered_in_crowd.p50_ms:.1f} / {offered_alone.p50_ms:.1f} ms", "", "", "")
        table.add_row("    events", _format_statuses(offered_in_crowd.statuses), "", "", "")
        table.add_row("    pictures", _format_statuses(pictures), "", "", "")
        table.add_row("    resident memory, at its peak", f"{product.peak_rss_mb:.0f} MB", "", "", "")
        product.stop()


def _offer_events(product: Product) -> offered.Offered:
    return offered.finish(offered.start(product.port, product.account.key, _EVENTS_PER_SECOND, _SECONDS))


def _format_statuses(statuses: dict[str, int]) -> str:
    return ", ".join(f"{count:,} × {status}" for status, count in statuses.items())


def _format_verdict(is_held: bool) -> str:  # noqa: FBT001 # its only argument
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
