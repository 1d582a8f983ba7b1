"""Bots in the browser: rankings, a bot, a comparison, and how the listing is fed (rules/statistics#rankings)."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from harness.browser.app import PHONE, App, everything_kept, settled, take
from harness.builders.ranked_bots import USER, ranked_bots

SECRET = r"tr_stats_[A-Za-z0-9]{30,}"
UNKNOWN = "00000000000000000"


def rows(page: Page, table: str) -> Locator:
    return page.get_by_role("table", name=table).get_by_role("row")


def names(page: Page) -> list[str]:
    found = rows(page, "Rankings").get_by_role("link").all_inner_texts()
    return [each.splitlines()[0] for each in found]


@pytest.mark.long
def test_rankings_sort_and_page_by_their_address(app: App) -> None:
    ranked_bots(app.workspace, 23)
    page = settled(app.opens("viewer", "/bots"))
    assert names(page) == [f"Bot {place}" for place in range(1, 21)]
    head = page.get_by_role("columnheader", name="Servers")
    expect(page.get_by_role("columnheader", name="Monthly votes")).to_have_attribute("aria-sort", "descending")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(page).to_have_url(f"{app.workspace.url}/bots?sort=server_count")
    expect(rows(page, "Rankings").nth(1)).to_contain_text("Bot 23")
    page.get_by_role("button", name="Next").click()
    expect(page).to_have_url(re.compile("offset=20$"))
    expect(rows(page, "Rankings")).to_have_count(4)
    assert names(settled(page)) == ["Bot 3", "Bot 2", "Bot 1"]
    page.reload()
    assert names(settled(page)) == ["Bot 3", "Bot 2", "Bot 1"]
    page.get_by_role("button", name="Previous").click()
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(rows(page, "Rankings").nth(1)).to_contain_text("Bot 1")
    page.get_by_role("searchbox", name="Bot, tag or ID").fill("bot 2")
    expect(rows(page, "Rankings")).to_have_count(6)
    page.go_back()
    expect(page.get_by_role("columnheader", name="Servers")).to_have_attribute("aria-sort", "descending")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search pages").fill("bot 23")
    expect(page.get_by_role("option", name="Bot 23")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Bot 23")


def as_list(route: Route) -> None:
    """Ask for the other shape of the answer."""
    shape = "list" if "/historical/" in route.request.url else "compact"
    route.continue_(url=f"{route.request.url}{'&' if '?' in route.request.url else '?'}shape={shape}")


@pytest.mark.long
@pytest.mark.parametrize("shape", ["whole", "compact"])
def test_three_bots_side_by_side_in_either_shape(app: App, shape: str) -> None:
    ids = ranked_bots(app.workspace, 3)
    page = settled(app.opens("viewer", "/bots"))
    if shape == "compact":
        page.route(re.compile("/v1/statistics/compare/"), as_list)
    for place in (1, 2, 3):
        page.get_by_role("checkbox", name=f"Compare Bot {place}").check()
    page.get_by_role("link", name="Compare 3").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare")
    settled(page)
    assert page.url.endswith(f"/bots/compare?ids={','.join(ids)}")
    monthly = rows(page, "Comparison").filter(has=page.get_by_role("rowheader", name="Monthly votes", exact=True))
    change = re.compile("up")
    expect(monthly.get_by_role("cell")).to_have_text(["8,900 best", change, "8,800", change, "8,700", change])
    expect(rows(page, "Comparison").filter(has_text="Shards")).to_have_count(1 if shape == "whole" else 0)
    chart = page.get_by_role("application", name="Monthly votes")
    expect(chart).to_be_visible()
    take(page.get_by_role("radio", name="Servers"))
    take(page.get_by_role("radio", name="7d"))
    expect(page).to_have_url(re.compile("metric=server_count.*timeFrame=7d$"))
    for words in ("Bot 1 510", "Bot 2 520", "Bot 3 530"):
        expect(page.get_by_role("region", name="Race", exact=True)).to_contain_text(words)


def test_a_bot_has_its_numbers_its_voters_and_its_picture(app: App) -> None:
    first, *_ = ranked_bots(app.workspace, 3)
    told = app.workspace.get(f"/v1/statistics/bots/{first}").json()
    with app.workspace.client() as client:
        slug = client.patch("/v1/listing", json={"isPublic": True}).json()["slug"]
    page = settled(app.opens("viewer", f"/bots/{first}"))
    main = page.get_by_role("main")
    expect(page.get_by_role("heading", level=1)).to_have_text("Bot 1")
    for number in (told["monthly_votes"], told["total_votes"], told["server_count"]):
        expect(main).to_contain_text(f"{number:,}")
    expect(main.get_by_text("1st")).to_be_visible()
    expect(rows(page, "Recent")).not_to_have_count(1)
    take(page.get_by_role("radio", name="By day"))
    expect(page).to_have_url(re.compile("by=day"))
    picture = page.get_by_role("region", name="Picture")
    expect(picture.get_by_role("group", name="Picture as URL")).to_contain_text(
        f"/custom/bots/{slug}/{first}/monthly_votes.svg"
    )
    picture.get_by_role("radio", name="Markdown").check()
    expect(picture.get_by_role("group", name="Picture as Markdown")).to_contain_text(
        "![Bot 1: monthly votes, 90d](http"
    )
    page.get_by_role("link", name=re.compile("^Robin")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Robin")
    expect(settled(page).get_by_role("main")).to_contain_text("of 1 voter")
    assert page.url == f"{app.workspace.url}/bots/{first}/votes/{USER}"
    page.goto(f"{app.workspace.url}/bots/users/{USER}")
    expect(settled(page).get_by_role("main")).to_contain_text("Bots that were moved to a team may be missing.")
    expect(rows(page, "Bots")).to_have_count(4)


def test_the_bots_of_an_owner_come_in_pages(app: App) -> None:
    ranked_bots(app.workspace, 25)
    page = settled(app.opens("viewer", f"/bots/users/{USER}"))
    expect(page.get_by_role("main")).to_contain_text(USER)
    expect(rows(page, "Bots")).to_have_count(21)
    expect(rows(page, "Bots").locator("td > i").locator("visible=true")).to_have_count(20)
    page.get_by_role("button", name="Next").click()
    expect(page).to_have_url(re.compile("offset=20$"))
    expect(rows(page, "Bots")).to_have_count(6)
    page.reload()
    expect(rows(settled(page), "Bots").nth(1)).to_contain_text("21st")


def test_a_voter_without_a_name_has_the_id_once(app: App) -> None:
    first, *_ = ranked_bots(app.workspace, 1)
    nameless = "300000000000000017"
    with app.workspace.client(app.workspace.make_stats_token("write")[0]) as client:
        assert client.post(f"/chat/bots/{first}/votes", json={"userId": nameless}).json()["counted"]
    page = settled(app.opens("viewer", f"/bots/{first}"))
    expect(rows(page, "Voters").filter(has_text="0017").get_by_role("link")).to_have_text("Voter 3000…0017")
    page.goto(f"{app.workspace.url}/bots/{first}/votes/{nameless}")
    assert settled(page).get_by_role("main").inner_text().count(nameless) == 1
    expect(page.get_by_role("heading", level=1)).to_have_text("Voter 3000…0017")


def test_smaller_windows_show_all_counters_or_whole_names(app: App) -> None:
    first, *_ = ranked_bots(app.workspace, 1)
    with app.workspace.client(app.workspace.make_stats_token("write")[0]) as client:
        assert client.put(f"/chat/bots/{first}", json={"name": "UnbelievaBucks"}).is_success
    page = settled(app.opens("viewer", "/bots", size=(768, 1024)))
    for counter in ("Monthly votes", "Total votes", "Servers", "Reviews"):
        expect(page.get_by_role("columnheader", name=counter)).to_be_visible()
    page = settled(app.opens("viewer", "/bots", size=PHONE))
    name = page.get_by_text("UnbelievaBucks", exact=True).bounding_box()
    assert name is not None
    assert name["height"] < 30, "on one line"
    for width in (PHONE[0], 320):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        frame = page.get_by_role("table", name="Rankings").locator("..")
        assert frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth"), f"the table at {width} px"


def test_rankings_wait_as_rows(app: App) -> None:
    ranked_bots(app.workspace, 1)
    page = app.blank("viewer")
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    page.route(re.compile("/rankings"), hold)
    page.goto(f"{app.workspace.url}/bots")
    waiting = page.get_by_role("main").locator("div[aria-hidden] > table tbody tr")
    expect(waiting).to_have_count(20)
    for route in asked:
        route.continue_()
    expect(rows(page, "Rankings")).to_have_count(2)
    expect(waiting).to_have_count(0)


@pytest.mark.long
def test_an_unknown_bot_is_told_in_the_words_of_the_server(app: App) -> None:
    ranked_bots(app.workspace, 1)
    page = settled(app.opens("viewer", f"/bots/{UNKNOWN}", refused=[404]))
    expect(page.get_by_role("main")).to_contain_text("No bot exists with the ID provided.")
    page.goto(f"{app.workspace.url}/bots/compare?ids={UNKNOWN},{'1' * 18}")
    expect(settled(page).get_by_role("main")).to_contain_text("No bot exists with the ID provided.")


@pytest.mark.long
def test_an_empty_listing_says_how_it_is_fed_and_a_token_is_shown_once(app: App) -> None:
    page = settled(app.opens("developer", "/bots", refused=[400]))
    page.get_by_role("link", name="Feed the listing").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Feeding")
    page.get_by_role("button", name="Create token").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name").fill("Night bot")
    dialog.get_by_role("combobox", name="Scope").select_option("bot")
    dialog.get_by_role("textbox", name="Bot ID").fill("1")
    dialog.get_by_role("button", name="Create token").click()
    expect(dialog).to_contain_text("Bot ID must")
    dialog.get_by_role("textbox", name="Bot ID").fill("432610292342587392")
    dialog.get_by_role("button", name="Create token").click()
    expect(dialog.get_by_label("I saved it")).to_be_visible()
    [secret] = re.findall(SECRET, dialog.inner_text())
    page.keyboard.press("Escape")
    with app.workspace.client(secret) as client:
        assert client.post("/api/bots/stats", json={"server_count": 5}).status_code == 200
    dialog.get_by_label("I saved it").check()
    dialog.get_by_role("button", name="Close", exact=True).click()
    row = rows(page, "Statistics tokens").filter(has_text="Night bot")
    expect(row).to_contain_text(secret[:12])
    assert secret not in everything_kept(page)
    row.get_by_role("button", name="Revoke Night bot").click()
    label = dialog.get_by_role("textbox").evaluate("field => field.labels[0].innerText")
    dialog.get_by_role("textbox").fill(label.removeprefix("Type ").removesuffix(" to confirm"))
    dialog.get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    with app.workspace.client(secret) as client:
        assert client.post("/api/bots/stats", json={"server_count": 6}).status_code == 401


@pytest.mark.long
def test_a_developer_chooses_counters_stores_a_secret_and_publishes(app: App) -> None:
    first, *_ = ranked_bots(app.workspace, 1)
    page = settled(app.opens("developer", f"/bots/feeding?bot={first}"))
    take(page.get_by_role("switch", name="Count votes received here"))
    expect(page.get_by_role("main")).to_contain_text("counted from the votes received here")
    assert app.workspace.get(f"/v1/statistics/bots/{first}").json()["counter_source"] == "votes"
    page.get_by_role("button", name="Set secret").click()
    page.get_by_role("dialog").get_by_label("Secret", exact=True).fill("whs_the_secret_of_the_list")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("main")).to_contain_text("Webhook secret is set")
    assert "whs_the_secret_of_the_list" not in everything_kept(page)
    take(page.get_by_role("switch", name="Published"))
    expect(page.get_by_role("main")).to_contain_text("/custom/bots/")
    before = app.workspace.get("/v1/listing").json()
    page.get_by_role("button", name="Replace link").click()
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    after = app.workspace.get("/v1/listing").json()
    assert (before["isPublic"], after["isPublic"]) == (True, True)
    assert after["slug"] != before["slug"]


@pytest.mark.long
def test_a_viewer_sees_how_it_is_fed_and_changes_nothing(app: App) -> None:
    first, *_ = ranked_bots(app.workspace, 1)
    page = settled(app.opens("viewer", f"/bots/feeding?bot={first}&new=1"))
    main = page.get_by_role("main")
    expect(main).to_contain_text("Last fed")
    expect(main).to_contain_text(f"/chat/bots/{first}")
    expect(main.get_by_role("switch")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(main.get_by_role("button", name=re.compile("Create|Revoke|secret|Replace"))).to_have_count(0)
