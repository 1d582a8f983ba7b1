"""Somebody at a page who counts what they do."""

from playwright.sync_api import Locator, Page, Position, expect

_MAX_TABS = 60


class Hands:
    """Does what people do at a page. A click, a tap, a key and a written word are one step each.

    Attributes:
        steps: how many there were.
    """

    def __init__(self, page: Page, *, is_thumb: bool = False) -> None:
        self.steps = 0
        self._page = page
        self._is_thumb = is_thumb

    def press(self, place: Locator, position: Position | None = None) -> None:
        """Click it, or tap it with the thumb."""
        self.steps += 1
        if self._is_thumb:
            place.tap(position=position)
        else:
            place.click(position=position)

    def key(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.steps += 1
            self._page.keyboard.press(key)

    def write(self, words: str) -> None:
        """Type words into what has the focus."""
        self.steps += len(words.split())
        self._page.keyboard.type(words)

    def tab_to(self, place: Locator) -> None:
        """Press Tab until something has the focus."""
        expect(place).to_be_visible()
        for _ in range(_MAX_TABS):
            self.key("Tab")
            if place.evaluate("element => element === document.activeElement"):
                return
        raise AssertionError(f"Tab does not lead to {place}")


def hour_of_chart(chart: Locator, hours_back: int, bucket_count: int = 25) -> Position:
    """Where in a chart of 24 hours an hour is."""
    box = chart.bounding_box()
    assert box is not None
    return {"x": box["width"] * (bucket_count - hours_back - 0.5) / bucket_count, "y": box["height"] * 0.8}
