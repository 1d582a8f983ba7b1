"""The destination of a channel: an address, a URL or a chat, which is a secret (rules/alerts#destination)."""

import re
from typing import Final, Literal, NamedTuple, Protocol, cast
from urllib.parse import urlsplit

from tallyroom.core.email_address import check_email_address, mask_address
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.fetch.messages import OutboundAnswer, OutboundRequest
from tallyroom.core.fetch.url import UrlRefused
from tallyroom.core.host_names import bracket_ipv6
from tallyroom.core.vault import SecretUnreadable, Vault
from tallyroom.mail.message import parse_mailbox

ChannelType = Literal["email", "webhook", "slack", "discord", "telegram"]

DESTINATION_FIELD = "destination"

_HTTP_URL: Final = re.compile(r"https?://\S+")
_TELEGRAM_DESTINATION: Final = re.compile(r"[0-9]{1,20}:[A-Za-z0-9_-]{1,100}/(-?[0-9]{1,20}|@[A-Za-z0-9_]{1,64})")
_MASK = "••••"
_TAIL_LENGTH = 4
_MIN_MASKED_LENGTH = 8  # characters: the last four of a shorter text would reveal too much of it


class Fetcher(Protocol):
    """Sends requests to addresses that people enter."""

    async def check(self, url: str) -> None:
        """Raise `UrlRefused` if requests to `url` are not allowed."""
        ...

    async def send(self, request: OutboundRequest) -> OutboundAnswer:
        """Send a request; raise `FetchFailed` if there is no response."""
        ...


class Destination(NamedTuple):
    """Where to send a message, decrypted; `secret` signs the messages of a webhook and is None for other types."""

    type: ChannelType
    address: str
    secret: str | None


class TelegramChat(NamedTuple):
    """A Telegram chat: the token of the bot that writes there, and the id of the chat."""

    bot_token: str
    chat_id: str


def check_format(channel_type: ChannelType, destination: str) -> None:
    """Raise `ValidationFailed` if a destination has the wrong form for its type. The message does not repeat it."""
    if channel_type == "email":
        check_email_address(destination, DESTINATION_FIELD)
        _check_mailbox(destination)
    elif channel_type == "telegram":
        if _TELEGRAM_DESTINATION.fullmatch(destination) is None:
            raise ValidationFailed.at(
                [DESTINATION_FIELD],
                "must be a bot token, a slash and a chat, such as 123456:AbC-dEf/-1001234567890",
            )
    elif _HTTP_URL.fullmatch(destination) is None or not _host_and_port(destination):
        raise ValidationFailed.at([DESTINATION_FIELD], "must be an address that begins with https://")


class Destinations:
    """Checks destinations, and keeps them encrypted."""

    def __init__(self, vault: Vault, fetcher: Fetcher, telegram_url: str) -> None:
        self._vault = vault
        self._fetcher = fetcher
        self._telegram_url = telegram_url

    async def check(self, channel_type: ChannelType, destination: str) -> None:
        """Raise `ValidationFailed` if a destination has the wrong form, or the server must not reach it."""
        check_format(channel_type, destination)
        if channel_type in {"email", "telegram"}:
            return
        try:
            await self._fetcher.check(destination)
        except UrlRefused as error:
            raise ValidationFailed.at([DESTINATION_FIELD], error.reason) from error

    def encrypt(self, text: str) -> str:
        """Encrypt a destination or a secret for storage."""
        return self._vault.encrypt(text)

    def is_changed(self, destination: str, ciphertext: str) -> bool:
        """Return True if `destination` differs from the stored one, or the stored one cannot be read."""
        try:
            return self._vault.decrypt(ciphertext) != destination
        except SecretUnreadable:
            return True

    def preview(self, channel_type: ChannelType, destination: str) -> str:
        """Return the part of a checked destination that people may see."""
        if channel_type == "email":
            return mask_address(destination)
        if channel_type == "telegram":
            return f"{self._telegram_url}/{_MASK}{_visible_tail(parse_chat(destination).chat_id)}"
        scheme, _, host_and_path = destination.partition("://")
        path_parts = re.split(r"[/?#]", host_and_path, maxsplit=1)[1:]
        return f"{scheme}://{_host_and_port(destination)}/{_MASK}{_visible_tail(''.join(path_parts))}"

    def decrypt(self, channel_type: str, destination_ciphertext: str, secret_ciphertext: str | None) -> Destination:
        """Decrypt the stored values of a channel; raise `SecretUnreadable` if the server's key has changed."""
        plain_secret = secret_ciphertext and self._vault.decrypt(secret_ciphertext)
        return Destination(cast("ChannelType", channel_type), self._vault.decrypt(destination_ciphertext), plain_secret)


def parse_chat(destination: str) -> TelegramChat:
    """Return the two parts of a Telegram destination that `check_format` has accepted."""
    bot_token, _, chat_id = destination.partition("/")
    return TelegramChat(bot_token, chat_id)


def _check_mailbox(address: str) -> None:
    try:
        parse_mailbox(address)
    except ValueError as error:
        raise ValidationFailed.at([DESTINATION_FIELD], f"is not an email address: {error}") from error


def _visible_tail(text: str) -> str:
    return text[-_TAIL_LENGTH:] if len(text) >= _MIN_MASKED_LENGTH else ""


def _host_and_port(url: str) -> str:
    """Return host and port of a URL, without a name and password before them; "" if it has none."""
    try:
        url_parts = urlsplit(url)
        port = url_parts.port
    except ValueError:
        return ""
    host = bracket_ipv6(url_parts.hostname or "")
    return host if port is None else f"{host}:{port}"
