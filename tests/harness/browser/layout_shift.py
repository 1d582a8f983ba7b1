"""How far the parts of a page move while it loads, as Chromium measures it."""

from typing import Any, NamedTuple

from playwright.sync_api import Page

_SHIFTS = """() => new Promise(tell => {
    const nameOf = node => !node ? 'what is gone' : node.nodeType === Node.TEXT_NODE ? `"${node.data.slice(0, 30)}"` :
        `<${node.localName} ${node.getAttribute('aria-label') ?? node.textContent.slice(0, 30)}>`
    const placeOf = ({x, y, width, height}) => [x, y, width, height].map(Math.round).join(' ')
    const moveOf = ({node, previousRect, currentRect}) =>
        `${nameOf(node)} from ${placeOf(previousRect)} to ${placeOf(currentRect)}`
    const shifts = []
    const observer = new PerformanceObserver(list => shifts.push(...list.getEntries()))
    observer.observe({type: 'layout-shift', buffered: true})
    setTimeout(() => tell(shifts.filter(({hadRecentInput}) => !hadRecentInput).map(
        ({value, startTime, sources}) => [value, Math.round(startTime), sources.map(moveOf)])), 50)
})"""


class LayoutShift(NamedTuple):
    """Something that moved: its score, when in ms, and each part with x, y, width and height before and after."""

    score: float
    at_ms: int
    moves: list[str]


def layout_shifts(page: Page) -> list[LayoutShift]:
    """What moved since the page was opened, without what follows a key or a click."""
    shifts: list[Any] = page.evaluate(_SHIFTS)
    return [LayoutShift(*shift) for shift in shifts]
