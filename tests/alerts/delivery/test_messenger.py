"""One attempt of each type, over real connections (rules/alerts#refusals-and-retries)."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from standardwebhooks import Webhook

from harness.builders.alert_messages import a_message
from harness.servers.receiver import Answer, Receiver
from harness.stores.mail_posting import Posting
from tallyroom.alerts.channel_types.destination import Destination
from tallyroom.alerts.delivery.messenger import Messenger
from tallyroom.core.clock import SystemClock
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.mail.errors import DeliveryDeferred, DeliveryRejected

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
PNG, DARK_PNG = b"\x89PNG", b"\x89PNG dark"


class Pictures:
    """A picture that needs no drawing."""

    async def draw_chart(self, _: Any, theme: str = "light") -> bytes | None:
        return PNG if theme == "light" else DARK_PNG

    def chart_url(self, _: Any) -> str | None:
        return "https://tally.example.com/custom/graph.png"


@pytest.fixture
def make_messenger(fetcher: GuardedFetcher, make_mailer: Callable[[str], Posting]) -> Callable[..., Messenger]:
    def make(smtp: str = "", telegram: str = "https://api.telegram.org") -> Messenger:
        return Messenger(fetcher, make_mailer(smtp).mailer, Pictures(), SystemClock(), telegram)

    return make


def at(receiver: Receiver, kind: Any = "webhook") -> Destination:
    address = "1:a/2" if kind == "telegram" else f"{receiver.url}/hook/secret-address"
    return Destination(kind, address, SECRET if kind == "webhook" else None)


async def test_a_webhook_is_told(make_messenger: Callable[..., Messenger], receiver: Receiver) -> None:
    await make_messenger().deliver(at(receiver), a_message(), "delivery-1")
    [request] = receiver.requests
    assert request.path == "/hook/secret-address"
    assert Webhook(SECRET).verify(request.body, request.headers)["data"]["name"] == "Too many sign-ups"
    assert request.headers["webhook-id"] == "delivery-1"


async def test_chats_are_told(make_messenger: Callable[..., Messenger], receiver: Receiver) -> None:
    messenger = make_messenger(telegram=receiver.url)
    for kind in ("slack", "discord", "telegram"):
        await messenger.deliver(at(receiver, kind), a_message(), "delivery-1")
    slack, discord, telegram = receiver.requests
    assert slack.json["blocks"][3]["image_url"] == "https://tally.example.com/custom/graph.png"
    assert discord.parts["files[0]"] == PNG
    assert json.loads(discord.parts["payload_json"])["embeds"][0]["title"] == "Fired\\: Too many sign\\-ups"
    assert telegram.path == "/bot1:a/sendPhoto"
    assert telegram.parts["photo"] == PNG


async def test_a_mailbox_is_told(make_messenger: Callable[..., Messenger], make_mailbox: Callable[..., Any]) -> None:
    mailbox = make_mailbox()
    to = Destination("email", "ann@example.com", None)
    await make_messenger(f"smtp://127.0.0.1:{mailbox.port}").deliver(to, a_message(name="=?utf-8?q?x?="), "delivery-1")
    [letter] = mailbox.letters
    assert (str(letter["to"]), str(letter["subject"])) == ("ann@example.com", "Fired: =?utf-8?q?x?=")
    assert str(letter["message-id"]) == "<delivery-1@example.com>"


STATUSES = [201, 204, 301, 302, 400, 401, 403, 404, 408, 410, 413, 422, 425, 429, 500, 502, 503]
CHATS_GIVE_UP = {400, 401, 403, 404, 410, 413, 422}


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("kind", ["webhook", "slack", "discord", "telegram"])
async def test_what_each_status_means(
    make_messenger: Callable[..., Messenger], receiver: Receiver, kind: Any, status: int
) -> None:
    receiver.otherwise = Answer(status, {"location": "/elsewhere"}, b"" if status == 204 else b"secret words")
    attempt = make_messenger(telegram=receiver.url).deliver(at(receiver, kind), a_message(), "delivery-1")
    gives_up = status == 410 if kind == "webhook" else status in CHATS_GIVE_UP
    if status < 300:
        await attempt
    else:
        with pytest.raises(DeliveryRejected if gives_up else DeliveryDeferred, match=f"^HTTP {status}$"):
            await attempt
    assert len(receiver.requests) == 1


@pytest.mark.parametrize(
    ("kind", "answer", "seconds"),
    [
        ("webhook", Answer(429, {"retry-after": "120"}), 120),
        ("webhook", Answer(503, {"retry-after": "7"}), 7),
        ("slack", Answer(429, {"retry-after": "30"}), 30),
        ("slack", Answer(429), None),
        ("telegram", Answer(429, body=b'{"ok":false,"parameters":{"retry_after":35}}'), 35),
        ("discord", Answer(429, body=b'{"ok":false,"parameters":{"retry_after":35}}'), None),
    ],
)
async def test_how_long_it_wants_to_be_left_alone(
    make_messenger: Callable[..., Messenger], receiver: Receiver, kind: Any, answer: Answer, seconds: int | None
) -> None:
    receiver.otherwise = answer
    with pytest.raises(DeliveryDeferred) as refusal:
        await make_messenger(telegram=receiver.url).deliver(at(receiver, kind), a_message(), "delivery-1")
    assert refusal.value.retry_after_s == seconds


async def test_where_nobody_answers_another_attempt_may_help(make_messenger: Callable[..., Messenger]) -> None:
    to = Destination("webhook", "https://127.0.0.1:1/secret-address", SECRET)
    with pytest.raises(DeliveryDeferred) as refusal:
        await make_messenger().deliver(to, a_message(), "delivery-1")
    assert "secret-address" not in str(refusal.value)


@pytest.mark.parametrize(
    ("refusal", "kind", "reason"),
    [
        ("451 later, ann@example.com", DeliveryDeferred, "the mail server responded with 451"),
        ("554 no, ann@example.com", DeliveryRejected, "the mail server responded with 554"),
    ],
)
async def test_a_mail_server_that_refuses_is_not_quoted(
    make_messenger: Callable[..., Messenger], make_mailbox: Callable[..., Any], refusal: str, kind: Any, reason: str
) -> None:
    mailbox = make_mailbox()
    mailbox.refusals = [refusal]
    with pytest.raises(kind, match=f"^{reason}$"):
        await make_messenger(f"smtp://127.0.0.1:{mailbox.port}").deliver(
            Destination("email", "ann@example.com", None), a_message(), "delivery-1"
        )


async def test_without_a_mail_server_nothing_is_mailed(make_messenger: Callable[..., Messenger]) -> None:
    to = Destination("email", "ann@example.com", None)
    with pytest.raises(DeliveryRejected, match="TALLYROOM_SMTP_URL is not set"):
        await make_messenger().deliver(to, a_message(), "delivery-1")
    with pytest.raises(DeliveryDeferred, match=r"^the mail server cannot be reached$"):
        await make_messenger("smtp://127.0.0.1:1").deliver(to, a_message(), "delivery-1")


async def test_many_are_told_at_once(make_messenger: Callable[..., Messenger], receiver: Receiver) -> None:
    messenger = make_messenger()
    await asyncio.gather(*(messenger.deliver(at(receiver), a_message(), f"delivery-{number}") for number in range(8)))
    assert len(receiver.requests) == 8
