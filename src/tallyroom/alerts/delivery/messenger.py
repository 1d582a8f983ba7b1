"""Takes a message to one destination, once, by the way of its type (rules/alerts#refusals-and-retries)."""

from typing import Protocol

from tallyroom.alerts.channel_types.destination import ChannelType, Destination, Fetcher
from tallyroom.alerts.channel_types.discord import discord_request
from tallyroom.alerts.channel_types.email import alert_letter
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.channel_types.slack import slack_request
from tallyroom.alerts.channel_types.telegram import telegram_request, wait_of
from tallyroom.alerts.channel_types.webhook import webhook_request
from tallyroom.core.clock import Clock
from tallyroom.core.fetch.messages import FetchFailed, OutboundAnswer, OutboundRequest
from tallyroom.mail.email import Mailer
from tallyroom.mail.errors import NotNow, NotTaken

_STATUS_GONE = 410
_TOO_MANY = 429
_MAY_PASS = {408, 425, _TOO_MANY}


class AlertPictures(Protocol):
    """Charts of messages."""

    async def draw(self, message: AlertMessage) -> bytes | None:
        """Draw the chart of a message as PNG; None if it has none, or it cannot be drawn now."""
        ...

    def url(self, message: AlertMessage) -> str | None:
        """Return an address at which anybody finds the chart; None if there is none."""
        ...


class Messenger:
    """Tells destinations.

    Args:
        fetcher: sends requests.
        mailer: sends letters.
        pictures: draws charts.
        clock: gives the times of signatures.
        telegram_url: the server of Telegram's bots.
    """

    def __init__(
        self, fetcher: Fetcher, mailer: Mailer, pictures: AlertPictures, clock: Clock, telegram_url: str
    ) -> None:
        self._fetcher = fetcher
        self._mailer = mailer
        self._pictures = pictures
        self._clock = clock
        self._telegram_url = telegram_url

    async def tell(self, to: Destination, message: AlertMessage, delivery_id: str) -> None:
        """Try once to deliver a message, and wait for the result. The reasons repeat nothing of the destination.

        Raises:
            NotNow: another attempt may succeed.
            NotTaken: no attempt will.
        """
        if to.type == "email":
            await self._mail(to.address, message, delivery_id)
            return
        try:
            answer = await self._fetcher.send(await self._request(to, message, delivery_id))
        except FetchFailed as error:
            raise NotNow(str(error)) from error
        _judge(to.type, answer)

    async def _mail(self, address: str, message: AlertMessage, delivery_id: str) -> None:
        letter = alert_letter(address, message, await self._pictures.draw(message), delivery_id)
        try:
            await self._mailer.send(letter)
        except NotNow as error:
            reason = "cannot be reached" if error.code is None else f"answered {error.code}"
            raise NotNow(f"the mail server {reason}") from error
        except NotTaken as error:
            if error.code is None:  # nobody was asked
                raise
            raise NotTaken(f"the mail server answered {error.code}") from error

    async def _request(self, to: Destination, message: AlertMessage, delivery_id: str) -> OutboundRequest:
        match to.type:
            case "slack":
                return slack_request(to.address, message, self._pictures.url(message))
            case "discord":
                return discord_request(to.address, message, await self._pictures.draw(message), delivery_id)
            case "telegram":
                png = await self._pictures.draw(message)
                return telegram_request(self._telegram_url, to.address, message, png, delivery_id)
            case _:
                return webhook_request(to.address, to.secret or "", message, delivery_id, self._clock.now_ms())


def _judge(channel_type: ChannelType, answer: OutboundAnswer) -> None:
    if 200 <= answer.status < 300:  # noqa: PLR2004 # every 2xx
        return
    reason = f"HTTP {answer.status}"
    if _is_final(channel_type, answer.status):
        raise NotTaken(reason)
    wait = answer.retry_after
    if wait is None and channel_type == "telegram" and answer.status == _TOO_MANY:
        wait = wait_of(answer)
    raise NotNow(reason, retry_after=wait)


def _is_final(channel_type: ChannelType, status: int) -> bool:
    """Return True if the same request would be refused again.

    A chat says by any other 4xx that its address or the message is wrong. A webhook is a program that its owner may
    still be repairing, so only 410 is final, with which it asks to be left alone.
    """
    if channel_type == "webhook":
        return status == _STATUS_GONE
    return status // 100 == 4 and status not in _MAY_PASS  # noqa: PLR2004 # every 4xx
