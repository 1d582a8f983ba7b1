"""P11: how soon a dashboard of the web app can be used, beside the same requests sent by a blank page of its origin.

``python -m bench.web`` takes about two minutes. It needs Chromium and a built app: ``make bench-web`` builds it.
"""

import argparse
import os
import shutil
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, Route, ViewportSize, sync_playwright
from rich.console import Console
from rich.table import Table

from bench.history import make_history
from bench.product import Product
from bench.questions import DASHBOARD

_ROUNDS = 5
_PHONE: ViewportSize = {"width": 390, "height": 844}
_SLOW_PHONE_CPU = 4
_SLOW_PHONE = {"latency": 40, "downloadThroughput": 1_250_000, "uploadThroughput": 1_250_000, "offline": False}
_FLAGS = ("--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update")

# In a page: when the cards that can be seen have their answers, then all but a late one; each time, the page can take a
# key.
_PAINTED = """async ({widgets, late}) => {
    const waits = card => card.matches("[aria-busy]") || card.querySelector("[aria-busy]");
    const isSeen = card => card.getBoundingClientRect().top < innerHeight;
    const painted = async chosen => {
        for (;;) {
            const cards = [...document.querySelectorAll("main section[aria-labelledby]")];
            if (cards.length >= widgets && !cards.some(card => chosen(card) && waits(card))) break;
            await new Promise(resolve => setTimeout(resolve, 4));
        }
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)));
        return performance.now();
    };
    const isOnTime = card => card.id !== late;
    return [await painted(card => isSeen(card) && isOnTime(card)), await painted(isOnTime)];
}"""

# The requests of the cards, all at once, and until the last has been read.
_RAW = """async ({ids, body}) => {
    const started = performance.now();
    await Promise.all(ids.map(id => fetch(`/v1/widgets/${id}/data`, {
        method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(body),
    }).then(answer => answer.json())));
    return performance.now() - started;
}"""


class Board(NamedTuple):
    """A dashboard with twelve cards."""

    id: str
    widgets: list[str]


def make_board(product: Product) -> Board:
    """Save the twelve widgets of the other benches as a dashboard."""
    dashboard, _ = product.post("/v1/dashboards", {"name": "Bench", "timeRange": "7d"})
    path = f"/v1/dashboards/{dashboard['id']}/widgets"
    made = [product.post(path, {"title": each.name, "type": each.type, "config": each.config})[0] for each in DASHBOARD]
    return Board(dashboard["id"], [widget["id"] for widget in made])


def signed_in(browser: Browser, product: Product) -> BrowserContext:
    """Open a context of a person who is signed in."""
    link, _ = product.post("/v1/auth/links", {})
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(link["url"])
    page.close()
    return context


def raw_ms(context: BrowserContext, product: Product, board: Board, body: dict[str, Any]) -> float:
    """Return how long the requests of the cards take from a blank page of the same origin."""
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{product.port}/healthz")
    taken: float = page.evaluate(_RAW, {"ids": board.widgets, "body": body})
    page.close()
    return taken


def cold_ms(
    context: BrowserContext,
    product: Product,
    board: Board,
    prepare: Callable[[Page], None] | None = None,
    *,
    late: str = "",
) -> tuple[float, float]:
    """Return how long a new tab takes until the cards that can be seen are painted, and until all are.

    The card of the widget `late` gets no answer, and is not waited for.
    """
    page = context.new_page()
    held: list[Route] = []
    if late:
        page.route(f"**/widgets/{late}/data", lambda route: held.append(route))  # noqa: PLW0108 # it needs a function of Python
    if prepare:
        prepare(page)
    page.goto(f"http://127.0.0.1:{product.port}/d/{board.id}", wait_until="commit")
    visible, everything = page.evaluate(_PAINTED, {"widgets": len(board.widgets), "late": late})
    for route in held:
        route.abort()
    page.close()
    return visible, everything


def switch_ms(context: BrowserContext, product: Product, board: Board) -> float:
    """Return how long it takes from choosing another span until all cards show it."""
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{product.port}/d/{board.id}")
    page.evaluate(_PAINTED, {"widgets": len(board.widgets), "late": ""})
    waiting = page.evaluate_handle(
        """widgets => ({done: new Promise(resolve => {
            let asked = false;
            const begun = performance.now();
            const look = () => {
                const cards = [...document.querySelectorAll("main section[aria-labelledby]")];
                const busy = cards.some(card => card.getAttribute("aria-busy") === "true");
                asked ||= busy;
                if (asked && !busy && cards.length >= widgets) resolve(performance.now() - begun);
                else setTimeout(look, 2);
            };
            document.addEventListener("click", () => look(), {once: true, capture: true});
        })})""",
        len(board.widgets),
    )
    page.get_by_role("radio", name="30d").click()
    taken: float = waiting.evaluate("waiting => waiting.done")
    page.close()
    return taken


def slow_phone(page: Page) -> None:
    """Make a page as small and slow as on a phone: a quarter of the processor, 10 Mbit/s, 40 ms."""
    page.set_viewport_size(_PHONE)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOW_PHONE_CPU})
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", _SLOW_PHONE)


def measure(browser: Browser, product: Product, table: Table) -> None:
    """Measure everything, each thing in turns with the raw requests."""
    board = make_board(product)
    found: dict[str, list[float]] = {}

    def took(what: str, taken: float) -> None:
        found.setdefault(what, []).append(taken)

    for _ in range(_ROUNDS + 1):  # the first warms the server up
        context = signed_in(browser, product)
        took("raw", raw_ms(context, product, board, {}))
        took("raw, 30 days", raw_ms(context, product, board, {"timeRange": "30d"}))
        took("cold", cold_ms(context, product, board)[1])
        took("one late", cold_ms(context, product, board, late=board.widgets[0])[1])
        took("switch", switch_ms(context, product, board))
        visible, everything = cold_ms(context, product, board, slow_phone)
        took("phone", visible)
        took("phone, all", everything)
        context.close()
    middle = {what: statistics.median(times[1:]) for what, times in found.items()}
    for what, taken in (("12 widgets, new tab", "cold"), ("11 of them while one gets no answer", "one late")):
        _add(table, what, middle[taken], middle["raw"], 1.5 * middle["raw"] + 400, "≤ 1.5 R + 400 ms")
    _add(
        table,
        "another span",
        middle["switch"],
        middle["raw, 30 days"],
        1.25 * middle["raw, 30 days"] + 150,
        "≤ 1.25 R + 150 ms",
    )
    _add(table, "new tab on a slow phone, what can be seen", middle["phone"], middle["raw"], 2_000, "≤ 2,000 ms")
    _add(table, "new tab on a slow phone, all cards", middle["phone, all"], middle["raw"], 2_000, "≤ 2,000 ms")


def _add(table: Table, what: str, ours: float, raw: float, limit: float, bar: str) -> None:
    verdict = "" if ours <= limit else " !"
    table.add_row("P11", what, f"{ours:,.0f} / {raw:,.0f} ms = {ours / raw:.2f} ×{verdict}", bar)


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=100_000)
    events = arguments.parse_args().events
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"))),
        None,
    )
    if chromium is None:
        raise SystemExit("no Chromium is installed")
    table = Table("bar", "what", f"app / raw requests, {events:,} events", "limit")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        product = Product(Path(folder), make_history(Path(folder), events))
        browser = driver.chromium.launch(executable_path=chromium, args=_FLAGS, chromium_sandbox=os.geteuid() != 0)
        measure(browser, product, table)
        browser.close()
        product.stop()
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
