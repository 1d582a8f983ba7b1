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
_PHONE_VIEWPORT: ViewportSize = {"width": 390, "height": 844}
_SLOW_PHONE_CPU_FACTOR = 4
_SLOW_PHONE_NETWORK = {"latency": 40, "downloadThroughput": 1_250_000, "uploadThroughput": 1_250_000, "offline": False}
_CHROMIUM_FLAGS = ("--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update")

# In a page: when the cards that can be seen have their answers, then all but a late one; each time, the page can take a
# key.
_PAINTED_SCRIPT = """async ({widgets, late}) => {
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
_RAW_SCRIPT = """async ({ids, body}) => {
    const started = performance.now();
    await Promise.all(ids.map(id => fetch(`/v1/widgets/${id}/data`, {
        method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(body),
    }).then(answer => answer.json())));
    return performance.now() - started;
}"""


class DashboardIds(NamedTuple):
    """A dashboard with twelve cards."""

    id: str
    widget_ids: list[str]


def make_dashboard(product: Product) -> DashboardIds:
    """Save the twelve widgets of the other benches as a dashboard."""
    dashboard, _ = product.post("/v1/dashboards", {"name": "Bench", "timeRange": "7d"})
    path = f"/v1/dashboards/{dashboard['id']}/widgets"
    widgets = [
        product.post(path, {"title": question.name, "type": question.type, "config": question.config})[0]
        for question in DASHBOARD
    ]
    return DashboardIds(dashboard["id"], [widget["id"] for widget in widgets])


def open_signed_in_context(browser: Browser, product: Product) -> BrowserContext:
    """Open a context of a person who is signed in."""
    link, _ = product.post("/v1/auth/links", {})
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(link["url"])
    page.close()
    return context


def measure_raw_ms(
    context: BrowserContext, product: Product, dashboard_ids: DashboardIds, body: dict[str, Any]
) -> float:
    """Return how long the requests of the cards take from a blank page of the same origin."""
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{product.port}/healthz")
    elapsed_ms: float = page.evaluate(_RAW_SCRIPT, {"ids": dashboard_ids.widget_ids, "body": body})
    page.close()
    return elapsed_ms


def measure_cold_ms(
    context: BrowserContext,
    product: Product,
    dashboard_ids: DashboardIds,
    prepare_page: Callable[[Page], None] | None = None,
    *,
    late_widget_id: str = "",
) -> tuple[float, float]:
    """Return how long a new tab takes until the cards that can be seen are painted, and until all are.

    The card of the widget `late_widget_id` gets no answer, and is not waited for.
    """
    page = context.new_page()
    held_routes: list[Route] = []
    if late_widget_id:
        page.route(f"**/widgets/{late_widget_id}/data", lambda route: held_routes.append(route))  # noqa: PLW0108 # it needs a function of Python
    if prepare_page:
        prepare_page(page)
    page.goto(f"http://127.0.0.1:{product.port}/d/{dashboard_ids.id}", wait_until="commit")
    visible_ms, all_ms = page.evaluate(
        _PAINTED_SCRIPT, {"widgets": len(dashboard_ids.widget_ids), "late": late_widget_id}
    )
    for route in held_routes:
        route.abort()
    page.close()
    return visible_ms, all_ms


def measure_switch_ms(context: BrowserContext, product: Product, dashboard_ids: DashboardIds) -> float:
    """Return how long it takes from choosing another span until all cards show it."""
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{product.port}/d/{dashboard_ids.id}")
    page.evaluate(_PAINTED_SCRIPT, {"widgets": len(dashboard_ids.widget_ids), "late": ""})
    done_handle = page.evaluate_handle(
        """widgets => ({done: new Promise(resolve => {
            let asked = false;
            const look = begun => {
                const cards = [...document.querySelectorAll("main section[aria-labelledby]")];
                const busy = cards.some(card => card.getAttribute("aria-busy") === "true");
                asked ||= busy;
                if (asked && !busy && cards.length >= widgets) resolve(performance.now() - begun);
                else setTimeout(look, 2, begun);
            };
            document.addEventListener("click", event => look(event.timeStamp), {once: true, capture: true});
        })})""",
        len(dashboard_ids.widget_ids),
    )
    page.get_by_role("radio", name="30d").click()
    elapsed_ms: float = done_handle.evaluate("waiting => waiting.done")
    page.close()
    return elapsed_ms


def emulate_slow_phone(page: Page) -> None:
    """Make a page as small and slow as on a phone: a quarter of the processor, 10 Mbit/s, 40 ms."""
    page.set_viewport_size(_PHONE_VIEWPORT)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOW_PHONE_CPU_FACTOR})
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", _SLOW_PHONE_NETWORK)


def measure(browser: Browser, product: Product, table: Table) -> None:
    """Measure everything, each thing in turns with the raw requests."""
    dashboard_ids = make_dashboard(product)
    ms_by_name: dict[str, list[float]] = {}

    def add_time(name: str, elapsed_ms: float) -> None:
        ms_by_name.setdefault(name, []).append(elapsed_ms)

    for _ in range(_ROUNDS + 1):  # the first warms the server up
        context = open_signed_in_context(browser, product)
        add_time("raw", measure_raw_ms(context, product, dashboard_ids, {}))
        add_time("raw, 30 days", measure_raw_ms(context, product, dashboard_ids, {"timeRange": "30d"}))
        add_time("cold", measure_cold_ms(context, product, dashboard_ids)[1])
        add_time(
            "one late", measure_cold_ms(context, product, dashboard_ids, late_widget_id=dashboard_ids.widget_ids[0])[1]
        )
        add_time("switch", measure_switch_ms(context, product, dashboard_ids))
        visible_ms, all_ms = measure_cold_ms(context, product, dashboard_ids, emulate_slow_phone)
        add_time("phone", visible_ms)
        add_time("phone, all", all_ms)
        context.close()
    median_by_name = {name: statistics.median(ms_list[1:]) for name, ms_list in ms_by_name.items()}
    for title, name in (("12 widgets, new tab", "cold"), ("11 of them while one gets no answer", "one late")):
        _add_row(
            table,
            title,
            median_by_name[name],
            median_by_name["raw"],
            1.5 * median_by_name["raw"] + 400,
            "≤ 1.5 R + 400 ms",
        )
    _add_row(
        table,
        "another span",
        median_by_name["switch"],
        median_by_name["raw, 30 days"],
        1.25 * median_by_name["raw, 30 days"] + 150,
        "≤ 1.25 R + 150 ms",
    )
    _add_row(
        table,
        "new tab on a slow phone, what can be seen",
        median_by_name["phone"],
        median_by_name["raw"],
        2_000,
        "≤ 2,000 ms",
    )
    _add_row(
        table,
        "new tab on a slow phone, all cards",
        median_by_name["phone, all"],
        median_by_name["raw"],
        2_000,
        "≤ 2,000 ms",
    )


def _add_row(table: Table, name: str, app_ms: float, raw_ms: float, limit_ms: float, limit_text: str) -> None:
    mark = "" if app_ms <= limit_ms else " !"
    table.add_row("P11", name, f"{app_ms:,.0f} / {raw_ms:,.0f} ms = {app_ms / raw_ms:.2f} ×{mark}", limit_text)


def main() -> None:
    """Run everything and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=100_000)
    event_count = arguments.parse_args().events
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"))),
        None,
    )
    if chromium is None:
        raise SystemExit("no Chromium is installed")
    table = Table("bar", "what", f"app / raw requests, {event_count:,} events", "limit")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        product = Product(Path(folder), make_history(Path(folder), event_count))
        browser = driver.chromium.launch(
            executable_path=chromium, args=_CHROMIUM_FLAGS, chromium_sandbox=os.geteuid() != 0
        )
        measure(browser, product, table)
        browser.close()
        product.stop()
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
