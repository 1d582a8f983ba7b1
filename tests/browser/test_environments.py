"""Environments in the browser: by the names that people gave them, under their own names in every address."""

import pytest
from playwright.sync_api import expect

from harness.app import App, settled
from harness.dashboards import make_dashboard


@pytest.fixture
def named(app: App) -> None:
    with app.workspace.client() as client:
        answer = client.patch("/v1/environments/development", json={"displayName": "Our laptops"})
    assert answer.status_code == 200, answer.text


@pytest.mark.usefixtures("named")
def test_an_environment_is_shown_by_the_name_that_people_gave_it(app: App) -> None:
    make_dashboard(app.workspace, name="Orders", environment="development")
    page = settled(app.opens("owner", "/actors"))
    page.get_by_role("combobox", name="Environment").select_option(label="Our laptops")
    settled(page)
    assert "env=development" in page.url
    expect(page.get_by_role("main")).to_contain_text("development")
    page.goto(f"{app.workspace.url}/dashboards")
    expect(page.get_by_role("row").filter(has_text="Orders")).to_contain_text("Our laptops")
    page.get_by_role("link", name="Orders").click()
    expect(page.get_by_title("development")).to_have_text("Our laptops")
