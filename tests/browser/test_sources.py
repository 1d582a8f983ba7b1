"""External sources in the browser: a token is typed once, kept nowhere, and replaced alone (rules/boards#external-source)."""

import json

from playwright.sync_api import expect

from harness.browser.app import App, everything_kept, settled

TOKEN, NEXT = "first-token-of-the-help-desk", "second-token-of-the-help-desk"


def test_a_source_is_made_its_token_replaced_and_it_is_deleted(app: App) -> None:
    page = settled(app.opens("developer", "/sources", refused=[400]))
    page.get_by_role("button", name="New source").click()
    dialog = page.get_by_role("dialog", name="New source")
    dialog.get_by_role("textbox", name="Name").fill("Help desk")
    dialog.get_by_role("textbox", name="Host").fill("not a host")
    dialog.get_by_role("textbox", name="Header").fill("X-Api-Key")
    dialog.get_by_role("textbox", name="Token").fill(TOKEN)
    dialog.get_by_role("button", name="Add source").click()
    expect(dialog.get_by_text("Host ", exact=False).last).to_be_visible()
    dialog.get_by_role("textbox", name="Host").fill("desk.example.com")
    dialog.get_by_role("button", name="Add source").click()
    row = page.get_by_role("row").filter(has_text="Help desk")
    for words in ("desk.example.com", "X-Api-Key", "••••desk"):
        expect(row).to_contain_text(words)
    assert TOKEN not in everything_kept(page)
    row.get_by_role("button", name="Replace token").click()
    dialog = page.get_by_role("dialog", name="Replace token")
    dialog.get_by_role("textbox", name="Token").fill(NEXT)
    with page.expect_request(lambda request: request.method == "PATCH") as asked:
        dialog.get_by_role("button", name="Replace token").click()
    assert json.loads(asked.value.post_data or "") == {"token": NEXT}
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Help desk menu").click()
    page.get_by_role("menuitem", name="Edit").click()
    dialog = page.get_by_role("dialog", name="Edit source")
    dialog.get_by_role("textbox", name="Host").fill("other.example.com")
    expect(dialog).to_contain_text("clears the stored token")
    dialog.get_by_role("button", name="Save").click()
    expect(row).not_to_contain_text("••••")
    assert NEXT not in everything_kept(page)
    page.get_by_role("button", name="Help desk menu").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("main")).to_contain_text("No sources yet")
