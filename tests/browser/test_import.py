"""Files in the browser: CSV and NDJSON become events, each once, with a key that lives no longer (rules/events#import)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from harness.browser.app import App, everything_kept, settled

ORDERS = """order_id,action,customer_id,created_at,total,zip
1001,import.ordered,41,2026-11-19T08:15:00Z,42.50,01234
1001,import.paid,41,2026-11-19T08:20:00Z,42.50,01234
1002,import.ordered,42,2026-11-20T17:01:00Z,12,99887
"""


def chosen(app: App, file: Path, text: str, **how: Any) -> Page:
    """The import page with a file whose first events are shown."""
    file.write_text(text, encoding="utf-8")
    page = settled(app.opens("developer", "/import", **how))
    page.get_by_label("Choose a file", exact=True).set_input_files(file)
    expect(page.get_by_role("table", name="First events")).to_be_visible()
    return page


def start(page: Page) -> None:
    import_time = page.get_by_label("Give every event the time of the import")
    if import_time.is_visible():
        import_time.check()
    page.get_by_role("button", name=re.compile("^Import into")).click()


def events_of(app: App) -> list[Any]:
    found: list[Any] = app.workspace.get("/v1/events", timeRange="all", limit="200").json()["events"]
    return found[::-1]


def live_keys(app: App) -> list[str]:
    keys = app.workspace.get("/v1/keys").json()["keys"]
    return [key["name"] for key in keys if key["revokedAt"] is None]


def test_a_file_of_another_shape_is_mapped_seen_and_imported(app: App, tmp_path: Path) -> None:
    page = chosen(app, tmp_path / "orders.csv", ORDERS)
    preview = page.get_by_role("table", name="First events")
    expect(preview.get_by_role("row")).to_have_count(4)
    expect(preview).to_contain_text('{"order_id":1001,"total":42.50,"zip":"01234"}')
    page.get_by_label("order_id becomes").select_option("text")
    page.get_by_label("zip becomes").select_option("ignore")
    expect(preview).to_contain_text('{"order_id":"1001","total":42.50}')
    start(page)
    expect(page.get_by_role("main").get_by_text("3 rows: 3 accepted, 0 already counted, 0 refused.")).to_be_visible()
    assert [(each["name"], each["actorKey"], each["properties"]) for each in events_of(app)] == [
        ("import.ordered", "41", {"order_id": "1001", "total": 42.5}),
        ("import.paid", "41", {"order_id": "1001", "total": 42.5}),
        ("import.ordered", "42", {"order_id": "1002", "total": 12}),
    ]
    settled(page)
    assert live_keys(app) == ["test"]
    assert not re.search(r"tr_live_\w{30}", everything_kept(page))
    page.get_by_role("button", name="Import another file").click()
    page.get_by_label("Choose a file", exact=True).set_input_files(tmp_path / "orders.csv")
    page.get_by_label("order_id becomes").select_option("text")
    page.get_by_label("zip becomes").select_option("ignore")
    start(page)
    expect(page.get_by_role("main").get_by_text("3 rows: 0 accepted, 3 already counted, 0 refused.")).to_be_visible()
    assert len(events_of(app)) == 3


def test_a_time_is_known_by_its_values_and_events_are_named_after_their_file(app: App, tmp_path: Path) -> None:
    page = chosen(app, tmp_path / "Old orders.csv", "id,when\n1,2026-11-01 00:00:00\n2,2026-11-02 08:15:00\n")
    expect(page.get_by_label("when becomes")).to_have_value("timestamp")
    expect(page.get_by_label("Event name")).to_have_value("old_orders")
    start(page)
    expect(page.get_by_role("main").get_by_text("2 rows: 2 accepted, 0 already counted, 0 refused.")).to_be_visible()
    assert [(event["name"], event["timestamp"][:10]) for event in events_of(app)] == [
        ("old_orders", "2026-11-01"),
        ("old_orders", "2026-11-02"),
    ]


def test_events_get_the_time_of_the_import_only_if_somebody_says_so(app: App, tmp_path: Path) -> None:
    page = chosen(app, tmp_path / "orders.csv", "event,paid on\nimport.some,1 Nov 2026\n")
    button = page.get_by_role("button", name=re.compile("^Import into"))
    expect(button).to_be_disabled()
    expect(page.get_by_text("Choose the column with the time of the events")).to_be_visible()
    page.get_by_label("Give every event the time of the import").check()
    expect(button).to_be_enabled()


@pytest.mark.long
def test_refused_rows_are_told_with_their_reasons(app: App, tmp_path: Path) -> None:
    lines = [
        {"name": "order.placed", "_timestamp": "2099-01-01T00:00:00Z"},
        {"name": "order.placed", "properties": {"id": 1}},
        {"name": ""},
    ]
    text = "\n".join([*map(json.dumps, lines), "not json"])
    page = chosen(app, tmp_path / "events.ndjson", text, refused=[400])
    expect(page.get_by_role("table", name="First events")).to_contain_text("the line is not JSON")
    start(page)
    expect(page.get_by_role("main").get_by_text("4 rows: 1 accepted, 0 already counted, 3 refused.")).to_be_visible()
    refused = page.get_by_role("region", name="Refused rows")
    expect(refused.get_by_role("listitem")).to_have_count(3)
    expect(refused.get_by_role("listitem").first).to_contain_text("line 1 _timestamp: is more than 24 hours ahead")
    with page.expect_download() as saved:
        refused.get_by_role("button", name="Save all").click()
    rows = [json.loads(line) for line in saved.value.path().read_text(encoding="utf-8").splitlines()]
    assert [(row["line"], row["row"]) for row in rows] == [(1, lines[0]), (3, lines[2]), (4, "not json")]


@pytest.mark.long
def test_rows_that_were_refused_before_are_refused_again(app: App, tmp_path: Path) -> None:
    file = tmp_path / "events.csv"
    text = "\n".join(["event,a", "import.some,1", f"{'x' * 300},2", "import.some,3"])
    for counted in ("2 accepted, 0 already counted", "0 accepted, 2 already counted"):
        page = chosen(app, file, text, refused=[400, 422])
        start(page)
        expect(page.get_by_role("main").get_by_text(f"3 rows: {counted}, 1 refused.")).to_be_visible()
        settled(page)
    assert len(events_of(app)) == 2


@pytest.mark.long
def test_a_busy_server_is_asked_again_and_nothing_counts_twice(app: App, tmp_path: Path) -> None:
    text = "".join(f'{{"name":"order.placed","properties":{{"n":{n}}}}}\n' for n in range(1700))
    page = chosen(app, tmp_path / "many.ndjson", text, refused=[409, 503])
    asked: list[str] = []

    def busy(route: Route) -> None:
        asked.append(route.request.headers.get("idempotency-key", ""))
        if len(asked) == 2:  # counted, but its answer is lost
            route.fetch()
        if len(asked) in {1, 2}:
            body = {
                "code": 503,
                "error": "unavailable",
                "message": "The server is full.",
                "details": [],
                "requestId": "r",
            }
            route.fulfill(status=503, json=body, headers={"retry-after": "1"})
        else:
            route.continue_()

    page.route("**/v1/events", busy)
    start(page)
    expect(page.get_by_text("The server is full. Retrying")).to_be_visible()
    expect(page.get_by_text("done", exact=True)).to_be_visible()
    expect(page.get_by_role("main").get_by_text(re.compile(r"^1,700 rows: .* 0 refused\.$"))).to_be_visible()
    assert [each["properties"]["n"] for each in events_of(app)] == list(range(1500, 1700))
    counted = app.workspace.get("/v1/usage").json()["used"]
    assert counted == 1700


@pytest.mark.long
def test_a_stopped_import_says_how_far_it_came_and_leaves_no_key(app: App, tmp_path: Path) -> None:
    page = chosen(app, tmp_path / "orders.csv", ORDERS, refused=[503])
    body = {"code": 503, "error": "unavailable", "message": "The server is full.", "details": [], "requestId": "r"}
    page.route("**/v1/events", lambda route: route.fulfill(status=503, json=body, headers={"retry-after": "60"}))
    start(page)
    expect(page.get_by_text("The server is full.")).to_be_visible()
    assert live_keys(app) == ["Import of orders.csv", "test"]
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Events").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Stop the import")
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("The import didn't finish. You stopped it.")).to_be_visible()
    settled(page)
    assert live_keys(app) == ["test"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("events.parquet", b"PAR1", "Browsers can't read Parquet."),
        ("orders.csv", "a,b\n1,2\n".encode("utf-16"), "The file is in UTF-16."),
        ("orders.csv", b"a,b,a\n1,2,3\n", "The file has more than one column named a."),
        ("events.json", b"[\n{}\n]", "The file is one JSON array"),
        ("orders.csv", b"a,b\n", "The file has no rows."),
    ],
)
@pytest.mark.long
def test_what_cannot_be_read_is_refused_before_anything_is_sent(
    app: App, tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(content)
    page = settled(app.opens("developer", "/import"))
    page.get_by_label("Choose a file", exact=True).set_input_files(tmp_path / name)
    expect(page.get_by_role("main")).to_contain_text(reason)
    assert live_keys(app) == ["test"]


@pytest.mark.long
def test_a_viewer_is_told_which_role_importing_needs(app: App) -> None:
    page = settled(app.opens("viewer", "/import"))
    expect(page.get_by_role("main")).to_contain_text("Developer role")
    expect(page.get_by_label("Choose a file", exact=True)).to_have_count(0)


@pytest.mark.long
def test_while_no_row_is_an_event_nothing_can_be_sent(app: App, tmp_path: Path) -> None:
    page = chosen(app, tmp_path / "orders.csv", "event,created_at\nimport.some,soon\nimport.other,later\n")
    button = page.get_by_role("button", name=re.compile("^Import into"))
    expect(button).to_be_disabled()
    expect(page.get_by_text("None of these rows is a valid event yet")).to_be_visible()
    page.get_by_label("created_at becomes").select_option("text")
    page.get_by_label("Give every event the time of the import").check()
    expect(button).to_be_enabled()


@pytest.mark.long
def test_an_import_of_nothing_is_no_success_and_leads_back_to_the_mapping(app: App, tmp_path: Path) -> None:
    page = chosen(app, tmp_path / "orders.csv", f"event,title\n{'x' * 300},import.some\n", refused=[400])
    start(page)
    expect(page.get_by_text("nothing imported", exact=True)).to_have_attribute("data-tone", "error")
    expect(page.get_by_text("1 row: 0 accepted, 0 already counted, 1 refused.").first).to_be_visible()
    expect(page.get_by_role("link", name="Open events")).to_have_count(0)
    page.get_by_role("button", name="Change mapping").click()
    page.get_by_label("event becomes").select_option("ignore")
    page.get_by_label("title becomes").select_option("name")
    start(page)
    expect(page.get_by_role("main").get_by_text("1 row: 1 accepted, 0 already counted, 0 refused.")).to_be_visible()
    expect(page.get_by_role("link", name="Open events")).to_be_visible()


@pytest.mark.long
def test_import_stands_where_a_developer_looks_for_it(app: App) -> None:
    page = settled(app.opens("developer", "/start"))
    page.get_by_role("main").get_by_role("link", name="Import them").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Import")
    entry = page.get_by_role("navigation", name="Main").get_by_role("link", name="Import", exact=True)
    expect(entry).to_have_attribute("aria-current", "page")
    page.keyboard.press("Control+k")
    page.keyboard.type("impo")
    expect(page.get_by_role("option", name="Import")).to_be_visible()


@pytest.mark.long
def test_a_viewer_is_led_to_no_import(app: App) -> None:
    page = settled(app.opens("viewer", "/start"))
    expect(page.get_by_role("link", name=re.compile("^Import"))).to_have_count(0)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option", name="Events", exact=True)).to_be_visible()
    expect(page.get_by_role("option", name="Import")).to_have_count(0)
