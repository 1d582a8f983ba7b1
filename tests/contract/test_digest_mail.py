"""Digests of a running server: mails with numbers and pictures in a real mailbox, and the way out of them.

See rules/digests#email, rules/digests#unsubscribing and rules/digests#send-now.
"""

import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.browser.mail_page import MailPage
from harness.builders.moments import ago
from harness.clients.dashboards import CONFIGS, config_of, make_dashboard, make_digest, make_widget
from harness.clients.workspace import Workspace, sign_up
from harness.servers.mailbox import Mailbox
from harness.servers.server import Server
from harness.stores.metadata_edits import writing

PUBLIC = "https://stats.example.com"
IMG = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    with Mailbox().running() as mailbox:
        yield mailbox


@pytest.fixture(scope="module")
def mailing(mailbox: Mailbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(
        tmp_path_factory.mktemp("mailing") / "data",
        open_signup="true",
        base_url=PUBLIC,
        smtp_url=f"smtp://127.0.0.1:{mailbox.port}?starttls=never",
        mail_from="Tallyroom <noreply@stats.example.com>",
    ).start()
    yield running
    running.stop()


@pytest.fixture
def owner(mailing: Server, mailbox: Mailbox) -> Workspace:
    mailbox.letters.clear()
    mailbox.refusals.clear()
    return sign_up(mailing.url)


def send(workspace: Workspace, digest: Any) -> Any:
    with workspace.client() as client:
        answer = client.post(f"/v1/digests/{digest['id']}/send")
    assert answer.status_code == 202, answer.text
    return answer.json()


def sendings(workspace: Workspace, digest: Any) -> Any:
    answer = workspace.get(f"/v1/digests/{digest['id']}/sendings")
    assert answer.status_code == 200, answer.text
    return answer.json()["sendings"]


def settled(workspace: Workspace, digest: Any) -> Any:
    """The mails of the newest sending, as soon as none is waiting."""
    deadline = time.monotonic() + 30
    while "waiting" in {mail["status"] for mail in sendings(workspace, digest)[0]["mails"]}:
        assert time.monotonic() < deadline, sendings(workspace, digest)
        time.sleep(0.02)
    return sendings(workspace, digest)[0]["mails"]


def html_of(letter: EmailMessage) -> str:
    body = letter.get_body(("html",))
    assert body is not None
    return str(body.get_content())


def text_of(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


@pytest.mark.long
def test_every_kind_of_widget_in_a_mail_with_hostile_names(owner: Workspace, mailbox: Mailbox) -> None:
    for number in range(3):
        properties = {"n": 411522.5, "plan": IMG, "rtl": "\u202eمجاني 🫖"}
        event = {"name": IMG, "_actor": f"=?utf-8?q?{number}?=", "properties": properties}
        assert owner.send(event).status_code == 202
    board = make_dashboard(owner, name=f"Shop {IMG} =?utf-8?q?x?=", icon="🫖", timeRange="24h")
    metric = {"event": IMG, "measure": "sum", "property": "n"}
    for type_ in CONFIGS:
        make_widget(owner, board["id"], type=type_, title=f"{type_} {IMG}", config=config_of(owner, type_))
    make_widget(owner, board["id"], type="metric", title="", config=metric)
    make_widget(owner, board["id"], type="metric", title="", config=metric | {"breakdown": "plan"})
    make_widget(owner, board["id"], type="metric", title="Line", config=metric | {"overTime": True})
    make_widget(owner, board["id"], type="table", title="Table", config={"columns": ["event", "actor", "prop:rtl"]})
    digest = make_digest(owner, board["id"])
    send(owner, digest)
    letter = mailbox.arrives(seconds=60)
    assert str(letter["subject"]).startswith(f"Shop {IMG} =?utf-8?q?x?=: ")
    assert str(letter["to"]) == "ann@example.com"
    page = MailPage(html_of(letter))
    assert not {"script", "iframe", "svg", "form", "link"} & {name for name, _ in page.tags}
    assert {name for _, found in page.tags for name in found} <= {
        *("lang", "charset", "name", "content", "class", "style", "role", "width", "cellpadding", "cellspacing"),
        *("border", "align", "valign", "bgcolor", "height", "colspan", "dir", "href", "src", "alt", "scope"),
        "aria-label",
    }
    assert {url for url in page.of("a", "href") if not url.startswith(f"{PUBLIC}/")} == set()
    assert page.of("img", "src") == ["cid:chart1", "cid:chart1dark"]
    assert page.of("img", "alt") == ["Line per hour: 0 to 0, last 1,234,567.5 so far"] * 2
    for shown in (
        f"🫖 Shop {IMG} =?utf-8?q?x?=",
        "1,234,567.5",
        f"{IMG}: sum of n",
        "=?utf-8?q?2?=",
        "مجاني 🫖",
        "Hello",
    ):
        assert shown in page.text
        assert shown in text_of(letter)
    light, dark = (part.get_content() for part in letter.walk() if part.get_content_type() == "image/png")
    assert light.startswith(b"\x89PNG")
    assert dark.startswith(b"\x89PNG")
    assert light != dark
    [mail] = settled(owner, digest)
    assert (mail["recipient"], mail["status"], mail["attempts"], mail["error"]) == ("ann@example.com", "sent", 1, None)
    [listed] = owner.get("/v1/digests").json()["digests"]
    assert listed["lastSentAt"] >= mail["sentAt"][:19]


def test_a_mail_has_the_numbers_of_the_dashboard_and_names_the_largest_change(
    owner: Workspace, mailbox: Mailbox
) -> None:
    """Three plays and 300 errors yesterday, 100 plays and 11 errors the day before."""
    times = [
        ("play", ago(days=1), 3),
        ("play", ago(days=2), 100),
        ("fault", ago(days=1), 300),
        ("fault", ago(days=2), 11),
    ]
    for name, timestamp, count in times:
        events = [{"name": name, "_timestamp": timestamp, "properties": {"ms": at}} for at in range(count)]
        assert owner.send({"events": events}).status_code == 202
    board = make_dashboard(owner, name="=?utf-8?q?Encore?=", timeRange="yesterday")
    fields = {"measure": "count", "good": "down"}
    widgets = [
        make_widget(owner, board["id"], type="metric", title="Plays", config=fields | {"event": "play", "good": "up"}),
        make_widget(owner, board["id"], type="metric", title="Errors", config=fields | {"event": "fault"}),
        make_widget(
            owner,
            board["id"],
            type="metric",
            title="Longest",
            config={"event": "play", "measure": "max", "property": "ms"},
        ),
    ]
    digest = make_digest(owner, board["id"])
    send(owner, digest)
    letter = mailbox.arrives(seconds=60)
    subject = str(letter["subject"]).replace("\N{THIN SPACE}", " ")
    assert subject.startswith("=?utf-8?q?Encore?=: Errors ↑ 27 ×, ")
    with owner.client() as client:
        answers = [client.post(f"/v1/widgets/{widget['id']}/data").json() for widget in widgets]
    for widget, answer in zip(widgets, answers, strict=True):
        assert answer["value"] is not None
        words = f"{widget['title']}\n{'=' * len(widget['title'])}\n{answer['value']:,}  "
        assert words in text_of(letter).replace("\r\n", "\n")
        assert f"{widget['title']} {answer['value']:,} " in MailPage(html_of(letter)).text
        assert f"from {answer['previous']:,}" in MailPage(html_of(letter)).text
    labels = MailPage(html_of(letter)).of("span", "aria-label")
    assert [label.replace("\N{THIN SPACE}", " ") for label in labels] == [
        "down 97.0 %, worse",
        "up 27 ×, worse",
        "down 98.0 %",
    ]


@pytest.mark.long
def test_a_running_server_sends_what_is_due(tmp_path: Path, mailbox: Mailbox) -> None:
    smtp = f"smtp://127.0.0.1:{mailbox.port}?starttls=never"
    server = Server(tmp_path / "data", open_signup="true", smtp_url=smtp, mail_from="noreply@example.com").start()
    try:
        owner = sign_up(server.url)
        digest = make_digest(owner, make_dashboard(owner)["id"])
        server.stop()
        mailbox.letters.clear()
        with writing(server.data) as run:  # as if the server had been away for a week, and looked for the first time
            run("UPDATE digests SET next_due_ms = next_due_ms - 7 * 86400000")
            run("DELETE FROM work_items WHERE type = 'job'")
        server.start()
        owner.url = server.url
        mailbox.arrives(seconds=30)
        [mail] = settled(owner, digest)
        assert mail["status"] == "sent"
        [sending] = sendings(owner, digest)
        assert sending["dueAt"][11:] == "09:00:00.000Z"
        assert owner.get("/v1/digests").json()["digests"][0]["nextSendAt"] == digest["nextSendAt"]
        assert len(mailbox.letters) == 1
    finally:
        server.stop()


@pytest.mark.long
def test_one_that_is_not_enabled_is_sent_on_request_to_all(owner: Workspace, mailbox: Mailbox) -> None:
    recipients = ["Ann@Example.com", "ünï@münchen.example", "a+b@example.com"]
    digest = make_digest(owner, make_dashboard(owner)["id"], enabled=False, recipients=recipients, name="Mine")
    for number in (1, 2):
        send(owner, digest)
        mailbox.arrives(2 * number)
        states = {mail["recipient"]: mail["status"] for mail in settled(owner, digest)}
        assert states["Ann@Example.com"] == states["a+b@example.com"] == "sent"
    assert str(mailbox.letters[0]["subject"]).startswith("Mine: ")
    ids = [str(letter["message-id"]) for letter in mailbox.letters]
    assert len(set(ids)) == len(ids)


@pytest.mark.long
def test_a_refused_mail_shows_as_failed(owner: Workspace, mailbox: Mailbox) -> None:
    mailbox.refusals = ["550 no such user"]
    digest = make_digest(owner, make_dashboard(owner)["id"])
    send(owner, digest)
    [mail] = settled(owner, digest)
    assert (mail["status"], mail["attempts"], mail["sentAt"], mail["nextAttemptAt"]) == ("failed", 1, None, None)
    assert "550" in mail["error"]
    assert owner.get("/v1/digests").json()["digests"][0]["lastSentAt"] is None


@pytest.mark.long
def test_a_mail_that_is_not_taken_now_comes_seconds_later(owner: Workspace, mailbox: Mailbox) -> None:
    mailbox.refusals = ["451 try again later"]
    digest = make_digest(owner, make_dashboard(owner)["id"])
    send(owner, digest)
    mailbox.arrives(seconds=30)
    [mail] = settled(owner, digest)
    assert (mail["status"], mail["attempts"]) == ("sent", 2)


@pytest.mark.long
def test_requests_are_limited(owner: Workspace) -> None:
    digest = make_digest(owner, make_dashboard(owner)["id"])
    with owner.client() as client:
        answers = [client.post(f"/v1/digests/{digest['id']}/send") for _ in range(21)]
    assert [answer.status_code for answer in answers] == [202] * 20 + [429]
    assert int(answers[-1].headers["retry-after"]) > 0
    settled(owner, digest)


def link_of(workspace: Workspace, letter: EmailMessage) -> str:
    """The link to unsubscribe, on the address under which the test reaches the server."""
    assert letter["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    link = str(letter["list-unsubscribe"]).strip("<>")
    assert link.startswith(f"{PUBLIC}/unsubscribe/")
    assert link in MailPage(html_of(letter)).of("a", "href")
    assert link in text_of(letter)
    return link.replace(PUBLIC, workspace.url)


def test_a_scanner_that_opens_the_link_changes_nothing(owner: Workspace, mailbox: Mailbox) -> None:
    digest = make_digest(owner, make_dashboard(owner)["id"], name=IMG)
    send(owner, digest)
    link = link_of(owner, mailbox.arrives())
    with httpx.Client(timeout=30) as stranger:
        for _ in range(2):
            assert stranger.head(link).status_code == 200
            page = stranger.get(link)
            assert page.status_code == 200
            assert '<form method="post">' in page.text
            assert "a•••@example.com" in page.text
            assert "ann@" not in page.text
            assert IMG not in page.text
            assert "Unsubscribe from &lt;img src=x onerror=alert(1)&gt;?" in page.text
    assert "form-action 'self'" in page.headers["content-security-policy"]
    assert "script-src" not in page.headers["content-security-policy"]
    assert (page.headers["cache-control"], page.headers["referrer-policy"]) == ("no-store", "no-referrer")
    assert owner.get("/v1/digests").json()["digests"][0]["unsubscribed"] == []


@pytest.mark.long
@pytest.mark.parametrize("by", ["button", "program", "parts"])
def test_who_unsubscribes_stays_out_until_added_anew(owner: Workspace, mailbox: Mailbox, by: str) -> None:
    digest = make_digest(owner, make_dashboard(owner)["id"], recipients=["Ann@example.com", "ben@example.com"])
    send(owner, digest)
    mailbox.arrives(2)
    links = {str(letter["to"]): link_of(owner, letter) for letter in mailbox.letters}
    body: dict[str, Any] = {"button": {}, "program": {"data": {"List-Unsubscribe": "One-Click"}}}.get(
        by, {"files": {"List-Unsubscribe": (None, "One-Click")}}
    )
    with httpx.Client(timeout=30) as stranger:
        for _ in range(2):
            answer = stranger.post(links["Ann@example.com"], **body)
            assert answer.status_code == 200
            assert "You are unsubscribed" in answer.text
        assert "<form" not in stranger.get(links["Ann@example.com"]).text
    [listed] = owner.get("/v1/digests").json()["digests"]
    assert (listed["recipients"], listed["unsubscribed"]) == (["ben@example.com"], ["Ann@example.com"])
    with owner.client() as client:
        answer = client.patch(f"/v1/digests/{digest['id']}", json={"recipients": ["ben@example.com", "c@example.com"]})
        assert answer.json()["unsubscribed"] == ["Ann@example.com"]
    send(owner, digest)
    mailbox.arrives(4)
    settled(owner, digest)
    assert [str(letter["to"]) for letter in mailbox.letters].count("Ann@example.com") == 1
    with owner.client() as client:
        answer = client.patch(f"/v1/digests/{digest['id']}", json={"recipients": ["ann@example.com"]})
    assert (answer.json()["recipients"], answer.json()["unsubscribed"]) == (["ann@example.com"], [])
    send(owner, digest)
    assert link_of(owner, mailbox.arrives(5)) == links["Ann@example.com"]


@pytest.mark.parametrize("change", ["", "x", "%00", "a" * 3000, "../.."])
def test_another_link_tells_nothing(owner: Workspace, mailbox: Mailbox, change: str) -> None:
    digest = make_digest(owner, make_dashboard(owner)["id"])
    send(owner, digest)
    link = link_of(owner, mailbox.arrives())
    with httpx.Client(timeout=30) as stranger:
        for wrong in (f"{owner.url}/unsubscribe/none{change}", f"{link}{change or 'f'}", f"{link[:-1]}{change or 'g'}"):
            for answer in (stranger.get(wrong), stranger.post(wrong)):
                assert answer.status_code in {200, 400, 404}
                assert "example.com" not in answer.text
    assert owner.get("/v1/digests").json()["digests"][0]["unsubscribed"] == []
