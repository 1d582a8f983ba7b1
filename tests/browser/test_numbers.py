"""Every number on the pages about events is what the API answers to the same question, and any other would be seen."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from harness.browser.app import App, settled
from harness.browser.back_test import check_back_test, frequency
from harness.browser.behind import panel
from harness.browser.numbers import Reading, Told, agrees, change_told, compare, words_with
from harness.browser.profiles import (
    check_facts,
    check_newest_properties,
    check_properties,
    check_ranks,
    check_timeline,
    day,
)
from harness.browser.widgets import bucket, check_chart, check_summary, check_table, partial_places
from harness.builders.uneven_workspace import WIDGETS, Numbered, fill
from harness.clients.bot_files import wait_until
from harness.servers.outside import OutsideServer, answer, saying
from harness.servers.server import Server
from harness.suite.patience import looked_again

TICKETS = {"open": 48_611.5}
EVERYTHING = {"events": "all", "measure": "count"}
SPANS = ["", *(pytest.param(f"range={name}", marks=pytest.mark.long) for name in ("24h", "7d", "90d", "12mo"))]


@pytest.fixture(scope="module")
def outside() -> Iterator[OutsideServer]:
    with OutsideServer(saying(answer(json.dumps(TICKETS).encode()))) as running:
        yield running


@pytest.fixture(scope="module")
def server(outside: OutsideServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that may ask the other service, and evaluates alerts every second."""
    running = Server(
        tmp_path_factory.mktemp("numbers") / "data",
        open_signup="true",
        alert_seconds="1",
        outbound_allow="127.0.0.0/8",
        outbound_http="true",
        trusted_proxies="127.0.0.0/8",
    ).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def made(shared_app: App, outside: OutsideServer) -> Numbered:
    filled = fill(shared_app.workspace, f"http://127.0.0.1:{outside.port}/tickets")
    wait_until(lambda: all(each["lastValue"] is not None for each in filled.ask("/v1/alerts")["alerts"]))
    return filled


def opened(looking: App, path: str, who: str = "owner") -> Reading:
    return Reading(settled(looking.opens(who, path)))


def main(reading: Reading) -> Locator:
    return reading.page.get_by_role("main")


def card(reading: Reading, title: str) -> Locator:
    return main(reading).get_by_role("region", name=title, exact=True)


def choose(reading: Reading, within: Locator, item: str, menu: str = "Widget menu") -> None:
    within.get_by_role("button", name=menu).click()
    reading.page.get_by_role("menuitem", name=item).click()


def config_of(title: str) -> dict[str, Any]:
    return WIDGETS[title][1] if title in WIDGETS else {}


Ask = Callable[[Any], Any]
NOT_COUNTED = re.compile(r"actors · 7-day window|a / b \* 100|127[.\d]+:\d+|\d+ s|(Showing )?\d+ (hours|days|months).*")
"""What cards say of their questions, such as a span of their own, and how old the answers are."""


def check_board(reading: Reading, board: Any, ask: Ask, *, is_public: bool = False, every_table: bool = True) -> None:
    """Fails unless each card has the numbers of its answer, and then as tables all of them, or one of each kind."""
    answers = {widget["title"]: ask(widget) for widget in board["widgets"]}
    assert {each["kind"] for each in answers.values()} >= {"counter", "multiseries", "funnel", "heatmap", "external"}
    for title, answered in answers.items():
        # A public page does not know how many labels were asked for, so that it tells no shares.
        config = config_of(title) | ({"limit": 0} if is_public else {})
        check_chart(reading, card(reading, title), config, answered)
    assert [text for text in reading.left() if not NOT_COUNTED.fullmatch(text)] == []
    of_each_kind = {answered["kind"]: title for title, answered in answers.items()}.values()
    for title in answers if every_table else of_each_kind:
        choose(reading, card(reading, title), "View as table")
        check_table(reading, card(reading, title), answers[title])


@pytest.mark.long
@pytest.mark.parametrize("span", SPANS)
def test_every_card_of_a_dashboard(looking: App, made: Numbered, span: str) -> None:
    asked = {"timeRange": span.removeprefix("range=")} if span else {}
    path = f"/d/{made.board['id']}?{span}"

    def ask(widget: Any) -> Any:
        return made.ask(f"/v1/widgets/{widget['id']}/data", asked | {"foldSeries": True})

    looked_again(lambda: check_board(opened(looking, path), made.board, ask, every_table=bool(span)))


@pytest.mark.long
def test_every_card_of_a_public_dashboard(looking: App, made: Numbered) -> None:
    path = f"/v1/public/dashboards/{made.board['slug']}"
    reading = opened(looking, f"/p/{made.board['slug']}", "public")
    check_board(
        reading,
        made.ask(path),
        lambda widget: made.ask(f"{path}/widgets/{widget['id']}/data", {}),
        is_public=True,
    )


FALSE: dict[str, Callable[[Any], Any]] = {
    "Revenue": lambda told: told | {"value": told["value"] + 0.01},
    "Orders": lambda told: told | {"previous": told["previous"] + 1},
    "Plans": lambda told: told | {"rows": [told["rows"][0], told["rows"][0], *told["rows"][2:]]},
    "Views by day": lambda told: (
        told | {"points": [*told["points"][:-2], {**told["points"][-2], "value": 10**6}, told["points"][-1]]}
    ),
    "Way": lambda told: told | {"steps": [told["steps"][0], told["steps"][1] | {"count": 4}, *told["steps"][2:]]},
    "When": lambda told: told | {"cells": [[each + 1 for each in row] for row in told["cells"]]},
}


@pytest.mark.long
def test_a_number_that_differs_is_seen(looking: App, made: Numbered) -> None:
    widgets = {widget["title"]: widget["id"] for widget in made.board["widgets"]}
    page = looking.blank("owner")

    def falsify(route: Route) -> None:
        told = route.fetch().json()
        title = next(title for title, each in widgets.items() if each in route.request.url)
        route.fulfill(json=FALSE[title](told) if title in FALSE else told)

    page.route("**/v1/widgets/*/data", falsify)
    page.goto(f"{looking.workspace.url}/d/{made.board['id']}")
    reading = Reading(settled(page))
    for title in ("Balance", *FALSE):
        told = made.ask(f"/v1/widgets/{widgets[title]}/data", {})
        with pytest.raises(AssertionError) if title in FALSE else nullcontext():
            check_chart(reading, card(reading, title), config_of(title), told)
    choose(reading, card(reading, "Views by day"), "View as table")
    with pytest.raises(AssertionError):
        check_table(reading, card(reading, "Views by day"), made.ask(f"/v1/widgets/{widgets['Views by day']}/data", {}))


@pytest.mark.long
def test_who_is_behind_a_number(looking: App, made: Numbered) -> None:
    reading = opened(looking, f"/d/{made.board['id']}")
    [widget] = [each for each in made.board["widgets"] if each["title"] == "Orders"]
    told = made.ask(f"/v1/widgets/{widget['id']}/actors", {"at": {}})
    card(reading, "Orders").get_by_role("button", name=re.compile("show who")).click()
    behind = panel(reading.page)
    rows = behind.get_by_role("list", name="Who is behind").get_by_role("listitem")
    expect(rows).to_have_count(len(told["actors"]))
    for row, each in zip(rows.all(), told["actors"], strict=True):
        expect(row).to_contain_text(each["label"] + each["actorKey"])
        reading.says(row.locator("b"), "{}", Told(each["eventCount"]))
    reading.says(behind.get_by_role("tab").first, "{} actors", Told(told["total"]))


@pytest.mark.long
def test_the_list_of_events_and_its_bars(looking: App, made: Numbered) -> None:
    reading = opened(looking, "/events?range=7d")
    config = EVERYTHING | {"breakdown": "name", "overTime": True, "limit": 4, "rest": "other"}
    bars = made.query(config, timeRange="7d", interval="hour")
    shown = [each for each in bars["series"] if any(point["value"] for point in each["points"])]
    columns = [[point["value"] for point in each["points"]] for each in shown]
    totals = [sum(values) for values in zip(*columns, strict=True)]
    reading.says(main(reading).get_by_text(re.compile(r"^[\d,]+ events$")), "{} events", Told(sum(totals)))
    slider = main(reading).get_by_role("slider").get_attribute("aria-label") or ""
    compare([[slider.partition(" in total")[0]]], [[words_with("Events per hour, {}", Told(sum(totals)))]])
    places = partial_places(bars["series"][0]["points"])
    whole = [total for place, total in enumerate(totals) if place not in places]
    numbers = (sum(totals), min(whole), max(whole), totals[-1])
    found = re.fullmatch(
        r"(\S+) events; fewest (\S+) at .*, most (\S+) at .*, last (\S+?)(?: so far)?\.",
        main(reading).get_by_text(re.compile(r"events; fewest ")).inner_text(),
    )
    assert found
    assert all(agrees(text, Told(number)) for text, number in zip(found.groups(), numbers, strict=True))
    choose(reading, main(reading), "View as table", "Histogram menu")
    rows = [
        [bucket(point["t"], "hour"), *(Told(values[number]) for values in columns), Told(totals[number])]
        for number, point in enumerate(bars["series"][0]["points"])
    ]
    reading.table(main(reading).get_by_role("table", name="Events per hour"), rows[::-1])
    told = made.ask("/v1/events", environment="production", timeRange="7d", limit=100)
    listed = [
        [None, each["name"], None, each["actorLabel"] or each["actorKey"] or "", each["properties"]["team"], ""]
        for each in told["events"]
    ]
    reading.table(main(reading).get_by_role("table", name="Events", exact=True), listed)
    reading.says(main(reading).get_by_text("rows · newest first"), "{} rows · newest first", Told(len(listed)))
    assert [text for text in reading.left() if not re.search("a minute$", text)] == []


@pytest.mark.long
def test_an_event_has_what_was_sent_with_it(looking: App, made: Numbered) -> None:
    told = made.ask("/v1/events", environment="production", timeRange="30d", name="order.placed", limit=1)["events"][0]
    reading = opened(looking, f"/events?range=30d&name=order.placed&sel={told['id']}")
    numbers = [
        made.query(each | {"compare": False}, timeRange="30d")["value"]
        for each in ({"event": "order.placed", "measure": "count"}, EVERYTHING)
    ]
    reading.says(main(reading).get_by_text(re.compile(" match$")), "{} of {} match", *map(Told, numbers))
    panel = main(reading).get_by_role("region", name="Event order.placed")
    check_properties(panel.get_by_role("group", name="Properties"), told["properties"])
    reading.says(panel.get_by_role("heading", name="Properties").locator("+ span"), "{}", Told(len(told["properties"])))


def test_actors_and_one_of_them(looking: App, made: Numbered) -> None:
    reading = opened(looking, "/actors?range=90d")
    span = {"environment": "production", "timeRange": "90d"}
    actors = made.ask("/v1/actors", **span)["actors"]
    rows = [
        [
            f"{each['label']} {each['actorKey']}" if each["label"] else each["actorKey"],
            Told(each["eventCount"]),
            "",
            "",
            day(each["firstSeen"]),
            None,
        ]
        for each in actors
    ]
    reading.table(main(reading).get_by_role("table"), rows)
    reading.says(
        main(reading).get_by_text(" shown · "),
        "{} shown · most events first · counts and times of this time range",
        Told(len(rows)),
    )
    assert reading.left() == []
    reading = opened(looking, "/actors/ana?range=90d")
    ana = made.ask("/v1/actor", **span, actorKey="ana")
    only = {"filters": [{"key": "_actor", "op": "eq", "value": "ana"}]}
    days = max(
        1, -((datetime.fromisoformat(ana["firstSeen"]) - datetime.fromisoformat(ana["lastSeen"])) // timedelta(days=1))
    )
    groups = made.query(EVERYTHING | only | {"measure": "uniq", "property": "team", "compare": False}, timeRange="90d")
    most = made.query(EVERYTHING | only | {"breakdown": "name", "limit": 5}, timeRange="90d")
    check_facts(
        reading,
        {
            "Events, 90 days": (
                Told(ana["eventCount"], "written"),
                words_with("{} a day on average", Told(round(ana["eventCount"] / days, 1), "short")),
            ),
            "Groups, by Team": (Told(groups["value"], "written"), None),
            "First seen": (
                day(made.ask("/v1/actor", **span | {"timeRange": "all"}, actorKey="ana")["firstSeen"]),
                None,
            ),
            "Last seen": (None, ana["timeline"][0]["name"]),
        },
    )
    check_ranks(
        reading, "What Ana does most", {each["label"]: each["value"] for each in most["rows"]}, ana["eventCount"]
    )
    check_activity(reading, made, "Activity", only, timeRange="90d", interval="day")
    check_timeline(reading, "Timeline", ana["timeline"], of=ana["eventCount"], besides="team")
    check_newest_properties(reading, ana["timeline"])
    assert reading.left() == []


def check_activity(reading: Reading, made: Numbered, title: str, only: Any, **asked: Any) -> None:
    told = made.query(EVERYTHING | only | {"overTime": True}, **asked)
    chart, line = card(reading, title).get_by_role("application"), [point["value"] for point in told["points"]]
    check_summary(reading, chart, [line], partial_places(told["points"]))
    choose(reading, card(reading, title), "View as table", f"{title} menu")
    rows = [[bucket(point["t"], told["interval"]), Told(point["value"])] for point in told["points"]]
    reading.table(card(reading, title).get_by_role("table"), rows)


@pytest.mark.long
def test_groups_and_one_of_them(looking: App, made: Numbered) -> None:
    reading = opened(looking, "/groups?range=90d")
    span = {"environment": "production", "timeRange": "90d"}
    rows = [
        [each["groupKey"], Told(each["eventCount"]), "", "", Told(each["actorCount"]), None]
        for each in made.ask("/v1/groups", **span)["groups"]
    ]
    reading.table(main(reading).get_by_role("table"), rows)
    reading.says(
        main(reading).get_by_text(" shown · "),
        "{} shown · most events first · counts and times of this time range",
        Told(len(rows)),
    )
    assert reading.left() == []
    reading = opened(looking, "/groups/basil?range=30d")
    span["timeRange"] = "30d"
    basil = made.ask("/v1/group", **span, propKey="team", groupKey="basil")
    only = {"filters": [{"key": "team", "op": "eq", "value": "basil"}]}
    counter = made.query(EVERYTHING | only | {"compare": "previous"}, timeRange="30d")
    words, numbers = change_told(counter["value"], counter["previous"])
    change = words_with(re.sub(" (up|down)", "", words) + " vs. previous period", *numbers)
    ever = made.ask("/v1/group", **span | {"timeRange": "all"}, propKey="team", groupKey="basil")
    check_facts(
        reading,
        {
            "Events, 30 days": (Told(basil["eventCount"], "written"), change),
            "Per active day": (Told(basil["perDay"], "written"), None),
            "First seen": (day(ever["firstSeen"]), None),
            "Last active": (None, None),
        },
    )
    recent = basil["recent"]
    kinds = {each["name"]: each["count"] for each in basil["eventTypes"]}
    by_name = made.query(EVERYTHING | only | {"breakdown": "name", "limit": 5}, timeRange="30d")["rows"]
    assert kinds == {each["label"]: each["value"] for each in by_name}
    check_ranks(reading, "Event types", kinds, basil["eventCount"])
    busiest = made.query(EVERYTHING | only | {"breakdown": "_actor", "limit": 5}, timeRange="30d")["rows"]
    names = {each["actorKey"]: each["actorLabel"] or each["actorKey"] for each in recent}
    check_ranks(
        reading,
        "Most active actors",
        {names.get(each["label"], each["label"]): each["value"] for each in busiest},
        basil["eventCount"],
    )
    check_activity(reading, made, "Events", only, timeRange="30d")
    check_timeline(reading, "Activity", recent, of=basil["eventCount"], besides="team")
    assert [text for text in reading.left() if text != "30 days"] == []


@pytest.mark.long
def test_rules_their_values_and_what_they_did(looking: App, made: Numbered) -> None:
    reading = opened(looking, "/alerts")
    told = {each["name"]: each for each in made.ask("/v1/alerts")["alerts"]}
    rules = main(reading).get_by_role("list", name="Rules").get_by_role("listitem")
    words = words_with("sum of total of order.refunded below {} in {} h · notifies no one", Told(-10_000), Told(2))
    reading.cells(rules.locator("p"), [[words]])
    last_value = Told(told["Money goes"]["lastValue"], "written")
    reading.says(rules.locator("span").filter(has_text=re.compile("^Value ")).first, "Value {}", last_value)
    assert [day["fired"] for row in made.ask("/v1/alerts/history")["alerts"] for day in row["firingDays"]] == [1]
    [fired] = made.ask("/v1/alerts/activity")["activity"]
    feed = card(reading, "Activity")
    reading.says(feed.get_by_text("fired at"), "fired at {}, limit {}", Told(fired["value"]), Told(fired["threshold"]))
    reading.says(feed.get_by_text("newest"), "newest {}", Told(1))
    firing = card(reading, "Orders fail")
    expect(firing.get_by_role("img", name=re.compile("^Last 30 days: fired once, 1 on "))).to_be_visible()
    numbers = (Told(told["Orders fail"]["lastValue"]), Told(60), Told(12.5))
    reading.says(firing.get_by_text("The limit is"), "{} order.failed in {} minutes. The limit is {}.", *numbers)
    reading.says(firing.get_by_text("limit ", exact=False).last, "limit {}", Told(12.5))
    check_summary(reading, firing.get_by_role("application"), [[*[0] * 12, 17]])
    for tab, count in (("Rules", len(told)), ("Channels", 0)):
        reading.says(main(reading).get_by_role("tab", name=tab), f"{tab} {{}}", Told(count))
    assert [text for text in reading.left() if not text.startswith("Firing for")] == []


@pytest.mark.long
def test_how_often_a_rule_would_have_fired(looking: App, made: Numbered) -> None:
    usual = {"environment": "production", "condition": "above", "windowMinutes": 60}
    reading = opened(looking, "/alerts/new?event=page.viewed")
    limit = float(reading.page.get_by_role("textbox", name="Threshold").input_value())
    check_back_test(reading, made, usual | {"event": "page.viewed", "measure": "count", "threshold": limit})
    suggested = main(reading).get_by_text("Suggested")
    preview = usual | {"event": "page.viewed", "measure": "count"}
    fires, counted = frequency(made, preview | {"threshold": limit})
    words = f"Suggested: {{}} % of the past {{}} days were at or below {{}}. It would fire {fires}."
    reading.says(suggested, words, Told(99), Told(30), Told(limit), *counted)
    besides = ("last 30 days, production", "Use ")
    assert [text for text in reading.left() if not text.startswith(besides)] == []
    reading = opened(looking, f"/alerts/{made.alert['id']}")
    check_back_test(reading, made, usual | {"event": "order.failed", "measure": "count", "threshold": 12.5})


@pytest.mark.long
def test_lists_of_what_was_made(looking: App, made: Numbered) -> None:
    reading = opened(looking, "/dashboards")
    boards = [
        [None, each["name"], None, Told(each["widgetCount"]), None, None, None]
        for each in made.ask("/v1/dashboards")["dashboards"]
    ]
    reading.table(main(reading).get_by_role("table"), boards)
    reading = opened(looking, "/segments")
    counted = [EVERYTHING | {"measure": "uniq_actors"}, EVERYTHING]
    segments = [
        [
            None,
            None,
            None,
            *(Told(made.query(each | {"segmentId": segment["id"]}, timeRange="30d")["value"]) for each in counted),
            None,
        ]
        for segment in made.ask("/v1/segments")["segments"]
    ]
    reading.table(main(reading).get_by_role("table"), segments)
    assert reading.left() == []
    reading = opened(looking, "/annotations?range=90d")
    points = made.query(EVERYTHING | {"overTime": True}, timeRange="90d")["points"]
    chart, line = main(reading).get_by_role("application"), [point["value"] for point in points]
    check_summary(reading, chart, [line], partial_places(points))
    count = len(made.ask("/v1/annotations", environment="production")["annotations"])
    reading.says(main(reading).get_by_text(re.compile("^\\d+ annotations?$")), "{} annotations", Told(count))
    assert reading.left() == []
    for path in ("/keys", "/sources"):
        assert opened(looking, path).left() == []
    reading = opened(looking, "/export")
    total = made.query(EVERYTHING | {"compare": False}, timeRange="all")["value"]
    reading.says(main(reading).get_by_text("as of now"), "{} events, as of now.", Told(total))


@pytest.mark.long
def test_the_mail_of_a_digest(looking: App, made: Numbered) -> None:
    """Its widgets are those of a dashboard of 30 days; numbers in a mail are written out."""
    reading = opened(looking, "/digests")
    text = main(reading).locator("iframe").evaluate("each => each.contentDocument.body.innerText")
    board = made.ask(f"/v1/dashboards/{made.digest['dashboardId']}")
    told = {each["title"]: made.ask(f"/v1/widgets/{each['id']}/data", {}) for each in board["widgets"]}
    value, previous = told["Orders"]["value"], told["Orders"]["previous"]
    numbers = [value, previous, *(row["value"] for row in told["Plans"]["rows"])]
    parts = [each[part] for each in told["In short"]["items"] for part in ("value", "previous")]
    numbers += [part for part in parts if part is not None]
    shown = re.findall(r"[−-]?\d{1,3}(?:,\d{3})*(?:\.\d+)?", text)
    missing = [number for number in numbers if not any(agrees(each.replace("-", "−"), Told(number)) for each in shown)]
    assert missing == []
    [subject] = [each for each in reading.left() if not re.search("^next in|for 90 days", each)]
    assert agrees(re.findall(r"^Morning: Orders ↑ ([\d.]+) ×", subject)[0], Told(value / previous, "1"))


@pytest.mark.long
def test_usage_environments_and_the_audit_log(looking: App, made: Numbered) -> None:
    reading = opened(looking, "/settings")
    told, now = made.ask("/v1/usage"), datetime.now(UTC)
    begin, end = (datetime.fromisoformat(each) for each in (f"{told['period']}-01T00:00:00+00:00", told["resetsAt"]))
    usage = main(reading).get_by_role("region", name="Usage", exact=True)
    assert told["used"] > 10_000
    words, numbers = "{} events, no limit", [Told(told["used"])]
    if now - begin >= timedelta(days=2):
        expected = round(told["used"] / ((now - begin) / (end - begin)))
        words, numbers = f"{words} about {{}} by 1 {end:%B}", [*numbers, Told(expected, "short")]
    reading.says(usage.get_by_text("events, no limit").locator(".."), words, *numbers)
    day, days = Told((now - begin).days + 1), Told((end - begin).days)
    reading.says(usage.get_by_text(re.compile("^Day ")), "Day {} of {} · by event date", day, days)
    left = -((now - end) // timedelta(days=1))
    reading.says(
        usage.get_by_text("resets in"), f"{begin:%B}, resets in {{}} {'day' if left == 1 else 'days'}", Told(left)
    )
    keys = Counter(each["environment"] for each in made.ask("/v1/keys")["keys"])
    rows = [
        [None, Told(keys[each["name"]]), "forever", None, None] for each in made.ask("/v1/environments")["environments"]
    ]
    reading.table(main(reading).get_by_role("table", name="Environments"), rows)
    audit = made.ask("/v1/audit", limit=50)["entries"]
    log = main(reading).get_by_role("region", name="Audit", exact=True)
    assert log.get_by_role("row").count() == len(audit) + 1
    reading.says(log.get_by_text("newest first"), "{} shown · newest first", Told(len(audit)))
