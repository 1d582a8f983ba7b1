"""Mail of a running server: it reaches a real mail server, encrypted, and leads back here (rules/people#email)."""

import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from harness.clients.letters import token_in
from harness.clients.workspace import Workspace, sign_up
from harness.servers.mailbox import Mailbox
from harness.servers.server import Server
from harness.suite.patience import PATIENCE

NEW = "another long password"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ssl.SSLContext]:
    """The certificate of the mail server; the servers that start meanwhile know its authority."""
    authority, folder = trustme.CA(), tmp_path_factory.mktemp("ca")
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(folder / "ca.pem"))
        yield context


@pytest.fixture(scope="module")
def mailbox(certificates: ssl.SSLContext) -> Iterator[Mailbox]:
    with Mailbox(tls=certificates, account=("me@example.com", "p/w:@")).running() as mailbox:
        yield mailbox


@pytest.fixture(scope="module")
def mailing(mailbox: Mailbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(
        tmp_path_factory.mktemp("mailing") / "data",
        open_signup="true",
        base_url="https://stats.example.com",
        smtp_url=f"smtp://me%40example.com:p%2Fw%3A%40@127.0.0.1:{mailbox.port}",
        mail_from="Tallyroom <noreply@stats.example.com>",
    ).start()
    yield running
    running.stop()


@pytest.fixture
def owner(mailing: Server, mailbox: Mailbox) -> Workspace:
    mailbox.letters.clear()
    return sign_up(mailing.url)


def ask(workspace: Workspace) -> None:
    with workspace.client() as client:
        assert client.post("/v1/auth/reset", json={"email": workspace.email}).status_code == 202


@pytest.mark.long
def test_a_link_arrives_and_sets_a_password(mailing: Server, mailbox: Mailbox, owner: Workspace) -> None:
    ask(owner)
    letter = mailbox.arrives()
    assert (str(letter["to"]), str(letter["from"])) == (owner.email, "Tallyroom <noreply@stats.example.com>")
    assert mailbox.encrypted[-1]
    text = letter.get_content()
    token = token_in(text)
    assert f"https://stats.example.com/reset?token={token}" in text
    with owner.client() as client:
        body = {"token": token, "password": NEW}
        assert client.post("/v1/auth/reset/confirm", json=body).status_code == 204
        login = {"email": owner.email, "password": NEW}
        assert client.post("/v1/auth/login", json=login).status_code == 200
    assert token not in mailing.text()
    assert "p/w:@" not in mailing.text()


@pytest.mark.long
def test_an_invitation_arrives(mailbox: Mailbox, owner: Workspace) -> None:
    with owner.client() as client:
        answer = client.post("/v1/invites", json={"email": "new@example.com", "role": "viewer"})
    assert answer.status_code == 201
    letter = mailbox.arrives()
    assert str(letter["to"]) == "new@example.com"
    assert token_in(letter.get_content()) == answer.json()["token"]


@pytest.mark.parametrize("name", ["Ann\u2028Bcc: evil@example.com", "Ann <evil@example.com>, ", "=?utf-8?q?x?=", "🗝 Ä"])
def test_what_people_are_called_begins_no_header(mailbox: Mailbox, owner: Workspace, name: str) -> None:
    with owner.client() as client:
        client.patch("/v1/workspace", json={"name": name})
        answer = client.post("/v1/invites", json={"email": f"new{len(name)}@example.com", "role": "viewer"})
        assert answer.status_code in {201, 400}
    if answer.status_code == 201:
        letter = mailbox.arrives()
        assert set(letter.keys()) <= {
            *("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"),
            *("Content-Type", "Content-Transfer-Encoding", "MIME-Version", "X-Peer", "X-MailFrom", "X-RcptTo"),
        }
        assert mailbox.envelopes[-1].rcpt_tos == [f"new{len(name)}@example.com"]


def server_of(mailbox: Mailbox, data: Path) -> Server:
    settings: dict[str, Any] = {"smtp_url": f"smtp://127.0.0.1:{mailbox.port}", "mail_from": "noreply@example.com"}
    return Server(data, open_signup="true", **settings).start()


@pytest.mark.long
@pytest.mark.usefixtures("certificates")
@pytest.mark.parametrize("crashes", [False, True])
def test_neither_a_stop_nor_a_crash_loses_a_mail(tmp_path: Path, crashes: bool) -> None:
    with Mailbox().running() as mailbox:
        mailbox.refusals = ["451 later"]
        server = server_of(mailbox, tmp_path / "data")
        owner = sign_up(server.url)
        ask(owner)
        deadline = time.monotonic() + PATIENCE
        while "an email is waiting for another attempt" not in server.text():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        if crashes:
            server.kill()
        else:
            assert server.stop() == 0
        assert mailbox.letters == []
        server.start()
        assert str(mailbox.arrives()["to"]) == owner.email
        server.stop()
        assert "trr_" not in server.text()
