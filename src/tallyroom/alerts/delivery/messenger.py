"""Sends a message to one destination, once, as its type requires (rules/alerts#refusals-and-retries)."""

from typing import Protocol

from tallyroom.alerts.channel_types.destination import ChannelType, Destination, Fetcher
from tallyroom.alerts.channel_types.discord import build_discord_request
from tallyroom.alerts.channel_types.email import ThemedChart, build_alert_mail
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.channel_types.slack import build_slack_request
from tallyroom.alerts.channel_types.telegram import build_telegram_request, read_retry_after_s
from tallyroom.alerts.channel_types.webhook import build_webhook_request
from tallyroom.core.clock import Clock
from tallyroom.core.fetch.messages import FetchFailed, OutboundAnswer, OutboundRequest
from tallyroom.images.charts.colors import ThemeName
from tallyroom.mail.email import Mailer
from tallyroom.mail.errors import DeliveryDeferred, DeliveryRejected

_STATUS_GONE = 410
_STATUS_TOO_MANY = 429
_TEMPORARY_STATUSES = {408, 425, _STATUS_TOO_MANY}


class AlertPictures(Protocol):
    """Charts of messages."""

    async def draw_chart(self, message: AlertMessage, theme: ThemeName = "light") -> bytes | None:
        """Draw the chart of a message as PNG; None if it has none, or it cannot be drawn now."""
        ...

    def chart_url(self, message: AlertMessage) -> str | None:
        """Return a public address of the chart; None if there is none."""
        ...


class Messenger:
    """Sends messages to destinations; `clock` gives the times of signatures."""

    def __init__(
        self, fetcher: Fetcher, mailer: Mailer, pictures: AlertPictures, clock: Clock, telegram_url: str
    ) -> None:
        self._fetcher = fetcher
        self._mailer = mailer
        self._pictures = pictures
        self._clock = clock
        self._telegram_url = telegram_url

    async def deliver(self, destination: Destination, message: AlertMessage, delivery_id: str) -> None:
        """Try once to deliver a message, and wait for the result. Error messages do not repeat the destination.

        Raises `DeliveryDeferred` if another attempt may succeed, and `DeliveryRejected` if none will.
        """
        if destination.type == "email":
            await self._send_mail(destination.address, message, delivery_id)
            return
        try:
            answer = await self._fetcher.send(await self._build_request(destination, message, delivery_id))
        except FetchFailed as error:
            raise DeliveryDeferred(str(error)) from error
        _raise_unless_delivered(destination.type, answer)

    async def _send_mail(self, address: str, message: AlertMessage, delivery_id: str) -> None:
        mail = build_alert_mail(address, message, await self._draw_themed_chart(message), delivery_id)
        try:
            await self._mailer.send(mail)
        except DeliveryDeferred as error:
            reason = "cannot be reached" if error.smtp_code is None else f"responded with {error.smtp_code}"
            raise DeliveryDeferred(f"the mail server {reason}") from error
        except DeliveryRejected as error:
            if error.smtp_code is None:  # no mail server was contacted
                raise
            raise DeliveryRejected(f"the mail server responded with {error.smtp_code}") from error

    async def _draw_themed_chart(self, message: AlertMessage) -> ThemedChart | None:
        light_png = await self._pictures.draw_chart(message)
        dark_png = await self._pictures.draw_chart(message, "dark") if light_png else None
        return ThemedChart(light_png, dark_png) if light_png and dark_png else None

    async def _build_request(
        self, destination: Destination, message: AlertMessage, delivery_id: str
    ) -> OutboundRequest:
        match destination.type:
            case "slack":
                return build_slack_request(destination.address, message, self._pictures.chart_url(message))
            case "discord":
                return build_discord_request(
                    destination.address, message, await self._pictures.draw_chart(message), delivery_id
                )
            case "telegram":
                png = await self._pictures.draw_chart(message)
                return build_telegram_request(self._telegram_url, destination.address, message, png, delivery_id)
            case _:
                return build_webhook_request(
                    destination.address, destination.secret or "", message, delivery_id, self._clock.now_ms()
                )


def _raise_unless_delivered(channel_type: ChannelType, answer: OutboundAnswer) -> None:
    if 200 <= answer.status < 300:  # noqa: PLR2004 # every 2xx
        return
    reason = f"HTTP {answer.status}"
    if _is_permanent_refusal(channel_type, answer.status):
        raise DeliveryRejected(reason)
    retry_after_s = answer.retry_after_seconds
    if retry_after_s is None and channel_type == "telegram" and answer.status == _STATUS_TOO_MANY:
        retry_after_s = read_retry_after_s(answer)
    raise DeliveryDeferred(reason, retry_after_s=retry_after_s)


def _is_permanent_refusal(channel_type: ChannelType, status: int) -> bool:
    """Return True if the same request would be refused again.

    From a chat, any other 4xx means that its address or the message is wrong. A webhook is a program that its owner may
    still be repairing, so only 410, which asks for no more requests, is final.
    """
    if channel_type == "webhook":
        return status == _STATUS_GONE
    return status // 100 == 4 and status not in _TEMPORARY_STATUSES  # noqa: PLR2004 # every 4xx
