"""What mail programs make of a mail: narrow windows, both themes, inverted colors, and no style sheet (rules/digests#mail-programs)."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from harness.browser.app import axe
from harness.browser.contrast import measure_contrast
from harness.builders.alert_messages import a_message
from harness.builders.rich_mail import build_rich_digest
from tallyroom.alerts.channel_types.email import ThemedChart, build_alert_mail

STYLE_SHEET = re.compile("<style>.*?</style>", re.DOTALL)
OF_A_WHOLE_SITE = ("region", "landmark-one-main")
"""Rules of axe about pages with landmarks, which a mail in a program's page does not have."""

INVERTED = """() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true})
    const inverted = color => {
        canvas.clearRect(0, 0, 1, 1)
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
        const sum = Math.max(r, g, b) + Math.min(r, g, b)
        return `rgb(${[r, g, b].map(part => part + 255 - sum).join(' ')} / ${a / 255})`
    }
    document.documentElement.style.backgroundColor = 'white'
    const changes = [...document.querySelectorAll('*')].map(e => {
        const style = getComputedStyle(e)
        return [e, inverted(style.color), inverted(style.backgroundColor), inverted(style.borderTopColor)]
    })
    for (const [e, color, background, border] of changes)
        e.style.cssText += `;color:${color} !important;background:${background} !important;border-color:${border} !important`
}"""
"""Turns the lightness of every color around and leaves its hue and all pictures, as Gmail does on a dark phone."""
BROKEN_NUMBERS = """() => [...document.querySelectorAll('td div.ink')]
    .filter(e => e.getBoundingClientRect().height > parseFloat(getComputedStyle(e).lineHeight) + 1)
    .map(e => e.textContent)"""
SHOWN_PICTURES = """() => [...document.images].filter(e => e.checkVisibility()).map(e => e.className)"""


@pytest.fixture(scope="module")
def digest() -> str:
    return build_rich_digest().render_page("https://stats.example.com/unsubscribe/x")


@pytest.fixture(scope="module")
def alert(digest: str) -> str:
    """An alert's mail with pictures of the digest's in place of its own."""
    mail = build_alert_mail("ann@example.com", a_message(type_="alert.fired"), ThemedChart(b"1", b"2"), "delivery-1")
    assert mail.html is not None
    light, dark = re.findall(r'src="(data:[^"]*)"', digest)[:2]
    return mail.html.replace("cid:chartdark", dark).replace("cid:chart", light)


@pytest.fixture(params=["digest", "alert"])
def mail(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(request.param))


def show(page: Page, html: str, *, theme: Any = "light", width: int = 1000) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    page.set_content(html)
    page.wait_for_function("[...document.images].every(e => e.complete)")


def unreadable(page: Page) -> list[Any]:
    texts = measure_contrast(page, "body")
    assert len(texts) > 10
    return [text for text in texts if text["ratio"] < text["need"] - 0.005]


@pytest.mark.parametrize("width", [1000, 672, 599, 390, 320])
def test_a_mail_fits_its_window(page: Page, mail: str, width: int) -> None:
    show(page, mail, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(BROKEN_NUMBERS) == []
    boxes = [card.bounding_box() for card in page.locator(".card.whole").all()]
    card_widths = {round(box["width"]) for box in boxes if box}
    if width < 600:
        assert card_widths <= {width - 16}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_mail_follows_the_theme_of_its_reader(page: Page, mail: str, theme: str) -> None:
    show(page, mail, theme=theme)
    assert set(page.evaluate(SHOWN_PICTURES)) == {f"on-{theme}"}
    assert unreadable(page) == []
    faults = axe(page)
    assert [fault for fault in faults if not fault.startswith(OF_A_WHOLE_SITE)] == []


@pytest.mark.parametrize("sheet", ["with its style sheet", "without it"])
def test_a_mail_can_be_read_with_its_colors_inverted(page: Page, mail: str, sheet: str) -> None:
    show(page, mail if sheet == "with its style sheet" else STYLE_SHEET.sub("", mail))
    page.evaluate(INVERTED)
    assert unreadable(page) == []
    assert set(page.evaluate(SHOWN_PICTURES)) == {"on-light"}


def test_without_its_style_sheet_a_mail_looks_the_same(page: Page, mail: str) -> None:
    pictures = []
    for html in (mail, STYLE_SHEET.sub("", mail)):
        show(page, html, theme="light")
        pictures.append(page.screenshot(full_page=True))
    assert pictures[0] == pictures[1]


def test_cards_in_a_row_are_as_high_as_each_other(page: Page, digest: str) -> None:
    show(page, digest)
    boxes = [card.bounding_box() for card in page.locator(".card").all()]
    rows: dict[float, list[Any]] = {}
    for box in boxes:
        assert box is not None
        rows.setdefault(box["y"], []).append(box)
    assert [len(row) for row in rows.values()] == [3, 1, 2, 1, 2, 2, 1, 1, 1]
    for row in rows.values():
        assert len({box["height"] for box in row}) == 1
        assert row[-1]["x"] + row[-1]["width"] - row[0]["x"] == pytest.approx(640, abs=2)


def test_on_a_phone_numbers_are_two_in_a_row(page: Page, digest: str) -> None:
    show(page, digest, width=390)
    plays, errors, revenue = (
        page.get_by_role("heading", name=name, exact=True).bounding_box() for name in ("Plays", "Errors", "Revenue")
    )
    assert plays is not None
    assert errors is not None
    assert revenue is not None
    assert plays["y"] == errors["y"] < revenue["y"]
