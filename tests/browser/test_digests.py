"""Digests in the browser: the very mail before it is sent, when it is due, to whom, and what became of it (rules/digests#preview)."""

import base64
import re
from collections.abc import Iterator
from email.message import EmailMessage

import pytest
from playwright.sync_api import Page, expect

from harness.browser.app import App, Tabs, settled
from harness.builders.moments import ago
from harness.clients.dashboards import make_dashboard, make_digest, make_widget
from harness.clients.workspace import sign_up
from harness.servers.mailbox import Mailbox
from harness.servers.server import Server

FRAME = "document.querySelector('iframe').contentDocument"


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    with Mailbox().running() as mailbox:
        yield mailbox


@pytest.fixture(scope="module")
def mailing(mailbox: Mailbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(
        tmp_path_factory.mktemp("mailing") / "data",
        open_signup="true",
        smtp_url=f"smtp://127.0.0.1:{mailbox.port}?starttls=never",
        mail_from="Tallyroom <noreply@stats.example.com>",
    ).start()
    yield running
    running.stop()


@pytest.fixture
def app(tabs: Tabs, mailing: Server, mailbox: Mailbox) -> App:
    mailbox.letters.clear()
    return App(tabs, sign_up(mailing.url))


def make_board(app: App) -> str:
    """A dashboard of last week, with a number, a chart and a note."""
    events = [
        {"name": "sale", "properties": {"total": 10.5 * days}, "_timestamp": ago(days=days)} for days in range(14)
    ]
    assert app.workspace.send({"events": events}).status_code == 202
    board = make_dashboard(app.workspace, name="Shop <b>", timeRange="last_week")
    revenue = {"event": "sale", "measure": "sum", "property": "total", "good": "up"}
    make_widget(app.workspace, board["id"], type="metric", title="Revenue", config=revenue)
    over_time = {"event": "sale", "measure": "count", "overTime": True}
    make_widget(app.workspace, board["id"], type="metric", title="Sales", config=over_time)
    make_widget(app.workspace, board["id"], title="Note")
    return str(board["id"])


def as_previewed(letter: EmailMessage) -> str:
    """The HTML of a letter with its pictures in it, and with nobody's link to unsubscribe."""
    body = letter.get_body(("html",))
    assert body is not None
    html = str(body.get_content())
    for part in letter.walk():
        if part.get_content_type() == "image/png":
            name = str(part["content-id"]).strip("<>")
            picture = base64.b64encode(part.get_content()).decode()
            html = html.replace(f'"cid:{name}"', f'"data:image/png;base64,{picture}"')
    return re.sub(r"/unsubscribe/[\w.~-]+", "/unsubscribe/preview", html)


@pytest.mark.long
def test_the_preview_is_the_very_mail_that_is_sent_and_looks_as_in_a_mail_program(app: App, mailbox: Mailbox) -> None:
    make_digest(app.workspace, make_board(app), recipients=["ann@example.com", "ben@example.com"])
    page = app.opens("developer", "/keys")
    with page.expect_response(re.compile(r"/preview\.html\?theme=light$")) as answered:
        page.get_by_role("link", name="Digests").click()
    settled(page)
    shown = re.sub(r'\n<base [^>]*>\n<meta name="subject"[^>]*>', "", answered.value.text(), count=1)
    shown = shown.replace("@media not all {", "@media (prefers-color-scheme: dark) {", 1)
    mail = page.get_by_role("region", name="Email")
    mail.get_by_role("button", name="Send now").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("2 recipients get this email")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog).to_contain_text("2 sent")
    dialog.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_role("list", name="Sent emails")).to_contain_text("2 sent")
    letter = mailbox.arrives(2, seconds=30)
    assert as_previewed(letter).splitlines() == shown.splitlines()
    assert "data:image/png" in shown
    expect(mail).to_contain_text(str(letter["subject"]))
    check_look(settled(page))


def check_look(page: Page) -> None:
    """The styles of a mail hold and its pictures show, in the theme of the app, although the app lets no inline style in."""
    expect(page.get_by_role("region", name="Email")).to_contain_text("Shop <b>: ")
    assert page.evaluate(f"getComputedStyle({FRAME}.querySelector('h1')).fontSize") == "22px"
    assert page.evaluate(f"{FRAME}.images[0].naturalWidth") > 0
    frame = page.get_by_title("Preview of Shop <b>")
    for width, mail_width in ((1440, "700px"), (1024, "700px"), (390, re.compile(r"^3[45]\dpx$"))):
        page.set_viewport_size({"width": width, "height": 900})
        expect(frame).to_have_css("width", mail_width)
        assert page.evaluate(f"{FRAME}.documentElement.scrollWidth <= {FRAME}.documentElement.clientWidth")
    expect(frame).to_have_css("height", re.compile(f"^{page.evaluate(f'{FRAME}.body.scrollHeight')}px$"))


def test_the_preview_fits_the_page_and_follows_its_theme(app: App) -> None:
    """The mail is as long as it is, in the width of a desktop or of a phone; only the page scrolls."""
    board_id = make_board(app)
    for number in range(20):
        make_widget(app.workspace, board_id, title=f"Note {number}")
    make_digest(app.workspace, board_id)
    page = settled(app.opens("viewer", "/digests"))
    frame = page.get_by_title("Preview of Shop <b>")
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight")
    assert page.evaluate(f"{FRAME}.documentElement.scrollHeight <= document.querySelector('iframe').clientHeight")
    assert frame.evaluate("frame => frame.clientWidth") == 700
    page.get_by_role("radio", name="Phone").check()
    expect(frame).to_have_css("width", "390px")
    mail = page.frame_locator("iframe")
    expect(mail.locator("img.on-light")).to_be_visible()
    page.get_by_role("button", name="Use dark theme").click()
    expect(mail.locator("img.on-dark")).to_be_visible()
    expect(mail.locator("img.on-light")).to_be_hidden()


def fill(page: Page, recipients: str, cadence: str) -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=cadence).check()
    dialog.get_by_role("textbox", name="Recipients").fill(recipients)
    dialog.get_by_role("button", name=re.compile("^(Create digest|Save)$")).click()


def test_a_digest_is_made_from_its_dashboard_changed_paused_and_deleted(app: App) -> None:
    board = make_dashboard(app.workspace, name="Shop")
    page = settled(app.opens("developer", f"/d/{board['id']}", refused=[400]))
    page.get_by_role("button", name="Dashboard menu").click()
    page.get_by_role("menuitem", name="Digest").click()
    for wrong, words in (
        ("nobody", "nobody is not an email address."),
        ("Ann@example.com", "Ann@example.com appears twice."),
    ):
        fill(page, f"ann@example.com, {wrong}", "Every month")
        expect(page.get_by_role("dialog")).to_contain_text(words)
    fill(page, "ann@example.com\nben@example.com\ncem@example.com", "Every month")
    row = page.get_by_role("list", name="Digests").get_by_role("listitem")
    expect(row).to_contain_text("On the 1st of each month at 09:00, UTC")
    expect(row).to_contain_text("ann@example.com, ben@example.com and 1 more")
    page.get_by_role("button", name="Digest menu").click()
    page.get_by_role("menuitem", name="Edit").click()
    fill(page, "ann@example.com", "Every week")
    expect(row).to_contain_text("Every Monday at 09:00, UTC")
    row.get_by_role("switch").click()
    expect(row).to_contain_text("paused")
    [kept] = app.workspace.get("/v1/digests").json()["digests"]
    assert (kept["cadence"], kept["weekday"], kept["dayOfMonth"], kept["enabled"]) == ("weekly", 1, None, False)
    assert kept["recipients"] == ["ann@example.com"]
    page.get_by_role("button", name="Digest menu").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("main")).to_contain_text("No digests yet")


@pytest.mark.long
def test_a_mail_that_is_not_taken_says_why(app: App, mailbox: Mailbox) -> None:
    make_digest(app.workspace, make_dashboard(app.workspace, name="Shop")["id"])
    page = settled(app.opens("developer", "/digests"))
    mailbox.refusals.append("550 no such mailbox")
    page.get_by_role("button", name="Send now").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog).to_contain_text("1 failed")
    expect(dialog).to_contain_text("no such mailbox")


@pytest.mark.long
def test_a_mail_that_cannot_be_made_says_so_and_heals(app: App) -> None:
    make_digest(app.workspace, make_dashboard(app.workspace, name="Shop")["id"])
    page = app.opens("viewer", "/keys", refused=[503])
    body = {"code": 503, "error": "unavailable", "message": "Not now.", "details": [], "requestId": "req-1"}
    page.route("**/preview.html*", lambda route: route.fulfill(status=503, json=body))
    page.get_by_role("link", name="Digests").click()
    mail = page.get_by_role("region", name="Email")
    expect(mail).to_contain_text("The server is busy")
    page.unroute("**/preview.html*")
    mail.get_by_role("button", name="Try again").click()
    expect(mail).to_contain_text("Shop: ")
