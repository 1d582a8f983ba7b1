"""Annotations in the browser: on the time line and in the list, by keys and by mouse (rules/boards#annotation)."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import App, settled
from harness.builders.moments import ago
from harness.clients.dashboards import make_annotation, make_dashboard, make_widget
from harness.servers.server import Server

MOST = 10_000
METRIC = {"event": "view", "measure": "count", "overTime": True}


def annotations(app: App) -> list[Any]:
    answer = app.workspace.get("/v1/annotations", environment="production")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["annotations"])


def below(page: Page, chart: str) -> None:
    """Press where the axis of a chart stands, in its middle."""
    box = page.get_by_role("application", name=chart).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] + 9)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] + 9)


@pytest.mark.long
def test_it_is_made_changed_deleted_and_brought_back(app: App) -> None:
    page = settled(app.opens("developer", "/annotations", refused=[400]))
    expect(page.get_by_role("main")).to_contain_text("No annotations in production")
    form = page.get_by_role("complementary", name="New annotation")
    form.get_by_role("textbox", name="Label").fill("Spotify outage")
    form.get_by_role("textbox", name="Description").fill("Their incident 4471.")
    form.get_by_role("radio", name="Red").check()
    form.get_by_role("button", name="Annotate").click()
    row = page.get_by_role("list", name="Annotations").get_by_role("listitem")
    expect(row).to_contain_text("Spotify outage")
    expect(page.get_by_role("button", name="Spotify outage", exact=True)).to_be_visible()
    row.get_by_role("button", name="Edit Spotify outage").click()
    dialog = page.get_by_role("dialog", name="Edit annotation")
    dialog.get_by_label("When").fill("2026-11-12T17:40")
    dialog.get_by_label("Until").fill("2026-11-12T17:30")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_contain_text("Until must not be before the start.")
    dialog.get_by_label("Until").fill("2026-11-12T21:10")
    dialog.get_by_role("button", name="Save").click()
    expect(row).to_contain_text("12 Nov")
    expect(row).to_contain_text("17:40 to 21:10")
    [kept] = annotations(app)
    assert [kept[name] for name in ("time", "timeEnd", "color", "description")] == [
        "2026-11-12T17:40:00.000Z",
        "2026-11-12T21:10:00.000Z",
        "#b91c1c",
        "Their incident 4471.",
    ]
    row.get_by_role("button", name="Edit Spotify outage").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("main")).to_contain_text("No annotations in production")
    page.get_by_role("button", name="Undo").click()
    expect(row).to_contain_text("Spotify outage")
    [again] = annotations(app)
    assert again | {"id": "", "createdAt": ""} == kept | {"id": "", "createdAt": ""}


def test_the_mouse_marks_a_moment_below_a_chart(app: App) -> None:
    assert app.workspace.send({"name": "view"}).status_code == 202
    board = make_dashboard(app.workspace, name="Board")
    make_widget(app.workspace, board["id"], type="metric", title="Views", config=METRIC)
    page = settled(app.opens("developer", f"/d/{board['id']}"))
    below(page, "Views")
    dialog = page.get_by_role("dialog", name="New annotation")
    dialog.get_by_role("textbox", name="Label").fill("v4.2 released")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="v4.2 released")).to_be_visible()
    [kept] = annotations(app)
    assert ago(days=4) < kept["time"] < ago(days=3)
    page = settled(app.opens("viewer", f"/d/{board['id']}"))
    below(page, "Views")
    expect(page.get_by_role("dialog", name="New annotation")).to_have_count(0)


@pytest.mark.long
def test_each_environment_has_its_own(app: App) -> None:
    make_annotation(app.workspace, label="Ours")
    make_annotation(app.workspace, label="Theirs", environment="development")
    page = settled(app.opens("viewer", "/annotations?env=development"))
    rows = page.get_by_role("list", name="Annotations").get_by_role("listitem")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Theirs")


@pytest.mark.long
def test_ten_thousand_break_nothing(app: App, server: Server) -> None:
    assert app.workspace.send({"name": "view"}).status_code == 202
    first = make_annotation(app.workspace, label="Deploy 0")["id"]
    with closing(sqlite3.connect(server.data / "metadata.sqlite")) as metadata:
        # as fast as a server never takes them
        copied = "INSERT INTO annotations SELECT ?, workspace_id, environment, ?, description, color, time_ms - ?, NULL, created_at_ms, NULL"
        copies = [(f"{first} {number}", f"Deploy {number}", 240_000 * number, first) for number in range(1, MOST)]
        metadata.executemany(f"{copied} FROM annotations WHERE id = ?", copies)
        metadata.commit()
    board = make_dashboard(app.workspace, name="Board", timeRange="30d")
    make_widget(app.workspace, board["id"], type="metric", title="Views", config=METRIC)
    page = settled(app.opens("developer", "/annotations", refused=[400]))
    rows = page.get_by_role("list", name="Annotations").get_by_role("listitem")
    expect(rows).to_have_count(100)
    expect(page.get_by_role("main")).to_contain_text("100 of 10,000 annotations")
    page.get_by_role("button", name="Show 100 more").click()
    expect(rows).to_have_count(200)
    for path in ("/annotations", f"/d/{board['id']}"):
        page.goto(app.workspace.url + path)
        settled(page)
        expect(page.get_by_role("button", name="annotations: Deploy").first).to_be_visible()
        assert page.evaluate("document.querySelectorAll('*').length") < 3_000
    page.get_by_role("button", name="annotations: Deploy").first.click()
    expect(page.get_by_role("main")).to_contain_text("more")


def test_a_label_is_there_where_a_chart_has_room_for_it(app: App) -> None:
    assert app.workspace.send({"events": [{"name": "view"}]}).status_code == 202
    board = make_dashboard(app.workspace, name="Views", timeRange="7d")
    make_widget(app.workspace, board["id"], type="metric", title="Views", config=METRIC)
    make_annotation(app.workspace, label="Release", time=ago(days=3))
    page = settled(app.opens("viewer", f"/d/{board['id']}", size=(768, 1024)))
    label = page.get_by_role("button", name="Release", exact=True).get_by_text("Release", exact=True)
    for width in (768, 390):
        page.set_viewport_size({"width": width, "height": 844})
        expect(label).to_be_visible()
