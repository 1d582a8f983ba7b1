"""The threshold of an alert: suggested by the past, typed, or moved as a line in the chart (rules/alerts#preview)."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from harness.browser.app import PHONE, App, axe, axe_in_both_themes, focused, settled
from harness.builders.moments import ago
from harness.clients.dashboards import make_alert

USUAL, BURST = 4, 40
"""Events in an hour, and in one of the three hours that are unlike the others."""
BURST_AGES = (30, 60, 90)
"""In hours."""


@pytest.fixture
def orders(app: App) -> App:
    """Five days of orders that fail, with three bursts."""
    ages = [hour for hour in range(120) for _ in range(BURST if hour in BURST_AGES else USUAL)]
    events = [{"name": "order.failed", "_timestamp": ago(hours=hour, minutes=7)} for hour in ages]
    for first in range(0, len(events), 500):
        assert app.workspace.send({"events": events[first : first + 500]}).status_code == 202
    return app


def handle(page: Page) -> Locator:
    return page.get_by_role("slider", name="Threshold on the chart")


def threshold(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Threshold")


def opened(app: App, value: float, who: str = "developer") -> Page:
    """The page of an alert above a threshold."""
    alert = make_alert(app.workspace, event="order.failed", threshold=value, windowMinutes=60)
    return settled(app.opens(who, f"/alerts/{alert['id']}"))


def grip(page: Page) -> tuple[float, float]:
    """The place of the handle's grip."""
    box = handle(page).locator("span").first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def height(page: Page) -> float:
    box = page.get_by_role("application", name="Back-test").bounding_box()
    assert box is not None
    return box["height"]


def preview_of(app: App, value: float) -> Any:
    rule = {"environment": "production", "event": "order.failed", "condition": "above", "windowMinutes": 60}
    with app.workspace.client() as client:
        return client.post("/v1/alerts/preview", json=rule | {"threshold": value}).json()


def test_a_dragged_limit_recounts_at_once_and_the_server_agrees(orders: App) -> None:
    page = opened(orders, 20)
    heading = page.get_by_role("main").get_by_role("heading", name=re.compile("^Would"))
    expect(heading).to_have_text("Would have fired 3 times")
    held: list[Any] = []
    page.route("**/v1/alerts/preview", lambda route: held.append(route))  # noqa: PLW0108 # a method has no name to give
    x, y = grip(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 200, y - height(page), steps=6)
    expect(heading).to_have_text("Would not have fired")
    expect(handle(page)).to_contain_text("never fires")
    page.mouse.move(x - 200, y + 4, steps=6)
    expect(heading).to_have_text("Would have fired 3 times")
    expect(handle(page)).to_contain_text(re.compile(r"fires 3\s×\sa\smonth"))
    page.mouse.move(x - 200, y + height(page), steps=6)
    page.mouse.up()
    expect(threshold(page)).to_have_value("0")
    expect(heading).to_have_text("Would have fired once")
    page.wait_for_timeout(0)
    for route in held:
        route.continue_()
    page.unroute_all(behavior="wait")
    settled(page)
    expect(heading).to_have_text("Would have fired once")
    assert preview_of(orders, 0)["fired"] == 1


def test_keys_move_the_limit_and_say_how_often_it_fires(orders: App) -> None:
    page = opened(orders, 20)
    limit = handle(page)
    limit.focus()
    expect(limit).to_have_attribute("aria-valuetext", re.compile(r"^20, fires 3\s×\sa\smonth$"))
    page.keyboard.press("ArrowUp")
    expect(threshold(page)).to_have_value("21")
    expect(limit).to_have_attribute("aria-valuenow", "21")
    page.keyboard.press("PageDown")
    expect(threshold(page)).to_have_value("11")
    page.keyboard.press("Home")
    expect(threshold(page)).to_have_value("0")
    expect(limit).to_have_attribute("aria-valuetext", "0, fires once a month")
    page.keyboard.press("End")
    expect(limit).to_have_attribute("aria-valuetext", re.compile("never fires$"))
    assert focused(page) == "slider Threshold on the chart"
    threshold(page).fill("30")
    expect(limit).to_have_attribute("aria-valuenow", "30")
    assert axe_in_both_themes(page) == []


@pytest.mark.long
def test_a_thumb_moves_the_limit_by_its_grip_and_scrolls_elsewhere(orders: App, browser: Browser) -> None:
    alert = make_alert(orders.workspace, event="order.failed", threshold=20, windowMinutes=60)
    viewport: Any = {"width": PHONE[0], "height": PHONE[1]}
    with browser.new_context(viewport=viewport, has_touch=True, is_mobile=True) as context:
        workspace = orders.workspace
        context.add_cookies([{"name": workspace.cookie, "value": workspace.session_token, "url": workspace.url}])
        page = context.new_page()
        page.goto(f"{workspace.url}/alerts/{alert['id']}")
        handle(page).scroll_into_view_if_needed()
        touch = context.new_cdp_session(page)
        x, y = grip(page)
        steps = [{"x": x, "y": y + step * height(page) / 8} for step in range(6)]
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": steps[:1]})
        for step in steps[1:]:
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [step]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(threshold(page)).not_to_have_value("20")
        assert 0 <= float(threshold(page).input_value()) < 20
        box = handle(page).locator("span").first.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= PHONE[0]
        assert axe(page) == []


def test_a_new_alert_begins_with_what_the_past_kept_to(orders: App) -> None:
    page = settled(orders.opens("developer", "/alerts/new?event=order.failed"))
    expect(threshold(page)).to_have_value("40")  # three bursts are more than 1 % of five days
    main = page.get_by_role("main")
    expect(main).to_contain_text(re.compile(r"Suggested: 99\s% of the past 30 days were at or below 40\."))
    expect(main).to_contain_text("Would not have fired")
    expect(main).to_contain_text("the peak was 40, last 30 days")
    page.get_by_role("combobox", name="Condition").select_option("below")
    expect(threshold(page)).to_have_value("4")
    page.get_by_role("combobox", name="Condition").select_option("anomaly")
    expect(threshold(page)).to_have_value("3")
    page.get_by_role("combobox", name="Condition").select_option("above")
    threshold(page).fill("9")
    expect(main).not_to_contain_text("Suggested")
    expect(main).to_contain_text("Would have fired 3 times")
    page.get_by_role("button", name="Watch a formula").click()
    expect(threshold(page)).not_to_have_value("9")
    page.get_by_role("button", name="Watch one measure").click()
    expect(threshold(page)).to_have_value("9")


def test_a_limit_that_fires_often_comes_with_one_that_fires_once_a_week(app: App) -> None:
    """Twelve days have a peak each, of 20 to 31 within five minutes, in 27 days."""
    usual = [hour * 60 + 7 for hour in range(27 * 24) for _ in range(USUAL)]
    peaks = [(2 * day * 24 + 5) * 60 + 7 for day in range(1, 13) for _ in range(15 + day)]
    events = [{"name": "order.failed", "_timestamp": ago(minutes=minutes)} for minutes in usual + peaks]
    for first in range(0, len(events), 500):
        assert app.workspace.send({"events": events[first : first + 500]}).status_code == 202
    page = settled(app.opens("developer", "/alerts/new?event=order.failed"))
    main = page.get_by_role("main")
    page.get_by_role("combobox", name="Window").select_option("5")
    expect(threshold(page)).to_have_value("4")
    expect(main).to_contain_text("at or below 4. It would fire about 12 times a month.")
    main.get_by_role("button", name="Use 25: about once a week").click()
    expect(threshold(page)).to_have_value("25")
    expect(main).to_contain_text("Would have fired 6 times")
    expect(main).to_contain_text("The highest value of each hour")
    threshold(page).fill("100")
    expect(main).to_contain_text("the peak was 31, last 30 days")
    assert axe_in_both_themes(page) == []


def test_from_too_little_nothing_is_suggested(app: App) -> None:
    sent = [{"name": "order.failed", "_timestamp": ago(minutes=3)} for _ in range(8)]
    assert app.workspace.send({"events": sent}).status_code == 202
    page = settled(app.opens("developer", "/alerts/new?event=order.failed"))
    main = page.get_by_role("main")
    expect(main).to_contain_text("less than a day of data")
    expect(threshold(page)).to_have_value("")
    expect(threshold(page)).not_to_have_attribute("aria-invalid", "true")
    expect(handle(page)).to_have_count(0)
    expect(main).not_to_contain_text("have fired")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("group", name="Enter a threshold.")).to_be_visible()
    threshold(page).fill("5")
    expect(main).to_contain_text("Would have fired once")
    expect(handle(page)).to_be_visible()


def test_a_viewer_sees_the_limit_and_no_handle(orders: App) -> None:
    page = opened(orders, 20, "viewer")
    expect(page.get_by_role("application", name="Back-test")).to_be_visible()
    expect(page.get_by_role("slider")).to_have_count(0)
