"""A comparison of bots as a race: its address, its lines, its words, and what can be done with it (rules/statistics#race)."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from harness.browser.app import PHONE, App, axe_in_both_themes, settled, take
from harness.builders.racing_bots import ENCORE, OTHERS, PASSED_DAYS_AGO, QUILL, SILENT, TAMBER, Racing, racing_bots
from harness.clients.workspace import Workspace
from tallyroom.bots.race_colors import assign_race_colors
from tallyroom.core.value_colors import choose_own_color

THREE = f"/bots/compare?ids={ENCORE},{QUILL},{TAMBER}"


@pytest.fixture(scope="module")
def racing(shared_app: App) -> Racing:
    return racing_bots(shared_app.workspace)


@pytest.fixture
def page(looking: App, racing: Racing) -> Page:
    return settled(looking.opens("viewer", THREE))


def day(racing: Racing, days_ago: int) -> str:
    moment = datetime.fromtimestamp(racing.now_ms / 1000, UTC) - timedelta(days=days_ago)
    return f"{moment.day} {moment:%b}"


def race(page: Page) -> Locator:
    return page.get_by_role("region", name="Race", exact=True)


def ends(page: Page) -> list[str]:
    """The words at the ends of the lines, from above."""
    labels = race(page).locator("span[aria-hidden=true]:has(> b)")
    expect(labels.first).to_be_visible()
    return sorted(" ".join(text.split()) for text in labels.all_inner_texts())


def publish(workspace: Workspace, *, is_public: bool) -> str | None:
    with workspace.client() as client:
        slug: str | None = client.patch("/v1/listing", json={"isPublic": is_public}).json()["slug"]
    return slug


def test_the_address_has_what_is_shown_and_back_leads_back(page: Page, racing: Racing) -> None:
    assert ends(page) == ["Encore 12,000", "Quill 11,575", "Tamber 9,000"]
    take(race(page).get_by_role("radio", name="Growth"))
    expect(page).to_have_url(re.compile("as=growth"))
    first = {bot: votes[0] for bot, votes in racing.votes.items()}
    grown = [(votes[-1] - first[bot]) / first[bot] * 100 for bot, votes in racing.votes.items()]
    assert ends(page) == [
        f"Encore +{grown[0]:.1f} % 12,000",
        f"Quill +{grown[1]:.1f} % 11,575",
        f"Tamber −{-grown[2]:.1f} % 9,000",
    ]
    expect(race(page)).to_contain_text(re.compile(r"Change since \d+ \w+ \d{4}, each line begins at 0\s%"))
    take(race(page).get_by_role("radio", name="Gap"))
    assert ends(page) == ["Encore 0 12,000", "Quill −425 11,575", "Tamber −3,000 9,000"]
    expect(race(page)).to_contain_text("Difference to Encore, which leads now.")
    take(race(page).get_by_role("radio", name="Servers"))
    expect(page).to_have_url(re.compile("as=gap.*metric=server_count|metric=server_count.*as=gap"))
    page.reload()
    settled(page)
    assert ends(page) == ["Encore −8,000 4,000", "Quill −4,000 8,000", "Tamber 0 12,000"]
    page.go_back()
    expect(race(page).get_by_role("radio", name="Monthly votes")).to_be_checked()
    page.go_back()
    expect(race(page).get_by_role("radio", name="Growth")).to_be_checked()


def test_a_crossing_is_marked_and_who_leads_says_it(page: Page, racing: Racing) -> None:
    passed = f"Encore passes Quill, {day(racing, PASSED_DAYS_AGO)}"
    expect(race(page).get_by_text(passed, exact=True)).to_be_visible()
    leads = page.get_by_role("region", name="Who leads")
    expect(leads).to_contain_text(f"Encore passed Quill on {day(racing, PASSED_DAYS_AGO)}")
    expect(leads).to_contain_text("It is 425 votes ahead.")
    expect(leads).to_contain_text("In the last 14 days its monthly count rose by 80 a day, Quill's by 30.")
    expect(leads).to_contain_text(f"At this pace it is about 1,900 ahead on {day(racing, -30)}.")
    take(race(page).get_by_role("radio", name="7d"))
    expect(leads).to_contain_text("A forecast needs 14 days of data.")


def test_the_votes_of_a_week_and_the_table_say_how_they_changed(page: Page) -> None:
    week = page.get_by_role("region", name="Votes of the last 7 days").get_by_role("listitem")
    expect(week).to_have_text([re.compile("Encore.*4,200"), re.compile("Quill.*3,500"), re.compile("Tamber.*2,800")])
    table = page.get_by_role("table", name="Comparison")
    expect(table.get_by_role("row", name=re.compile("^Monthly votes 12"))).to_contain_text("12,000 best")
    ratio = table.get_by_role("row", name=re.compile("^Monthly votes per 100 servers"))
    expect(ratio.get_by_role("cell")).to_have_text(["300 best", "", "145", "", "75.0", ""])
    servers = table.get_by_role("row", name=re.compile("^Servers"))
    expect(servers.get_by_role("cell").nth(1)).to_contain_text(re.compile(r"up 17.3\s%"))
    expect(table.get_by_role("row", name=re.compile("^Reviews|^Shards|^Rating"))).to_have_count(0)


def test_what_was_never_reported_says_so(looking: App, racing: Racing) -> None:
    page = settled(looking.opens("viewer", f"/bots/compare?ids={ENCORE},{SILENT}"))
    votes = page.get_by_role("table", name="Comparison").get_by_role("row", name=re.compile("^Monthly votes 12"))
    expect(votes.get_by_role("cell").nth(2)).to_have_text("not reported")
    expect(page.get_by_role("region", name="Who leads")).to_contain_text("Nobody yet")
    expect(race(page)).to_contain_text("Silent: no data.")


def test_neighbors_are_added_with_one_click_and_every_bot_keeps_its_color(page: Page, racing: Racing) -> None:
    near = page.get_by_role("region", name="Closest to Encore")
    expect(near.get_by_role("listitem")).to_have_text(
        [re.compile(rf"^{place}th{name}.*Add {name}$") for place, name in zip((4, 5, 6), OTHERS.values(), strict=False)]
    )
    before = colors(page)
    assert before == {bot: str(color) for bot, color in assign_race_colors([ENCORE, QUILL, TAMBER], {}).items()}
    near.get_by_role("button", name="Add Harbor 0").click()
    first = next(iter(OTHERS))
    expect(page).to_have_url(re.compile(f"ids={ENCORE}(,|%2C){QUILL}(,|%2C){TAMBER}(,|%2C){first}"))
    expect(page.get_by_role("list", name="Bots").get_by_role("listitem").filter(has_text="Harbor 0")).to_be_visible()
    added = colors(settled(page))
    assert {bot: added[bot] for bot in before} == before
    page.get_by_role("button", name="Remove Encore").click()
    expect(page.get_by_role("button", name="Remove Encore")).to_have_count(0)
    left = colors(settled(page))
    assert left == {bot: color for bot, color in added.items() if bot != ENCORE}
    expect(page.get_by_role("region", name="Closest to Quill")).to_be_visible()


def colors(page: Page) -> dict[str, str]:
    """The color of each bot's line, in the order of the address."""
    ids = re.split(",|%2C", re.search(r"ids=([^&]*)", page.url)[1])  # type: ignore[index] # the address has ids
    tints = (
        page.get_by_role("list", name="Bots")
        .locator("svg[data-line-color]")
        .evaluate_all("all => all.map(each => each.dataset.lineColor)")
    )
    return dict(zip(ids, tints, strict=True))


def test_one_bot_has_its_neighbors(looking: App, racing: Racing) -> None:
    page = settled(looking.opens("viewer", f"/bots/compare?ids={QUILL}"))
    page.get_by_role("region", name="Closest to Quill").get_by_role("button", name="Add Encore").click()
    assert ends(settled(page)) == ["Encore 12,000", "Quill 11,575"]


def test_bots_of_like_colors_have_lines_that_are_told_apart_and_keep_their_patterns(page: Page) -> None:
    assert {choose_own_color(bot) for bot in (ENCORE, QUILL, TAMBER)} == {6, 8}
    assert colors(page) == {ENCORE: "2", QUILL: "4", TAMBER: "6"}
    patterns = page.get_by_role("list", name="Bots").locator("svg[data-tint]")
    assert patterns.evaluate_all("all => all.map(each => each.dataset.tint)") == ["8", "8", "6"]


def test_the_first_two_race_with_one_click(looking: App, racing: Racing) -> None:
    page = settled(looking.opens("viewer", "/bots/compare"))
    page.get_by_role("link", name="1st against 2nd").click()
    expect(page).to_have_url(re.compile(f"ids={ENCORE}(,|%2C){QUILL}$"))
    assert ends(settled(page)) == ["Encore 12,000", "Quill 11,575"]


def test_only_bots_with_a_number_have_a_bar_and_a_phone_shows_each_box(looking: App, racing: Racing) -> None:
    page = settled(looking.opens("viewer", "/bots", size=(1024, 768)))
    rows = page.get_by_role("table", name="Rankings").get_by_role("row")
    expect(rows.filter(has_text="Encore").locator("td > i")).to_be_visible()
    expect(rows.filter(has_text="Silent").locator("td > i")).to_have_count(0)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    box = rows.filter(has_text="Encore").get_by_role("checkbox")
    edge = box.evaluate("box => box.getBoundingClientRect().right")
    assert edge <= PHONE[0] - 16


def test_the_picture_of_a_published_listing_is_copied_and_shared(looking: App, racing: Racing) -> None:
    slug = publish(looking.workspace, is_public=True)
    page = looking.blank("viewer")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{looking.workspace.url}{THREE}&as=growth")
    settled(page).get_by_role("button", name="Copy picture").click()
    expect(page.get_by_role("region", name="Messages").get_by_text("Picture copied as Markdown")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("![Encore, Quill and Tamber: monthly votes, growth, 90d](http")
    url = copied.split("](")[1].removesuffix(")")
    assert f"/custom/bots/{slug}/race.svg?ids=" in url
    picture = page.request.get(url)
    assert picture.status == 200
    assert "Encore passes Quill" in picture.text()
    page.get_by_role("button", name="Share this race").click()
    dialog = page.get_by_role("dialog", name="Share this race")
    shown = dialog.get_by_role("img")
    expect(shown).to_have_js_property("naturalWidth", 1000)
    take(dialog.get_by_role("radio", name="PNG, for a chat"))
    expect(dialog.get_by_role("group", name="Picture as URL")).to_contain_text(f"/custom/bots/{slug}/race.png?ids=")
    expect(shown).to_have_js_property("naturalWidth", 2000)
    assert axe_in_both_themes(page, "[role=dialog]") == []


@pytest.mark.parametrize("who", ["viewer", "developer"])
def test_a_private_listing_says_what_to_do_first(looking: App, racing: Racing, who: str) -> None:
    publish(looking.workspace, is_public=False)
    page = settled(looking.opens(who, THREE))
    page.get_by_role("button", name="Copy picture").click()
    dialog = page.get_by_role("dialog", name="Share this race")
    expect(dialog).to_contain_text("Once the listing is published")
    expect(dialog.get_by_role("link", name="Publish the listing")).to_have_count(0 if who == "viewer" else 1)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Copy picture")).to_be_focused()


def test_the_chart_is_read_by_keys(page: Page) -> None:
    take(race(page).get_by_role("radio", name="Gap"))
    race(page).get_by_role("application", name="Monthly votes").focus()
    page.keyboard.press("End")
    expect(page.locator("#announcements")).to_have_text(re.compile(": Encore 0; Quill −425; Tamber −3,000$"))
    race(page).get_by_role("button", name="Race menu").click()
    page.get_by_role("menuitem", name="View as table").click()
    expect(race(page).get_by_role("table", name="Monthly votes").get_by_role("row").last).to_contain_text("12,000")


@pytest.mark.parametrize("view", ["growth", *(pytest.param(view, marks=pytest.mark.long) for view in ("value", "gap"))])
def test_it_has_no_fault_and_fits_a_phone(looking: App, racing: Racing, view: str) -> None:
    for size in ((1440, 900), PHONE, (320, 640)):
        page = settled(looking.opens("viewer", f"{THREE}&as={view}", size=size))
        assert axe_in_both_themes(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    legend = race(page).get_by_role("list", name="Legend")
    expect(legend).to_be_visible()
    expect(legend).to_contain_text("Encore")
