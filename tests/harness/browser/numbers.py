"""Numbers as the web app writes them, read back and compared with answers of the API; and what nobody compared."""

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page

Value = float | None
NONE, MINUS = "–", "−"

_NUMBER = re.compile(rf"({MINUS}?)(\d{{1,3}}(?:,\d{{3}})*)(\.\d+)?(?:e({MINUS}?\d+))?([kMBT]?)")
_UNITS = {"": 1.0, "k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
_LENGTHS = {"s": 1, "min": 60, "h": 3_600, "days": 86_400}

_CELLS = """(within, [row, cells]) => {
    within.dataset.compared = ''
    return [...within.querySelectorAll(row)].map(each =>
        cells.map(cell => (cell === '' ? each : each.querySelector(cell))?.innerText ?? null))
}"""
_ROWS = """table => {
    table.dataset.compared = ''
    return [...table.tBodies].flatMap(body => [...body.rows]).map(row => [...row.cells].map(cell => cell.innerText))
}"""
_LEFT = """main => {
    const left = [], skipped = '[data-compared], [aria-hidden=true], time, code, pre, select, [role=radiogroup], [role=menu]'
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
        const text = texts.currentNode
        if (/[0-9]/.test(text.data) && text.parentElement.checkVisibility() && !text.parentElement.closest(skipped))
            left.push(text.data)
    }
    return left
}"""
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_MOMENTS = re.compile(
    rf"\b\d{{1,2}}\s{_MONTH}(?:\s\d{{4}})?\b|\b{_MONTH}\s\d{{4}}\b|\b\d\d:\d\d(?::\d\d)?(?:\.\d{{3}})?\b"
    r"|\b\d+\s(?:s|min|h|days?)\sago\b|\bin\s\d+\s(?:s|min|h|days?)\b"
)


class Told(NamedTuple):
    """A number of an answer, and how a page writes it.

    Attributes:
        value: what the API says; None for no value.
        form: `exact` for every digit of whole numbers; `short` for three digits; `written` and `big` are exact up to
            ten million and one million and short from there; `id` for digits without separators; `share` and `whole` for percent of a fraction; `change`
            with its sign; `place` as in "2nd"; `length` of seconds; a digit for that many decimals.
    """

    value: Value
    form: str = "exact"


def change_told(value: Value, previous: Value, unit: str = "") -> tuple[str, list[Told]]:
    """A change in words, and its number: a difference of numbers below zero, a factor above three, else a share."""
    if value is None or previous is None:
        return "", []
    if value == previous:
        return "no change", []
    if min(value, previous) < 0:
        return f"{'+' if value > previous else MINUS}{{}} {unit}", [Told(abs(value - previous), "written")]
    if previous == 0:
        return "", []
    factor = value / previous
    if factor > 3:
        return "↑ up {} ×", [Told(factor, "1") if factor < 9.95 else Told(round(factor), "short")]
    return ("↑ up {}" if factor > 1 else "↓ down {}"), [Told(factor - 1, "share")]


def agrees(text: str, told: Told) -> bool:
    """Whether a text says the number, as exactly as its form does. White space does not matter."""
    text = "".join(text.split())
    value, form = told
    if value is None or form == "id":
        return text == (NONE if value is None else str(value))
    if form in {"share", "whole"}:
        return _says_share(text, abs(value) * 100, form)
    if form == "change":
        return text.startswith("+") == (value > 0) and agrees(text.removeprefix("+"), Told(value))
    if form == "place":
        return text == f"{value:,.0f}{_ending(round(value))}"
    if form == "length":
        return _says_length(text, value)
    return _says(text, value, _precision(value, form), exactly=_is_whole(value, form))


def _says(text: str, value: float, precision: float, *, exactly: bool) -> bool:
    found = _NUMBER.fullmatch(text)
    if found is None:
        return False
    sign, whole, part, power, unit = found.groups()
    if exactly:
        return text == f"{int(value):,}".replace("-", MINUS)
    size = float(whole.replace(",", "") + (part or "")) * _UNITS[unit] * 10 ** float((power or "0").replace(MINUS, "-"))
    said = -size if sign else size
    return abs(said - value) <= precision + abs(value) * 1e-9


def _is_whole(value: float, form: str) -> bool:
    """Whether every digit has to be there."""
    most = {"exact": 1e21, "written": 1e7, "big": 1e6, "short": 1e3}.get(form, 0)
    return float(value).is_integer() and abs(value) < most


def _precision(value: float, form: str) -> float:
    """Half of the last digit that is written."""
    size = abs(value)
    if form.isdigit():
        return 0.5 / 10.0 ** int(form)
    if form == "exact" and 1 <= size < 1e21:
        return 0.005
    if 1_000 <= size < 10_000:
        return 0.5
    return 0.5 * 10.0 ** (math.floor(math.log10(size)) - 2) if size else 0.0


def _says_share(text: str, size: float, form: str) -> bool:
    """Only nothing is 0 %, and only the whole is 100 %."""
    if not text.endswith("%"):
        return False
    text, step, least, most = text[:-1], *((0.1, 0.05, 99.9) if form == "share" else (1.0, 1.0, 99.0))
    if text.startswith("<"):
        return float(text[1:]) == step and 0 < size < least
    if size in {0, 100} or text in {"0", "100"}:
        return size in {0, 100} and text == f"{size:.0f}"
    precision = step / 2 if size < 100 else _precision(size, "short")
    return _says(text, min(size, most) if size < 100 else size, precision, exactly=False)


def _says_length(text: str, seconds: float) -> bool:
    if text == "under1s":
        return seconds < 0.5
    found = re.fullmatch(r"([\d.,]+)(s|min|h|days)", text)
    if found is None:
        return False
    value = seconds / _LENGTHS[found[2]]
    is_largest = all(seconds < 2 * other for other in _LENGTHS.values() if other > _LENGTHS[found[2]])
    return is_largest and abs(float(found[1].replace(",", "")) - value) <= (0.05 if value < 9.95 else 0.5) + 1e-9


def _ending(place: int) -> str:
    return "th" if place // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")


class Reading:
    """What a page shows. What was compared is remembered, so that the rest can be told."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def says(self, where: Locator, words: str, *numbers: Told) -> None:
        """Fails unless an element says these words, with the numbers where `{}` stands."""
        self.cells(where, [[words_with(words, *numbers)]])

    def cells(
        self, within: Locator, expected: Sequence[Sequence[Any]], *, row: str = "", cells: Sequence[str] = ()
    ) -> None:
        """Fails unless the parts of an element that selectors find are these, row by row; without selectors, all of it.

        Args:
            within: the element.
            expected: for each cell a text, a `Told`, `words_with` numbers, or None for whatever it may be.
            row: finds the rows in it.
            cells: find the cells in each row.
        """
        if row:
            found = within.evaluate(_CELLS, [row, list(cells)])
        else:
            found = [[within.evaluate("each => { each.dataset.compared = ''; return each.innerText }")]]
        compare(found, expected)

    def table(self, table: Locator, expected: Sequence[Sequence[Any]]) -> None:
        """Fails unless the cells of a table below its head are these, as `cells` takes them."""
        compare(table.evaluate(_ROWS), expected)

    def left(self) -> list[str]:
        """What has digits on the page, was not compared, and is no moment."""
        texts = [" ".join(text.split()) for text in self.page.get_by_role("main").evaluate(_LEFT)]
        return [text for text in texts if re.search(r"\d", _MOMENTS.sub("", text))]


class Sentence(NamedTuple):
    """Words with numbers between them."""

    words: str
    numbers: tuple[Told, ...]

    def __str__(self) -> str:
        return self.words.format(*(f"[{value} {form}]" for value, form in self.numbers))


def words_with(words: str, *numbers: Told) -> Sentence:
    """Words with the numbers where `{}` stands; white space does not matter."""
    return Sentence(words, numbers)


def compare(found: Sequence[Sequence[str | None]], expected: Sequence[Sequence[Any]]) -> None:
    """Fails unless each cell is what was expected of it."""
    assert len(found) == len(expected), f"{len(found)} rows, not {len(expected)}: {found}"
    wrong = [
        f"row {number}: {one} is not {other}"
        for number, (cells, told) in enumerate(zip(found, expected, strict=True))
        for one, other in zip(cells, told, strict=True)
        if not _is(one, other)
    ]
    assert wrong == []


def _is(found: str | None, expected: Any) -> bool:
    if expected is None:
        return True
    if found is None:
        return False
    if isinstance(expected, Told):
        return agrees(found, expected)
    said = "".join(found.split())
    if isinstance(expected, Sentence):
        pattern = "(.+?)".join(re.escape("".join(part.split())) for part in expected.words.split("{}"))
        numbers = re.fullmatch(pattern, said)
        return numbers is not None and all(map(agrees, numbers.groups(), expected.numbers))
    return said == "".join(str(expected).split())
