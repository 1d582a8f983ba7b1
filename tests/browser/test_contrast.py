"""Every word on a chart can be read: its contrast is computed from what is drawn below it (WCAG 2.2, 1.4.3).

Axe leaves words above shapes and shades undecided.
"""

from typing import Any

import pytest

from harness.browser.app import App, settled, use_theme
from harness.clients.dashboards import make_dashboard, make_widget

STEPS = ["page.viewed", "cart.filled", "order.placed"]
WIDGETS: dict[str, Any] = {
    "metric": {"event": STEPS[0], "measure": "count", "overTime": True, "breakdown": "plan"},
    "kpi": {"items": [{"label": step, "event": step, "measure": "count"} for step in STEPS]},
    "formula": {"a": {"event": STEPS[2], "measure": "count"}, "expression": "a * 100", "overTime": False},
    "funnel": {"steps": [{"event": step} for step in STEPS]},
    "retention": {"cohortEvent": STEPS[0], "granularity": "day"},
    "histogram": {"event": STEPS[0], "property": "total"},
    "heatmap": {"event": STEPS[0]},
    "table": {"event": STEPS[0], "columns": ["time", "event", "actor", "source"]},
    "note": {"text": "# Orders\n\nCounted since *March*, `n` by [the shop](https://example.com)."},
}
LARGE_PX, LARGE_BOLD_PX = 24, 18.66

MEASURED = """([large, largeBold]) => {
    const under = new CSSStyleSheet()
    under.replaceSync('* { pointer-events: auto !important }')
    document.adoptedStyleSheets = [under]
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true})
    const rgba = color => {
        canvas.clearRect(0, 0, 1, 1)
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
        return [r, g, b, a / 255]
    }
    const over = ([r, g, b, a], below) => [r, g, b].map((each, at) => each * a + below[at] * (1 - a)).concat(1)
    const light = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map(each => each / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        return 0.2126 * x + 0.7152 * y + 0.0722 * z
    }
    const paint = e => {
        const style = getComputedStyle(e)
        const color = e instanceof SVGElement && !(e instanceof SVGSVGElement) ? style.fill : style.backgroundColor
        const [r, g, b, a] = color === 'none' ? [0, 0, 0, 0] : rgba(color)
        return [r, g, b, a * parseFloat(style.opacity)]
    }
    const found = []
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
        const text = texts.currentNode, e = text.parentElement
        if (!text.data.trim() || !e.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue
        const range = document.createRange()
        range.selectNodeContents(text)
        const box = range.getBoundingClientRect()
        if (box.width < 2 || box.height < 2) continue
        scrollTo(0, scrollY + box.top - innerHeight / 2)
        const at = range.getBoundingClientRect()
        const stack = document.elementsFromPoint(at.left + at.width / 2, at.top + at.height / 2)
        const from = stack.findIndex(each => each === e || e.contains(each))
        if (from < 0) continue  // cut off by what it scrolls in
        const below = stack.slice(from).reverse().reduce((color, each) => over(paint(each), color), [255, 255, 255, 1])
        const style = getComputedStyle(e), px = parseFloat(style.fontSize)
        const word = e instanceof SVGElement ? style.fill : style.color
        const [one, other] = [light(over(rgba(word), below)), light(below)].sort((a, b) => b - a)
        const need = px >= large || (px >= largeBold && parseInt(style.fontWeight) >= 700) ? 3 : 4.5
        found.push({text: text.data.trim().slice(0, 40), ratio: (one + 0.05) / (other + 0.05), need})
    }
    document.adoptedStyleSheets = []
    return found
}"""


@pytest.fixture(scope="module")
def board(shared_app: App) -> Any:
    """Every kind of widget, with something in each."""
    events = [
        {
            "name": step,
            "_actor": f"actor {person}",
            "properties": {"total": person * 7, "plan": ["pro", "free", "team"][person % 3]},
        }
        for at, step in enumerate(STEPS)
        for person in range(12)
        if person % (at + 1) == 0
    ]
    assert shared_app.workspace.send({"events": events}).status_code == 202
    made = make_dashboard(shared_app.workspace, name="Orders")
    for kind, config in WIDGETS.items():
        make_widget(shared_app.workspace, made["id"], type=kind, title=kind, config=config, layout={"w": 6, "h": 4})
    return made


def test_every_word_on_a_dashboard_can_be_read_and_a_pale_one_would_be_found(looking: App, board: Any) -> None:
    page = settled(looking.opens("owner", f"/d/{board['id']}"))
    for theme in ("dark", "light"):
        use_theme(page, theme)
        found = page.evaluate(MEASURED, [LARGE_PX, LARGE_BOLD_PX])
        assert len(found) > 100
        assert [each for each in found if each["ratio"] < each["need"] - 0.005] == [], theme
    page.evaluate("document.querySelector('main h2').style.setProperty('color', '#aaaaaa')")
    found = page.evaluate(MEASURED, [LARGE_PX, LARGE_BOLD_PX])
    assert [each["text"] for each in found if each["ratio"] < each["need"]] == ["metric"]
