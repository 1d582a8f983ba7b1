"""The contrast of words with what is drawn below them (WCAG 2.2, 1.4.3)."""

from typing import Any

from playwright.sync_api import Page

_LARGE_PX, _LARGE_BOLD_PX = 24, 18.66

_MEASURE = """([large, largeBold, within]) => {
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
    const texts = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT)
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


def measure_contrast(page: Page, within: str) -> list[dict[str, Any]]:
    """The `text` of each line within a selector, its contrast as `ratio`, and the one that it must `need`."""
    texts: list[dict[str, Any]] = page.evaluate(_MEASURE, [_LARGE_PX, _LARGE_BOLD_PX, within])
    return texts
